package sessions

import (
	"context"
	"path"
	"slices"
	"time"

	"hermes/internal/question"
)

// create makes a session in the directory of that name; without one, in a reply, in that
// of the message's session, or in the only one that there is. Else it asks where.
func (d *Desk) create(in question.Input, to target, name string) {
	if d.resumed(in) {
		return
	}
	spots := d.spots()
	some := named(spots, name)
	switch {
	case name == "" && in.ReplyTo != 0 && to.session != "":
		some = spotOf(spots, to.origin.Directory)
	case name == "":
		some = spots
	}
	d.makeIn(in, spots, some)
}

// createFrom makes a session in the directory of a button, once for each message: the
// message is the session's then.
func (d *Desk) createFrom(in question.Input, tag string) {
	if d.resumed(in) {
		return
	}
	if _, made := d.belongs(in.Chat, in.Message); made {
		_ = d.finish(in, question.Change{})
		return
	}
	spots := d.spots()
	d.makeIn(in, spots, slices.DeleteFunc(slices.Clone(spots), func(o question.Origin) bool { return question.Tag(o.Directory) != tag }))
}

// resumed goes on with a wish that an earlier life of hermes has begun with. It reports
// whether it did.
func (d *Desk) resumed(in question.Input) bool {
	m := d.seat(in.Chat).Making
	if m.Update != in.Update {
		return false
	}
	d.make(in, m.Origin)
	return true
}

// makeIn makes a session if it is clear where.
func (d *Desk) makeIn(in question.Input, spots, some []question.Origin) {
	switch {
	case len(spots) == 0:
		d.reply(in, question.Telling{Kind: question.TellOffline})
	case len(some) == 1:
		d.make(in, some[0])
	case len(some) == 0:
		d.reply(in, question.Telling{Kind: question.TellWhere, Projects: directories(spots)})
	default:
		d.reply(in, question.Telling{Kind: question.TellWhere, Projects: directories(some)})
	}
}

// make makes a session. The wish is stored before, and its update stays in the inbox
// until the chat was told:
//
//	after                  on restart
//	wish stored            looked for, not found, made
//	made, and not stored   looked for, found
//	stored, and not told   told; the chat may use another session by then
func (d *Desk) make(in question.Input, o question.Origin) {
	seat := d.seat(in.Chat)
	seat.Chat = d.current(in.Chat)
	switch m := seat.Making; {
	case m.Update != in.Update:
		seat.Making = question.Making{Update: in.Update, Origin: o, At: d.moment()}
		if d.keepSeat(in, seat, question.Change{}) != nil {
			return
		}
	case m.Session != "":
		to := target{session: m.Session, origin: m.Origin}
		d.confirm(in, to, to.known())
		return
	}
	m := seat.Making
	d.beside(func(ctx context.Context) {
		w, s, err := way{Origin: m.Origin}, question.Session{}, errAway
		if a, ok := d.config.Agents(m.Origin); ok {
			w.Agent = a
			s, err = a.CreateOnce(ctx, m.At)
		}
		d.back(func() { d.made(in, w, s, err) })
	})
}

// made makes the chat use a session that was made for it.
func (d *Desk) made(in question.Input, w way, s question.Session, err error) {
	if err != nil {
		d.log.Warn("a session could not be made", "directory", w.Directory, "err", err)
		t := d.failure(err, "")
		t.Reason = reason(err)
		d.reply(in, t)
		return
	}
	seat := d.seat(in.Chat)
	seat.Session, seat.Origin, seat.Title = s.ID, w.Origin, s.Title
	seat.Agent, seat.Model = "", question.Model{}
	seat.Chat, seat.Topic, seat.Making.Session = d.current(in.Chat), in.Topic, s.ID
	c := question.Change{Entries: []question.Entry{{Kind: question.EntryCreated, Session: s.ID, By: author(in)}}}
	if in.Kind == question.Tapped { // the message is the session's from now on
		c.Said = place(w, s).said(in.Chat, []question.PostedID{in.Message})
	}
	if d.keepSeat(in, seat, c) != nil {
		return
	}
	d.confirm(in, place(w, s), s)
}

// confirm tells of a session that was made, and lets go of the wish.
func (d *Desk) confirm(in question.Input, about target, s question.Session) {
	d.settles(in)
	t := addressed(in, question.Telling{Kind: question.TellNew, Session: s})
	if in.Kind == question.Tapped {
		t.Edit = in.Message // the choice is made
	}
	d.tell(t, about, func([]question.PostedID, error) {
		_ = d.finish(in, question.Change{})
		d.decided(in) // not before: a chat remembers one wish
	})
}

// keepSeat stores what a chat has settled on while its input is still worked on. If the
// store fails, that comes again at the next start.
func (d *Desk) keepSeat(in question.Input, seat question.Seat, c question.Change) error {
	c.Seats = []question.Seat{seat}
	err := d.commit(c)
	if err != nil {
		delete(d.taking, in.Update)
		d.decided(in)
		d.say(in, question.Telling{Kind: question.TellNotSaved})
		return err
	}
	d.seats.Store(seat.Chat, seat)
	d.followed(seat.Chat)
	return nil
}

// moment is now, in milliseconds, and never the same twice.
func (d *Desk) moment() time.Time {
	now := time.Now().Truncate(time.Millisecond)
	if !now.After(d.newest) {
		now = d.newest.Add(time.Millisecond)
	}
	d.newest = now
	return now
}

// spots are the directories in which sessions can be made, each once: those that an
// OpenCode works in, and then those that the configuration names. Nothing that a person
// writes becomes a directory: it only chooses among these.
func (d *Desk) spots() []question.Origin {
	var spots []question.Origin
	add := func(o question.Origin) {
		if !slices.ContainsFunc(spots, func(has question.Origin) bool { return has.Directory == o.Directory }) {
			spots = append(spots, o)
		}
	}
	for _, w := range d.ways() {
		add(w.Origin)
	}
	for _, o := range d.config.Places() {
		add(o)
	}
	return spots
}

// named are the directories that go by a name: the whole of it, its last part, or its
// last two.
func named(spots []question.Origin, name string) []question.Origin {
	if path.IsAbs(name) {
		name = path.Clean(name)
	}
	var some []question.Origin
	for _, o := range spots {
		if name != "" && (name == o.Directory || name == o.Project() || name == o.LongProject()) {
			some = append(some, o)
		}
	}
	return some
}

func spotOf(spots []question.Origin, directory string) []question.Origin {
	at := slices.IndexFunc(spots, func(o question.Origin) bool { return o.Directory == directory })
	if at < 0 {
		return nil
	}
	return spots[at : at+1]
}

func directories(spots []question.Origin) []string {
	var all []string
	for _, o := range spots {
		all = append(all, o.Directory)
	}
	return all
}
