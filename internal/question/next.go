package question

import (
	"time"

	"hermes/internal/retry"
)

// StepKind is the closed set of things that hermes does for a thread.
type StepKind string

const (
	Show    StepKind = "show"     // post the card
	Refresh StepKind = "refresh"  // edit the card to what is so now
	Boxes   StepKind = "boxes"    // send or remove a reply box
	Remind  StepKind = "remind"   // reply to the card, with sound
	Release StepKind = "release"  // a claim has run out
	Widen   StepKind = "widen"    // nobody has answered: further chats get it
	Resolve StepKind = "resolve"  // find the request id of a captured tool call
	Check   StepKind = "check"    // ask OpenCode whether it still waits
	Deliver StepKind = "deliver"  // send the decision
	Confirm StepKind = "confirm"  // find the proof that the decision arrived
	EndHold StepKind = "end-hold" // the time to take the decision back is over
	Expire  StepKind = "expire"   // the deadline has come
	GiveUp  StepKind = "give-up"  // OpenCode never came back
	Retire  StepKind = "retire"   // every message tells the end: nothing is owed any more
)

// awayFor is how long a thread is kept for an OpenCode that cannot be reached.
const awayFor = 24 * time.Hour

// refusedFor is how long a chat that takes nothing may come back to see how a question ended.
const refusedFor = 24 * time.Hour

// patience is how long a decision may be on its way before the cards say so.
const patience = time.Second

// Step is one thing to do.
type Step struct {
	Kind StepKind
	Card int // index of the card, for Show, Refresh and Boxes; else -1
}

// Next says what hermes owes the thread at the time now, and when to ask again:
// the earliest time at which something becomes due that is not due yet, or zero
// when only an event can bring that. Steps that do not depend on one another are
// returned together. It is the whole of the reconcile decision: the same at
// start-up as at any other time.
func (t Thread) Next(now time.Time) ([]Step, time.Time) {
	d := due{now: now}
	if t.Settled() {
		t.retire(&d)
		return d.steps, d.wake
	}
	t.agent(&d)
	t.hold(&d)
	t.cards(&d)
	t.boxes(&d)
	t.clock(&d)
	return d.steps, d.wake
}

// due collects steps and the earliest time of those that are not due yet.
type due struct {
	now   time.Time
	wake  time.Time
	steps []Step
}

func (d *due) at(when time.Time, kind StepKind, card int) {
	switch {
	case !when.After(d.now):
		d.steps = append(d.steps, Step{kind, card})
	case d.wake.IsZero() || when.Before(d.wake):
		d.wake = when
	}
}

// agent adds what is owed to OpenCode. Nothing can be done there while away.
func (t Thread) agent(d *due) {
	switch {
	case t.Away && t.Decision != nil:
		d.at(retry.Later(t.AwaySince, t.Decision.At).Add(awayFor), GiveUp, -1)
	case t.Away:
		d.at(t.AwaySince.Add(awayFor), GiveUp, -1)
	case t.Request.ID == "":
		d.at(t.Resolving.Next, Resolve, -1)
	case (t.Decision == nil || t.IsHeld()) && !t.CheckAt.IsZero():
		d.at(t.CheckAt, Check, -1)
	case t.IsHeld(): // nothing of it is sent
	case t.Decision != nil && t.Delivery.SentAt.IsZero():
		d.at(t.Delivery.Next, Deliver, -1)
	case t.Decision != nil:
		d.at(t.Delivery.Next, Confirm, -1)
	}
}

// hold adds the end of a hold, whether OpenCode can be reached or not.
func (t Thread) hold(d *due) {
	if t.IsHeld() {
		d.at(t.Held.Until, EndHold, -1)
	}
}

// cards adds what is owed to the chats of an unsettled thread.
func (t Thread) cards(d *due) {
	for i, c := range t.Cards {
		switch {
		case t.lacks(i):
			d.at(retry.Later(t.ShowAt, c.Tries.Next), Show, i)
		case c.isStale(t):
			d.at(retry.Later(c.Tries.Next, t.saySending()), Refresh, i)
		}
	}
}

// saySending is when the cards may say that the decision is on its way: most are
// confirmed before anybody could read it, also where OpenCode was away.
func (t Thread) saySending() time.Time {
	if t.Decision == nil || t.Away || t.IsHeld() {
		return time.Time{}
	}
	return retry.Later(t.OwedSince(), t.AwaySince).Add(patience)
}

// clock adds what time alone brings to a thread that somebody can answer. What nobody
// could see does not expire; that nobody could is one more reason to ask further chats.
func (t Thread) clock(d *due) {
	if !t.Open() {
		return
	}
	if t.Shown() && !t.Deadline.IsZero() && !t.Expired {
		d.at(t.Deadline, Expire, -1)
		if !t.Deadline.After(d.now) {
			return // it is too late to remind anybody of what ends now
		}
	}
	if len(t.Escalations) > 0 {
		d.at(t.Escalations[0].At, Widen, -1)
	}
	if !t.Shown() {
		return
	}
	if len(t.RemindAt) > 0 {
		d.at(t.RemindAt[0], Remind, -1)
	}
	if t.Claim != nil {
		d.at(t.Claim.Until, Release, -1)
	}
}

// retire adds the last edits, and the farewell when none is left. What was never
// shown needs no end on screen, unless it is announced. A chat that takes nothing is tried
// for a day.
func (t Thread) retire(d *due) {
	owed, farewell := t.boxes(d), d.now
	for i, c := range t.Cards {
		stale := c.isStale(t)
		if !stale && !t.lacks(i) {
			continue
		}
		if c.Refused == "" {
			owed = true
		} else {
			farewell = t.Outcome.At.Add(refusedFor)
		}
		if stale {
			d.at(c.Tries.Next, Refresh, i)
		} else {
			d.at(c.Tries.Next, Show, i)
		}
	}
	switch {
	case owed:
	case farewell.After(d.now):
		d.at(farewell, Retire, -1)
	default:
		*d = due{now: d.now, steps: []Step{{Retire, -1}}}
	}
}

// Leave notes that no origin can be reached from now on.
func (t *Thread) Leave(now time.Time) { t.Away, t.AwaySince = true, now }

// Return notes that an origin can be reached again.
func (t *Thread) Return(now time.Time) { t.Away, t.AwaySince = false, now }

// Postpone gives people and OpenCode at least until then, after hermes was down:
// what they have done meanwhile is still to be heard.
func (t *Thread) Postpone(until time.Time) {
	if t.Open() && !t.Deadline.IsZero() && t.Deadline.Before(until) {
		t.Deadline = until
	}
	for i, e := range t.Escalations {
		t.Escalations[i].At = retry.Later(e.At, until)
	}
	if t.AwaySince.Add(awayFor).Before(until) {
		t.AwaySince = until.Add(-awayFor)
	}
}
