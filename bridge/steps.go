package bridge

import (
	"context"
	"time"

	"hermes/internal/question"
	"hermes/internal/retry"
)

// confirmAfter is when hermes looks for the proof itself, if no event brought it.
const confirmAfter = 150 * time.Millisecond

// reconcile starts what the thread needs now and is not under way, and sees to it
// that it is asked again when the next thing becomes due.
func (b *Bridge) reconcile(l *live) {
	if !b.loop.Running() || b.threads.byID[l.ID] != l {
		return
	}
	steps, _ := l.Next(time.Now())
	for _, s := range steps {
		b.start(l, s)
	}
	if b.threads.byID[l.ID] != l {
		return // retired
	}
	_, wake := l.Next(time.Now()) // a step may have changed it
	l.stopTimer()
	if !wake.IsZero() {
		l.timer = b.loop.After(time.Until(wake), func() { b.reconcile(l) })
	}
}

func (b *Bridge) start(l *live, s question.Step) {
	switch s.Kind {
	case question.Show, question.Refresh:
		b.display.showCard(l, s.Card)
	case question.Seek:
		b.copies.search(l, s.Card)
	case question.Boxes:
		b.boxes.sendDue(l, s.Card)
	case question.Remind:
		b.deadlines.remind(l)
	case question.Release:
		b.deadlines.endClaim(l)
	case question.Widen:
		b.deadlines.escalate(l)
	case question.Resolve:
		b.withAgent(l, b.resolve)
	case question.Check:
		b.withAgent(l, b.check)
	case question.Deliver:
		if l.Request.Admission != nil {
			b.admit(l)
			return
		}
		b.begin(l)
		if l.heard != nil {
			b.withAgent(l, b.check)
			return
		}
		b.withAgent(l, b.deliver)
	case question.Confirm:
		b.withAgent(l, b.check)
	case question.Expire:
		b.deadlines.expire(l)
	case question.GiveUp:
		b.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	case question.Retire:
		b.retire(l)
	}
}

// withAgent runs a step beside the loop, one at a time for a thread. The step
// returns what is to be done in the loop with its result.
func (b *Bridge) withAgent(l *live, step func(context.Context, Agent, *live, question.Thread) func()) {
	agent, ok := b.agents.reaching(l.Thread)
	if l.agent || !ok {
		return
	}
	l.agent = true
	t := l.Clone()
	b.loop.Beside(func(ctx context.Context) func() {
		result := step(ctx, agent, l, t)
		return func() {
			l.agent = false
			if l.Outcome == nil {
				failed := l.failed
				if result(); l.failed == failed {
					l.failed = 0
				}
			}
			b.reconcile(l)
		}
	})
}

// check asks OpenCode whether the request still waits.
func (b *Bridge) check(ctx context.Context, a Agent, l *live, t question.Thread) func() {
	f, err := a.Look(ctx, t.Request)
	return func() {
		switch {
		case err != nil:
			b.trouble(l, "look", err)
		case b.found(l, f) && !l.Delivery.SentAt.IsZero():
			b.again(l) // sent, and yet it waits: the reply did nothing
		}
	}
}

// resolve finds the request id of a captured call. A call that cannot be found
// any more, or never became a question, ends the thread.
func (b *Bridge) resolve(ctx context.Context, a Agent, l *live, t question.Thread) func() {
	r, ok, err := a.Resolve(ctx, t.Request)
	var f question.Finding
	if err == nil && !ok {
		f, err = a.Look(ctx, t.Request)
	}
	return func() {
		switch {
		case err != nil:
			b.trouble(l, "resolve", err)
		case l.Request.ID != "": // an event was faster
		case ok && (b.threads.ofRequest(l.LastOrigin(), r.ID) != nil || b.spokenFor(l.LastOrigin(), r)):
			b.settle(l, question.Outcome{Kind: question.OutcomeVoid}) // it has a thread of its own
		case ok:
			b.resolved(l, r)
		default:
			b.unresolvable(l, f)
		}
	}
}

func (b *Bridge) unresolvable(l *live, f question.Finding) {
	l.Resolving.Made++
	l.Resolving.Next = time.Now().Add(b.config.ResolveInterval)
	switch {
	case f.Kind != question.FoundPassing && f.Kind != question.FoundForgotten:
		b.found(l, f)
	case l.Resolving.Made >= b.config.ResolveAttempts && !l.Shown():
		b.settle(l, question.Outcome{Kind: question.OutcomeVoid})
	case l.Resolving.Made >= b.config.ResolveAttempts:
		l.Resolving.Next = time.Now().Add(retry.Backoff(l.Resolving.Made-b.config.ResolveAttempts+1, time.Second, time.Minute))
	}
}

// begin notes that OpenCode may have the decision from now on, if that is not noted
// yet. Without it, an equal answer given at OpenCode could pass for hermes' own
// after a crash; so much is not worth holding the answer back.
func (b *Bridge) begin(l *live) {
	if !l.Delivery.Begun && b.agents.reachable(l.Thread) {
		l.Delivery.Begun = true
		b.records.keep(l)
	}
}

// deliver sends the decision, if the request still waits. It is looked at first,
// and what follows is proven by looking again: OpenCode's word for success is none.
func (b *Bridge) deliver(ctx context.Context, a Agent, l *live, t question.Thread) func() {
	f, err := a.Look(ctx, t.Request)
	if err != nil {
		return func() { b.trouble(l, "look", err) }
	}
	if f.Kind != question.FoundOpen {
		return func() { b.found(l, f) }
	}
	l.offered.Store(true)
	if t.Decision.Reject {
		err = a.Reject(ctx, t.Request, t.Decision.Note)
	} else {
		err = a.Reply(ctx, t.Request, t.Decision.Answers)
	}
	return func() { b.sent(l, err) }
}

// sent notes that OpenCode took the decision, or that it may have: then the next
// try looks first, and finds out.
func (b *Bridge) sent(l *live, err error) {
	if err != nil {
		l.Delivery.Made++
		b.trouble(l, "deliver", err)
		return
	}
	l.Delivery.Made++
	l.Delivery.SentAt = time.Now()
	l.Delivery.Next = l.Delivery.SentAt.Add(confirmAfter)
	b.records.keep(l, question.Entry{Kind: question.EntryDelivered, By: l.Decision.By})
}

// again delivers once more what OpenCode said it took and did not.
func (b *Bridge) again(l *live) {
	l.Delivery.SentAt = time.Time{}
	l.Delivery.Next = time.Now().Add(retry.Backoff(l.Delivery.Made, 100*time.Millisecond, 15*time.Second))
	b.records.keep(l)
}

// trouble notes that the agent could not be asked, and when to try again.
func (b *Bridge) trouble(l *live, op string, err error) {
	b.log.Debug("OpenCode did not answer", "question", l.ID, "op", op, "err", err)
	l.failed++
	next := time.Now().Add(retry.Backoff(l.failed, 250*time.Millisecond, 15*time.Second))
	l.Resolving.Next, l.Delivery.Next = next, next
	if !l.CheckAt.IsZero() {
		l.CheckAt = next
	}
}
