package sessions

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// observer looks how sessions stand. Its methods run beside the loop.
type observer struct {
	asks Asks // Config.Asks
}

// sight is how a session stands.
type sight struct {
	route   route
	session session.Session
	turn    session.Turn
	hearers []remote.Hearer // of a turn that may have ended: where the session's asks are shown
	asks    bool            // it waits for a person
	open    bool            // it is not known whether the turn continues
	err     error
}

// lookAtRest looks at a session whose turn may have ended.
func (o observer) lookAtRest(ctx context.Context, along []route, id session.ID) (s sight) {
	s.route, s.session, s.err = findSession(ctx, along, id)
	if s.err == nil && s.session.Parent == "" && !s.session.Busy {
		s.asks = len(o.asksOf(ctx, id, s.route.Origin)) > 0
		s.addTurn(ctx, id)
	}
	if s.err == nil && s.turn.Message != "" && !s.session.Busy && !s.asks {
		s.hearers, s.err = o.asks.Hearers(ctx, s.route.Origin, s.turn)
	}
	if s.err == nil && s.turn.Unfinished { // another may run it
		s.route, s.session, s.err = findRunning(ctx, along, id)
	}
	return s
}

// lookAtWork is like look, for a session that most likely works. Its turn is read if it is
// wanted, or the session rests.
func (o observer) lookAtWork(ctx context.Context, along []route, id session.ID, wantTurn bool) (s sight) {
	if s.route, s.session, s.err = findRunning(ctx, along, id); s.err != nil {
		return s
	}
	s.asks = len(o.asksOf(ctx, id, s.route.Origin)) > 0
	if wantTurn || !s.session.Busy {
		s.addTurn(ctx, id)
	}
	return s
}

// addTurn adds the session's last turn, and how the session stands by then: it may have
// begun to work again, so that the turn has no end.
func (s *sight) addTurn(ctx context.Context, id session.ID) {
	if s.turn, s.err = s.route.Turn(ctx, id); s.err == nil {
		s.session = s.turn.Session
	}
}

// asksOf are the asks of a session and its subagents that people are shown.
func (o observer) asksOf(ctx context.Context, id session.ID, at session.Origin) []question.Thread {
	all, err := o.asks.Open(ctx)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(t question.Thread) bool { return !waitsIn(t, id, at) })
}

// waitsIn reports whether the ask waits for a person, in this session or below it, where the
// session was found.
func waitsIn(t question.Thread, id session.ID, at session.Origin) bool {
	mayBe := func(o session.Origin) bool { return o.MayHave(at) }
	return t.Open() && (t.Place.Root == id || t.Request.Session == id) && slices.ContainsFunc(t.Origins, mayBe)
}

// ownerWithin is how long after another OpenCode of its directory said that a session
// rests hermes waits for the one that ran its turn, if that has no end. One that works
// is back sooner: its plugin tries at least every ten seconds.
const ownerWithin = 5 * time.Minute

// staleTurn is a turn that has no end for an OpenCode which does not run it.
type staleTurn struct {
	since  time.Time // when it was first seen so; zero: it was not
	closed bool      // the OpenCode that ran it was closed, and the turn with it
}

// isUncertain reports whether a sight comes from an OpenCode that does not run the turn and
// so cannot tell whether it continues: hermes must look at the session again, for ownerWithin
// at most. Then the turn is not called stopped.
func (t *staleTurn) isUncertain(s *sight, runsAt session.Origin, now time.Time) bool {
	if t.closed || s.err != nil || s.session.Busy || !isSeenByOther(s.turn, s.route, runsAt) {
		t.since = time.Time{}
		return false
	}
	t.since = cmp.Or(t.since, now)
	s.turn.Aborted = false
	return now.Sub(t.since) < ownerWithin
}

// isSeenByOther reports whether a turn has no end, as seen by another than the one that ran it.
func isSeenByOther(t session.Turn, by route, runsAt session.Origin) bool {
	return t.Unfinished && by.Origin != runsAt
}
