package sessions

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"hermes/internal/question"
)

// errAway says that no OpenCode which could have the session can be reached.
var errAway = errors.New("no OpenCode of the session's directory can be reached")

// errGone says that those which could have it do not.
var errGone = errors.New("there is no such session")

// way is an origin and the agent that reaches it now.
type way struct {
	question.Origin
	Agent
}

// ways are all that can be reached now, in an order that does not change.
func (d *Desk) ways() []way {
	var list []way
	for o := range d.origins {
		if a, ok := d.config.Agents(o); ok {
			list = append(list, way{o, a})
		}
	}
	slices.SortFunc(list, func(x, y way) int {
		return cmp.Or(cmp.Compare(x.Way, y.Way)*-1, cmp.Compare(x.Directory, y.Directory), cmp.Compare(x.Process, y.Process))
	})
	return list
}

// reached is in how many directories there is an OpenCode.
func (d *Desk) reached() int {
	seen := map[string]bool{}
	for _, w := range d.ways() {
		seen[w.Directory] = true
	}
	return len(seen)
}

// towards are the ways that may lead to a session, the best first: where it was heard
// of last, where it was seen before, then whatever works in its directory on the same
// machine. Sessions are kept on disk, so any OpenCode there has them; but only the one that
// runs a turn knows of it.
func (d *Desk) towards(to target) []way {
	last := d.heard.of(to.session)
	heard := last.Way != ""
	rank := func(w way) int {
		switch {
		case heard && w.Origin == last:
			return 0
		case w.Origin == to.origin:
			return 1
		}
		return 2
	}
	list := slices.DeleteFunc(d.ways(), func(w way) bool {
		if heard {
			return !d.mayHave(w.Origin, last)
		}
		return !d.mayHave(w.Origin, to.origin)
	})
	if !d.origins[to.origin] && to.origin.Way == question.Direct { // a server needs to know of no directory before
		if a, ok := d.config.Agents(to.origin); ok {
			list = append(list, way{to.origin, a})
		}
	}
	slices.SortStableFunc(list, func(x, y way) int { return cmp.Compare(rank(x), rank(y)) })
	return list
}

// find looks for the session along the ways. It runs beside the loop.
func (d *Desk) find(ctx context.Context, ways []way, id question.SessionID) (way, question.Session, error) {
	failed := errAway
	for _, w := range ways {
		s, err := w.Session(ctx, id)
		switch {
		case err == nil:
			return w, s, nil
		case !errors.Is(err, question.ErrNoSession):
			failed = err
		case errors.Is(failed, errAway):
			failed = errGone
		}
	}
	return way{}, question.Session{}, failed
}

// place is a session that was found, as it is known from then on.
func place(w way, s question.Session) target {
	return target{session: s.ID, origin: w.Origin, title: s.Title}
}

// waiting are the asks of a session and its subagents that people are shown.
func (d *Desk) waiting(ctx context.Context, id question.SessionID, at question.Origin) []question.Thread {
	all, err := d.config.Waiting(ctx)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(t question.Thread) bool { return !asks(t, id, at) })
}

// asks reports whether the ask waits for a person, in this session or below it, where the
// session was found.
func asks(t question.Thread, id question.SessionID, at question.Origin) bool {
	there := func(o question.Origin) bool { return o.MayHave(at) }
	return t.Open() && (t.Place.Root == id || t.Request.Session == id) && slices.ContainsFunc(t.Origins, there)
}

// Event takes in what OpenCode said. It never waits.
func (d *Desk) Event(e question.Event) {
	switch e.Kind {
	case question.Lost, question.Closed:
		d.back(func() {
			delete(d.origins, e.Origin)
			d.heard.stopped(e.Origin)
			d.cutOff(e)
			if e.Kind == question.Closed {
				d.closedAt(e.Origin)
			}
		})
	case question.Opened, question.Worked, question.Rested, question.Asked, question.Failed, question.Retried,
		question.Replied, question.Rejected, question.Spoke:
		if e.Origin.Way == question.AskAPI || strings.TrimSpace(e.Origin.Directory) == "" {
			return
		}
		d.back(func() { d.event(e) })
	}
}

func (d *Desk) event(e question.Event) {
	fresh := !d.origins[e.Origin]
	d.origins[e.Origin] = true
	switch e.Kind {
	case question.Worked, question.Rested, question.Failed, question.Retried, question.Spoke:
		if d.tells(e.Origin, e.Session) {
			d.sessionEvent(e)
		} else {
			d.accuse(e)
		}
	default:
		d.stirred(e)
	}
	if fresh || e.Kind == question.Opened {
		d.opened(e.Origin)
	}
	if !d.warm {
		d.warmed()
	}
}

// sessionEvent takes in what a session's OpenCode said of it.
func (d *Desk) sessionEvent(e question.Event) {
	switch e.Kind {
	case question.Worked:
		d.heard.put(e.Session, e.Origin, true)
		d.worked(e)
	case question.Rested:
		d.heard.put(e.Session, e.Origin, false)
		d.rested(e)
	case question.Failed:
		d.failed(e)
	case question.Retried:
		d.retried(e)
	}
	d.stirred(e)
}

// opened goes on with what had to wait for the directory.
func (d *Desk) opened(o question.Origin) {
	for id, line := range d.lines {
		if len(line) > 0 && (d.mayHave(o, line[0].Origin) || d.mayHave(o, d.heard.of(id))) {
			line[0].again()
			d.carry(id)
		}
	}
	for _, w := range d.watches {
		if d.mayHave(o, w.Origin) {
			d.check(w)
		}
	}
}
