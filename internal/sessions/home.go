package sessions

import (
	"cmp"
	"time"

	"hermes/internal/question"
)

// homeWithin is how long after another OpenCode of its directory said that a session
// rests hermes waits for the one that ran its turn, if that has no end. One that works
// is back sooner: its plugin tries at least every ten seconds.
const homeWithin = 5 * time.Minute

// home is where a session's turn runs, as far as that is known: only there it is known
// whether the turn goes on. All others read what is on disk.
func (d *Desk) home(to target) question.Origin {
	return cmp.Or(d.heard.of(to.session), to.origin)
}

// cut is a turn that has no end for an OpenCode which does not run it.
type cut struct {
	since  time.Time // when it was first seen so; zero: it was not
	closed bool      // the OpenCode that ran it was closed, and the turn with it
}

// leaves reports whether a sight leaves open if the turn goes on, so that there is to be
// another. After homeWithin there is none: then it is not said that it was stopped.
func (c *cut) leaves(s *sight, home question.Origin, now time.Time) bool {
	if c.closed || s.err != nil || s.session.Busy || !unowned(s.turn, s.way, home) {
		c.since = time.Time{}
		return false
	}
	c.since = cmp.Or(c.since, now)
	s.turn.Aborted = false
	return now.Sub(c.since) < homeWithin
}

// unowned reports whether a turn has no end, as seen by another than the one that ran it.
func unowned(t question.Turn, seenBy way, home question.Origin) bool {
	return t.Unfinished && seenBy.Origin != home
}

// closedAt looks at what worked in an OpenCode that was closed, when that had the time to
// write down its end.
func (d *Desk) closedAt(o question.Origin) {
	for _, w := range d.watches {
		if d.home(w.target()) == o {
			w.cut.closed = true
			d.checkIn(w, d.config.IdleDelay)
		}
	}
}
