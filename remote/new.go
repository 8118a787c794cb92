package remote

import (
	"context"
	"path"
	"slices"

	"hermes/question"
)

// create makes a session in the directory of that name; without one, in a reply, in that
// of the message's session, or in the only one that there is. Else it asks where.
func (d *Desk) create(in question.Input, to target, name string) {
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
	if _, made := d.belongs(in.Chat, in.Message); made {
		_ = d.finish(in, question.Change{})
		return
	}
	spots := d.spots()
	d.makeIn(in, spots, slices.DeleteFunc(slices.Clone(spots), func(o question.Origin) bool { return question.Tag(o.Directory) != tag }))
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

// make makes a session. A crash between that and the commit leaves an empty session
// behind, and another one is made at the next start.
func (d *Desk) make(in question.Input, o question.Origin) {
	d.beside(func(ctx context.Context) {
		w, s, err := way{Origin: o}, question.Session{}, errAway
		if a, ok := d.config.Agents(o); ok {
			w.Agent = a
			s, err = a.Create(ctx, "")
		}
		d.back(func() {
			if err != nil {
				d.log.Warn("a session could not be made", "directory", o.Directory, "err", err)
				t := d.failure(err, "")
				t.Reason = reason(err)
				d.reply(in, t)
				return
			}
			d.sit(in, w, s, question.TellNew, question.Entry{Kind: question.EntryCreated, Session: s.ID, By: author(in)})
		})
	})
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
