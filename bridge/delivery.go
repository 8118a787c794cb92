package bridge

import (
	"context"
	"errors"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/storage"
)

// Decisions are brought to OpenCode, and it is asked what it knows of a request. At most
// one such step runs for a thread.

// noteResolved notes the request of a captured call.
func (b *Bridge) noteResolved(l *liveThread, r question.Request) {
	l.Request = r
	b.threads.index(l)
	b.saveThread(l, storage.Entry{Kind: storage.EntryResolved})
	b.applyRule(l)
	b.followRules(l)
}

// runStep runs a step beside the loop, one at a time for a thread. The step
// returns what to do in the loop with its result.
func (b *Bridge) runStep(l *liveThread, step func(context.Context, Agent, *liveThread, question.Thread) func()) {
	agent, ok := b.reaching(l.Thread)
	if l.agentBusy || !ok {
		return
	}
	l.agentBusy = true
	t := l.Clone()
	b.loop.Beside(func(ctx context.Context) func() {
		result := step(ctx, agent, l, t)
		return func() {
			l.agentBusy = false
			if l.Outcome == nil {
				failed := l.failedSteps
				if result(); l.failedSteps == failed {
					l.failedSteps = 0
				}
			}
			b.reconcile(l)
		}
	})
}

// check asks OpenCode whether the request still waits.
func (b *Bridge) check(ctx context.Context, a Agent, l *liveThread, t question.Thread) func() {
	f, err := a.Look(ctx, t.Request)
	return func() {
		switch {
		case err != nil:
			b.noteTrouble(l, "look", err)
		case b.takeFinding(l, f) && !l.Delivery.SentAt.IsZero():
			b.deliverAgain(l) // sent, and yet it waits: the reply did nothing
		}
	}
}

// takeFinding acts on what OpenCode knows of a request, for a thread that hermes has not
// just sent anything for. It reports whether the request is still open.
func (b *Bridge) takeFinding(l *liveThread, f event.Finding) (open bool) {
	if l.Request.Permission != nil {
		return b.takePermissionFinding(l, f)
	}
	return b.takeQuestionFinding(l, f)
}

// resolve finds the request id of a captured call. A call that cannot be found
// any more, or never became a question, ends the thread.
func (b *Bridge) resolve(ctx context.Context, a Agent, l *liveThread, t question.Thread) func() {
	r, ok, err := a.Resolve(ctx, t.Request)
	var f event.Finding
	if err == nil && !ok {
		f, err = a.Look(ctx, t.Request)
	}
	return func() {
		switch {
		case err != nil:
			b.noteTrouble(l, "resolve", err)
		case l.Request.ID != "": // an event was faster
		case ok && b.threads.ofRequest(l.LastOrigin(), r.ID) != nil:
			b.settle(l, question.Outcome{Kind: question.OutcomeVoid}) // it has a thread of its own
		case ok:
			b.noteResolved(l, r)
		default:
			b.noteUnresolved(l, f)
		}
	}
}

// noteUnresolved notes that a captured call has no request yet, and ends the thread if it
// will have none.
func (b *Bridge) noteUnresolved(l *liveThread, f event.Finding) {
	l.Resolving.Made++
	l.Resolving.Next = time.Now().Add(b.config.ResolveInterval)
	switch {
	case f.Kind != event.FoundPassing && f.Kind != event.FoundForgotten:
		b.takeFinding(l, f)
	case l.Resolving.Made >= b.config.ResolveAttempts && !l.Shown():
		b.settle(l, question.Outcome{Kind: question.OutcomeVoid})
	case l.Resolving.Made >= b.config.ResolveAttempts:
		l.Resolving.Next = time.Now().Add(retry.Backoff(l.Resolving.Made-b.config.ResolveAttempts+1, time.Second, time.Minute))
	}
}

// markBegun notes that OpenCode may have the decision from now on, if that is not noted
// yet. Without it, an equal answer given at OpenCode could pass for hermes' own
// after a crash; so much is not worth holding the answer back.
func (b *Bridge) markBegun(l *liveThread) {
	if !l.Delivery.Begun && b.reachable(l.Thread) {
		l.Delivery.Begun = true
		b.saveThread(l)
	}
}

// deliver sends the decision, if the request still waits. It looks at the request first,
// and proves the result by looking again: OpenCode's report of success proves nothing.
func (b *Bridge) deliver(ctx context.Context, a Agent, l *liveThread, t question.Thread) func() {
	f, err := a.Look(ctx, t.Request)
	if err != nil {
		return func() { b.noteTrouble(l, "look", err) }
	}
	if f.Kind != event.FoundOpen {
		return func() { b.takeFinding(l, f) }
	}
	l.offered.Store(true)
	b.log.Debug("a decision is sent", "question", t.ID, "attempt", t.Delivery.Made+1, "origin", string(t.LastOrigin().Way), "reject", t.Decision.Reject)
	if t.Decision.Reject {
		err = a.Reject(ctx, t.Request, t.Decision.Note)
	} else {
		err = a.Reply(ctx, t.Request, t.Decision.Answers)
	}
	return func() { b.noteSent(l, err) }
}

// noteSent notes that OpenCode took the decision, or that it may have: then the next
// try looks first, and finds out. What was certainly not sent is not noted: an equal answer
// given at OpenCode is not hermes' own then.
func (b *Bridge) noteSent(l *liveThread, err error) {
	var refused *question.RefusedAnswers
	if errors.As(err, &refused) {
		b.askRefusedForm(l, *refused)
		return
	}
	if err != nil {
		if wasSent(err) {
			l.Delivery.Made++
		} else {
			l.offered.Store(false)
		}
		b.noteTrouble(l, "deliver", err)
		return
	}
	l.Delivery.Made++
	l.Delivery.SentAt = time.Now()
	l.Delivery.Next = l.Delivery.SentAt.Add(confirmPause)
	b.saveThread(l, storage.Entry{Kind: storage.EntryDelivered, By: l.Decision.By})
}

// wasSent reports whether OpenCode may have got a decision in spite of the error.
func wasSent(err error) bool {
	var e interface{ OutcomeUnknown() bool }
	return !errors.As(err, &e) || e.OutcomeUnknown()
}

// deliverAgain delivers once more what OpenCode said it took and did not.
func (b *Bridge) deliverAgain(l *liveThread) {
	l.Delivery.SentAt = time.Time{}
	l.Delivery.Next = time.Now().Add(retry.Backoff(l.Delivery.Made, 100*time.Millisecond, 15*time.Second))
	b.saveThread(l)
}

// noteTrouble notes that the agent could not be asked, and when to try again.
func (b *Bridge) noteTrouble(l *liveThread, op string, err error) {
	b.log.Debug("OpenCode did not answer", "question", l.ID, "op", op, "err", err)
	l.failedSteps++
	next := time.Now().Add(retry.Backoff(l.failedSteps, 250*time.Millisecond, 15*time.Second))
	l.Resolving.Next, l.Delivery.Next = next, next
	if !l.CheckAt.IsZero() {
		l.CheckAt = next
	}
}
