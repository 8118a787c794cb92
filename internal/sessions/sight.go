package sessions

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
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
	told    []chat.ID       // of a turn that may have ended: where that was said already, as a part of an ask
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
		s.told = o.addWaits(ctx, s.route, &s.turn)
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

// addWaits adds how long the turn waited for people, and returns the chats whose cards say how it ended.
func (o observer) addWaits(ctx context.Context, at route, turn *session.Turn) (told []chat.ID) {
	found, err := o.asks.Waits(ctx, at.Origin, *turn)
	if err != nil {
		return nil // hermes ends
	}
	turn.Waited = found.For
	return found.Told
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

// Recognize says what sessions know of an input.
func (c *Controller) Recognize(in inbound.Input) inbound.Steering {
	_, about := c.targetOf(in)
	_, reply := c.repliedTo(in)
	return inbound.Steering{
		About: about, Reply: reply, Command: in.Kind == inbound.Typed && isCommand(in.Command), Home: c.chats.Home(in.Chat), Hears: c.hears,
	}
}

// unfitReason is why an input does not count, whoever it is from; nil: it may.
func (c *Controller) unfitReason(in inbound.Input) ui.Line {
	switch {
	case in.Forwarded:
		return ui.Forwarded()
	case !c.chats.Home(in.Chat):
		return ui.NotHere()
	}
	return nil
}

// targetOf says what an input is about; false: nothing of sessions. What a choice decides that
// is not made yet is about whichever session the chat uses then.
func (c *Controller) targetOf(in inbound.Input) (target, bool) {
	if in.Private && isPlain(in) && c.isChoosing(in.Chat) {
		return target{}, true
	}
	return c.namedBy(in)
}

// namedBy is targetOf by what the input says and the chat uses now. In groups other bots have
// commands too, so there only those of sessions are taken.
func (c *Controller) namedBy(in inbound.Input) (target, bool) {
	switch {
	case in.Kind == inbound.Tapped:
		var to target
		if in.Late || in.Button.Kind == inbound.ButtonLate { // no other tap is about the session of an ask
			to, _ = c.askerOf(in.Chat, storage.Key{ID: askTapped(in)})
		}
		return to, in.Button.Kind != ""
	case in.Kind != inbound.Attached && (in.Kind != inbound.Typed || in.Command == "start"):
		return target{}, false
	}
	to, isReply := c.repliedTo(in)
	chat := c.chats.settings(in.Chat)
	command := in.Kind == inbound.Typed && in.Command != "" // a caption's needs a session
	switch {
	case isReply, command && isCommand(in.Command), command && in.Private && in.ReplyTo == 0:
		return to, true
	case in.Private && chat.Session != "":
		return sessionInUse(chat), true
	}
	return target{}, false
}

// repliedTo is the session that the message belongs to which the input replies to.
func (c *Controller) repliedTo(in inbound.Input) (target, bool) {
	if in.ReplyTo == 0 {
		return target{}, false
	}
	return c.sessionOf(in.Chat, in.ReplyTo)
}

// askTapped is the ask that a tap is about whose button is on a card; empty: none.
func askTapped(in inbound.Input) question.ID { return cmp.Or(in.Thread, in.Button.Thread) }

// isCommand reports whether a command is one of Commands.
func isCommand(name string) bool { return slices.Contains(Commands(), name) }
