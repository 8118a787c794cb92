package sessions

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"hermes/internal/question"
)

// watch is a session whose end is waited for.
type watch struct {
	question.Watch
	looking bool // a look is under way
	again   bool // something happened meanwhile
	cut     cut
	timer   *time.Timer
	failed  int                // tellings in a row that were not sent
	trouble string             // the last error that OpenCode told of
	turn    question.MessageID // the last one whose end was told, to be stored with the end of the watch
	retried bool               // somebody was told that the model gives errors
	asked   time.Time          // when its last prompt was taken; zero: before the start
	woken   bool               // OpenCode was told to begin with that
}

const (
	// lookAgain is how long after a look that found a session at work the next is
	// made, should no event come: events can be lost.
	lookAgain = 2 * time.Minute
	// startsWithin is how long a session may have a prompt and not begin with it.
	startsWithin = 30 * time.Second
	// freshTurn is how old the end of a turn may be that no event announced.
	freshTurn = time.Minute
	// maxWatched is how many sessions of one source are watched that nobody has written
	// to, for chats that hear of all.
	maxWatched = 200
	// maxCrowded bounds for how many sources it is remembered that the log has it.
	maxCrowded = 256
	// toldTries bounds how often the end of a turn is sent to chats that do not take it.
	toldTries = 20
)

// watched gives a copy of the session's watch, or a new one. The copy takes the
// place of the other when it is stored.
func (d *Desk) watched(to target) *watch {
	w := &watch{Watch: question.Watch{Session: to.session, Origin: to.origin, Since: time.Now()}}
	if old := d.watches[to.session]; old != nil {
		old.stop()
		*w = *old
		w.For = slices.Clone(old.For)
		w.looking = false // the look that is under way is for the old one
	}
	return w
}

func (w *watch) joined(l question.Listener) *watch {
	w.For, w.asked, w.woken = append(w.For, l), time.Now(), false
	return w
}

func (w *watch) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

func (w *watch) target() target { return target{session: w.Session, origin: w.Origin} }

// worked notes that a session has begun, or goes on.
func (d *Desk) worked(e question.Event) {
	if w := d.watches[e.Session]; w != nil {
		w.stop()
		w.Origin, w.cut = e.Origin, cut{}
		w.again = w.looking
		d.checkIn(w, lookAgain)
		return
	}
	if len(d.hearing(e.Session)) == 0 || !d.room(e.Origin) {
		return
	}
	w := d.watched(target{session: e.Session, origin: e.Origin})
	_ = d.commit(question.Change{Watches: []question.Watch{w.Watch}}) // else its end is told only if hermes stays
	d.watches[e.Session] = w
	d.checkIn(w, lookAgain)
	d.began(w)
}

// room reports whether one more session of a source may be watched that nobody has
// written to. What is too much is in the log, once until there is much
// room again.
func (d *Desk) room(o question.Origin) bool {
	n, source := 0, o.Source()
	for _, w := range d.watches {
		if len(w.For) == 0 && w.Origin.Source() == source {
			n++
		}
	}
	if n < maxWatched/2 {
		d.crowded.Delete(source)
	}
	if n < maxWatched {
		return true
	}
	if _, logged := d.crowded.Get(source); !logged {
		d.crowded.Put(source, true)
		d.log.Error("an OpenCode says that too many sessions work; the end of what is beyond is not told", "link", o.Token, "host", o.Host, "directory", o.Directory)
	}
	return false
}

// rested looks at a session that has become idle, when it has been so for a while:
// not when somebody at the keyboard goes on at once.
func (d *Desk) rested(e question.Event) {
	w := d.watches[e.Session]
	if w == nil && len(d.hearing(e.Session)) > 0 && d.room(e.Origin) {
		w = d.watched(target{session: e.Session, origin: e.Origin})
		w.Since = time.Time{} // nothing was heard of its beginning
		d.watches[e.Session] = w
	}
	if w != nil {
		d.checkIn(w, d.config.IdleDelay)
	}
}

// failed keeps the error for those who wait: a prompt that OpenCode could not begin
// with leaves no other trace.
func (d *Desk) failed(e question.Event) {
	if w := d.watches[e.Session]; w != nil {
		w.trouble = e.Text
		d.checkIn(w, d.config.IdleDelay)
	}
}

// retried tells those whose prompt it is, once, that the model gives errors.
func (d *Desk) retried(e question.Event) {
	w := d.watches[e.Session]
	if w == nil || w.retried {
		return
	}
	w.retried = true
	for _, l := range audience(w.Watch, nil) {
		d.tell(question.Telling{
			Kind: question.TellRetried, Chat: l.Chat, Topic: l.Topic, ReplyTo: l.Message, Lang: l.Lang, Text: e.Text,
			Session: w.target().known(),
		}, w.target(), nil)
	}
}

// checkIn looks at the session in a while.
func (d *Desk) checkIn(w *watch, t time.Duration) {
	w.stop()
	w.timer = d.after(t, func() { d.check(w) })
}

// check looks how the session stands.
func (d *Desk) check(w *watch) {
	if d.watches[w.Session] != w || d.ctx == nil {
		return
	}
	if w.looking {
		w.again = true
		return
	}
	w.looking, w.again = true, false
	ways := d.towards(w.target())
	d.beside(func(ctx context.Context) {
		seen := d.look(ctx, ways, w.Session)
		d.back(func() { d.looked(w, seen) })
	})
}

// sight is how a session stands.
type sight struct {
	way     way
	session question.Session
	turn    question.Turn
	asks    bool // it waits for a person
	open    bool // it is not known whether the turn goes on
	err     error
}

func (d *Desk) look(ctx context.Context, ways []way, id question.SessionID) (s sight) {
	s.way, s.session, s.err = d.find(ctx, ways, id)
	if s.err == nil && s.session.Parent == "" && !s.session.Busy {
		s.asks = len(d.waiting(ctx, id, s.way.Origin)) > 0
		s.lastTurn(ctx, id)
	}
	if s.err == nil && s.turn.Unfinished { // another may run it
		s.way, s.session, s.err = d.working(ctx, ways, id)
	}
	return s
}

// lastTurn adds the session's last turn, and how the session stands by then: it may have
// begun to work again, so that the turn has no end.
func (s *sight) lastTurn(ctx context.Context, id question.SessionID) {
	if s.turn, s.err = s.way.Turn(ctx, id); s.err == nil {
		s.session = s.turn.Session
	}
}

// verdict is what a sight means for a watch.
type verdict string

const (
	wait    verdict = "wait"    // look again later, or when an event says so
	forget  verdict = "forget"  // there is nothing to tell
	gone    verdict = "gone"    // the session is
	nothing verdict = "nothing" // it has a prompt, and did not begin with it
	ended   verdict = "ended"   // its turn is over
)

// meaning decides what a sight means at a time. told is the last turn of the session
// that was told of.
func meaning(w question.Watch, s sight, told question.MessageID, now time.Time) verdict {
	var last question.Listener
	if len(w.For) > 0 {
		last = w.For[len(w.For)-1]
	}
	switch {
	case errors.Is(s.err, errGone):
		return gone
	case s.err != nil, s.session.Busy, s.asks, s.open:
		return wait
	case s.session.Parent != "":
		return forget
	case last.Prompt != "" && s.turn.Message < last.Prompt && now.Sub(w.Since) < startsWithin:
		return wait
	case last.Prompt != "" && s.turn.Message < last.Prompt:
		return nothing
	case s.turn.Message == "", s.turn.Message == told && len(w.For) == 0:
		return forget
	case w.Since.IsZero() && now.Sub(s.turn.Ended) > freshTurn:
		return forget
	}
	return ended
}

func (d *Desk) looked(w *watch, s sight) {
	w.looking = false
	if d.watches[w.Session] != w {
		return // another has taken its place, and looks for itself
	}
	if w.again {
		d.checkIn(w, d.config.IdleDelay)
		return
	}
	s.open = w.cut.leaves(&s, d.home(w.target()), time.Now())
	if w.passedOver(s, time.Now()) {
		d.wake(w, s)
		return
	}
	verdict := meaning(w.Watch, s, d.lastTold(w.Session), time.Now())
	d.log.Debug("looked at a session", "session", string(w.Session), "verdict", string(verdict), "err", s.err)
	switch verdict {
	case wait:
		again := lookAgain
		if s.err == nil && !s.session.Busy && !s.asks && !s.open {
			again = d.config.IdleDelay + time.Second
		}
		d.checkIn(w, again)
	case forget:
		d.unwatch(w)
	case gone:
		d.announce(w, question.Telling{Kind: question.TellGone, Session: w.target().known()}, w.target(), "")
	case nothing:
		d.announce(w, question.Telling{Kind: question.TellNothing, Session: s.session, Text: w.trouble}, place(s.way, s.session), "")
	case ended:
		turn := s.turn.Message
		if s.turn.Unfinished && !s.turn.Aborted {
			turn = "" // its end may be told later
		}
		d.announce(w, question.Telling{Kind: question.TellTurn, Session: s.session, Turn: s.turn}, place(s.way, s.session), turn)
	}
}

// unwatch ends a watch. Which turn was told is stored with that, and not before: a crash
// tells it twice to some, and nobody never.
func (d *Desk) unwatch(w *watch) {
	w.stop()
	delete(d.watches, w.Session)
	c := question.Change{Watched: []question.SessionID{w.Session}}
	if w.turn != "" {
		c.Told = []question.Told{{Session: w.Session, Turn: w.turn, At: time.Now()}}
	}
	d.happened(c)
}

// lastTold is the last turn of a session that was told of.
func (d *Desk) lastTold(id question.SessionID) question.MessageID {
	if turn, ok := d.told.Get(id); ok {
		return turn
	}
	turn, err := d.config.Store.Told(id)
	if err != nil {
		d.log.Error("cannot read the store", "err", err)
	}
	return turn
}

// listening are the chats that hear of every session from a level on.
func (d *Desk) listening(from question.Level) []question.Seat {
	var list []question.Seat
	d.seats.Range(func(_, value any) bool {
		s := value.(question.Seat)
		loud := s.Level == question.LevelAll || s.Level == question.LevelTurns && from == question.LevelTurns
		if loud && !s.Muted.After(time.Now()) && d.setUp(s.Chat) {
			list = append(list, s)
		}
		return true
	})
	slices.SortFunc(list, byChat)
	return list
}

func byChat(a, b question.Seat) int { return cmp.Compare(a.Chat, b.Chat) }

// hearing are the chats that hear of the end of a session's turn, whoever began it.
func (d *Desk) hearing(id question.SessionID) []question.Seat {
	list := d.listening(question.LevelTurns)
	for _, s := range d.followers(id) {
		there := func(o question.Seat) bool { return o.Chat == s.Chat }
		if !s.Muted.After(time.Now()) && !slices.ContainsFunc(list, there) {
			list = append(list, s)
		}
	}
	return list
}

// audience are those who are told of the end: once a chat, as a reply to the last
// prompt from there.
func audience(w question.Watch, seats []question.Seat) []question.Listener {
	var all []question.Listener
	for _, l := range slices.Backward(w.For) {
		if !slices.ContainsFunc(all, func(o question.Listener) bool { return o.Chat == l.Chat && o.Topic == l.Topic }) {
			all = append(all, l)
		}
	}
	slices.Reverse(all)
	for _, s := range seats {
		if !slices.ContainsFunc(all, func(o question.Listener) bool { return o.Chat == s.Chat }) {
			all = append(all, question.Listener{Chat: s.Chat, Topic: s.Topic})
		}
	}
	return all
}

// announce tells everybody concerned of the end of a turn, or of another reason to wait for
// none; then turn is empty. The watch goes when all were told: a crash
// before that tells some of them twice, and nobody never.
func (d *Desk) announce(w *watch, t question.Telling, about target, turn question.MessageID) {
	var seats []question.Seat
	if t.Kind == question.TellTurn && (turn == "" || d.lastTold(w.Session) != turn) {
		seats = d.hearing(w.Session)
	}
	all := audience(w.Watch, seats)
	w.looking, w.For = true, nil // until all were told
	if turn != "" {
		d.told.Put(w.Session, turn)
		w.turn = turn
	}
	left, lost := len(all), []question.Listener(nil)
	if left == 0 {
		d.unwatch(w)
	}
	for _, l := range all {
		one := t
		one.Chat, one.Topic, one.ReplyTo, one.Lang = l.Chat, l.Topic, l.Message, l.Lang
		d.tell(one, about, func(_ []question.PostedID, err error) {
			if left--; err != nil && later(err) {
				lost = append(lost, l)
			}
			if left == 0 {
				d.announced(w, lost)
			}
		})
	}
}

// later reports whether the same message may be sent later.
func later(err error) bool {
	var e interface{ Temporary() bool }
	return errors.As(err, &e) && e.Temporary()
}

// announced lets go of a watch, or tries again for those who could not be told.
func (d *Desk) announced(w *watch, lost []question.Listener) {
	w.looking = false
	if d.watches[w.Session] != w {
		return // it goes on, for a prompt that came since
	}
	if len(lost) == 0 || w.failed >= toldTries {
		d.unwatch(w)
		if w.again {
			d.rested(question.Event{Session: w.Session, Origin: w.Origin})
		}
		return
	}
	w.failed++
	w.For = lost
	d.checkIn(w, time.Minute)
}

// began tells those who want to know that a session works.
func (d *Desk) began(w *watch) {
	if len(d.listening(question.LevelAll)) == 0 {
		return
	}
	ways, id := d.towards(w.target()), w.Session
	d.beside(func(ctx context.Context) {
		by, s, err := d.find(ctx, ways, id)
		if err != nil || s.Parent != "" {
			return
		}
		d.back(func() {
			for _, seat := range d.listening(question.LevelAll) {
				d.tell(question.Telling{Kind: question.TellBegan, Chat: seat.Chat, Topic: seat.Topic, Session: s, Silent: true}, place(by, s), nil)
			}
		})
	})
}
