package bridge

import (
	"slices"
	"strings"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/storage"
)

// How a request ended and by whose decision is told from what OpenCode says or knows of it, and from what
// hermes has sent.

// maxPassingLooks bounds how often a request may be found neither open nor ended, at
// growing intervals, before hermes says that it does not know: some two minutes.
const maxPassingLooks = 24

// maybeSent reports whether OpenCode may have got the decision from hermes.
func (l *liveThread) maybeSent() bool { return l.Delivery.Made > 0 }

// settleFor tells hermes' own decision from one made at OpenCode. With equal
// answers from both it is hermes' own, if hermes may have sent it.
func (b *Bridge) settleFor(l *liveThread, o question.Outcome, sent bool) {
	o.By = question.Actor{Kind: question.OpenCode, Token: b.access.tokenName(l.LastOrigin())}
	if sent && !l.IsHeld() && l.isDecisionOf(o) {
		o.By, o.Answers, o.Note = l.Decision.By, l.Decision.Answers, l.Decision.Note
	} else if other := b.decidedAlong(l, o); other != nil {
		o.By, o.Along = other.Decision.By, other.ID
	}
	b.settle(l, o)
}

// isDecisionOf reports whether the thread's decision is what the outcome is.
func (l *liveThread) isDecisionOf(o question.Outcome) bool {
	d := l.Decision
	if d == nil || d.Reject != (o.Kind == question.OutcomeDismissed) {
		return false
	}
	if d.Reject {
		return strings.TrimSpace(d.Note) == strings.TrimSpace(o.Note)
	}
	unsaid := l.Request.Permission != nil && o.Answers == nil && !l.Delivery.SentAt.IsZero()
	return unsaid || d.Answers.Equal(o.Answers)
}

// settle ends a thread. From here on only its messages are owed.
func (b *Bridge) settle(l *liveThread, o question.Outcome) {
	o.At = time.Now()
	if o.By.Kind != question.OpenCode && l.Decision != nil && o.By == l.Decision.By {
		o.At = l.Decision.At
	}
	l.Outcome = &o
	l.Said = "" // no card shows it any more
	l.CheckAt = time.Time{}
	l.Rev++
	b.log.Info("settled", "question", l.ID, "outcome", string(o.Kind), "by", string(o.By.Kind))
	shown := l
	if leader := b.threads.byID[l.Leader]; leader != nil {
		shown = leader
	}
	b.waits.note(l.Thread, shown.Thread)
	b.saveThread(l, storage.Entry{Kind: entryFor(o), By: o.By, Answers: o.Answers, Note: o.Note, Detail: string(o.Kind)})
	b.leaveGroup(l)
	if o.Kind == question.OutcomeDeleted && l.Request.Session == l.Place.Root {
		b.forum.SessionEnded(l.LastOrigin(), l.Place.Root)
	}
	b.reconcile(l)
}

func entryFor(o question.Outcome) storage.EntryKind {
	switch {
	case !o.Kind.Decided():
		return storage.EntryFailed
	case o.By.Kind == question.OpenCode:
		return storage.EntryElsewhere
	}
	return storage.EntryConfirmed
}

// takeQuestionFinding acts on what OpenCode knows of a request, for a thread that hermes has not
// just sent anything for. It reports whether the request is still open.
func (b *Bridge) takeQuestionFinding(l *liveThread, f event.Finding) (open bool) {
	if f.Kind != event.FoundPassing {
		l.passingLooks = 0
	}
	switch f.Kind {
	case event.FoundOpen:
		l.CheckAt = time.Time{}
		return true
	case event.FoundAnswered:
		b.settleFor(l, question.Outcome{Kind: question.OutcomeAnswered, Answers: f.Answers}, l.maybeSent())
	case event.FoundDismissed:
		b.settleFor(l, question.Outcome{Kind: question.OutcomeDismissed}, l.maybeSent())
	case event.FoundStopped:
		b.settle(l, question.Outcome{Kind: question.OutcomeStopped})
	case event.FoundCancelled:
		if l.unloaded && !l.refusalTaken() {
			b.lookLater(l) // its call is about to say why
			return false
		}
		b.settleCancelled(l)
	case event.FoundDeleted:
		b.settle(l, question.Outcome{Kind: question.OutcomeDeleted})
	case event.FoundForgotten:
		b.settle(l, question.Outcome{Kind: question.OutcomeRestarted, WentOn: f.WentOn})
	case event.FoundVoid, event.FoundEnded: // the latter of permission asks only
		b.settle(l, question.Outcome{Kind: question.OutcomeVoid})
	case event.FoundGone:
		b.settleGone(l, f.Start)
	case event.FoundPassing:
		b.lookLater(l)
	}
	return false
}

// settleCancelled ends the thread of a question that was cancelled. Of hermes' own dismissal it
// is known that it was that, as OpenCode took it; of anybody else's if the end of the turn said so.
func (b *Bridge) settleCancelled(l *liveThread) {
	if l.refusalTaken() || l.declined {
		b.settleFor(l, question.Outcome{Kind: question.OutcomeDismissed}, l.maybeSent())
		return
	}
	b.settle(l, question.Outcome{Kind: question.OutcomeStopped})
}

// settleGone ends the thread of a form of which OpenCode has nothing any more. If hermes heard it wait
// at another start of OpenCode, it ended with that, as asks do not outlive one. What was answered while
// hermes itself was down, or could not reach OpenCode for longer than a start takes, cannot be told from that, and then it
// is not known; nor is it if OpenCode may have got hermes' answer.
func (b *Bridge) settleGone(l *liveThread, start string) {
	kind := question.OutcomeUnknown
	if l.start != "" && start != "" && l.start != start && !l.maybeSent() {
		kind = question.OutcomeRestarted
	}
	b.settle(l, question.Outcome{Kind: kind})
}

// refusalTaken reports whether OpenCode said that it took a dismissal or refusal of hermes.
// That proves it only where OpenCode takes one reply and no more (OpenCode 2).
func (l *liveThread) refusalTaken() bool {
	return l.Decision != nil && l.Decision.Reject && !l.Delivery.SentAt.IsZero()
}

// maybeUnloaded reports whether the rejection that was reported may be OpenCode's own, as it unloads the directory.
func (l *liveThread) maybeUnloaded() bool {
	isRejection := l.reported != nil && l.reported.kind == question.OutcomeDismissed
	return isRejection && l.Request.Protocol.Unloads() && !l.refusalTaken()
}

// lookLater looks again soon, and gives up at last.
func (b *Bridge) lookLater(l *liveThread) {
	l.passingLooks++
	if l.passingLooks > maxPassingLooks {
		kind := question.OutcomeUnknown
		if l.unloaded {
			kind = question.OutcomeRestarted
		}
		b.settle(l, question.Outcome{Kind: kind})
		return
	}
	next := time.Now().Add(retry.Backoff(l.passingLooks, 100*time.Millisecond, 8*time.Second))
	l.CheckAt, l.Delivery.Next = next, next
}

// decidedAlong finds the decision about another ask of the same session that settled this
// one as well: OpenCode rejects all of a session's asks together, and what is always
// allowed is not asked for any more.
func (b *Bridge) decidedAlong(l *liveThread, o question.Outcome) *liveThread {
	if l.Request.Permission == nil || l.Request.Session == "" {
		return nil
	}
	for _, other := range b.recentDecisions() {
		d := other.Decision
		if other == l || d == nil || other.Request.Permission == nil || !other.mayHaveSettled(l) || other.wasOvertaken() {
			continue
		}
		if !other.maybeSent() && !other.offered.Load() {
			continue // OpenCode cannot have it
		}
		always := other.allowsAlways(l) && o.Answers.Equal(d.Answers)
		if d.Reject && o.Kind == question.OutcomeDismissed || always && o.Kind == question.OutcomeAnswered {
			return other
		}
	}
	return nil
}

// allowsAlways reports whether l's decision always allows what the other ask may be settled by.
func (l *liveThread) allowsAlways(other *liveThread) bool {
	always := !l.Decision.Reject && l.Decision.Answers.Equal(question.Answers{{question.Always}})
	return always && l.Request.Permission.MayCover(*other.Request.Permission)
}

// rememberFor is how long a decision is remembered after its thread was retired, as it may have settled
// other asks: OpenCode tells of those in the same moment, on another connection.
const rememberFor = time.Minute

// rememberDecision keeps a decision about a permission beyond its thread, and forgets older ones: nobody may ever look for them.
func (b *Bridge) rememberDecision(l *liveThread) {
	b.forgetOldDecisions()
	if l.Request.Permission != nil && l.Decision != nil {
		b.decided = append(b.decided, l)
	}
}

// recentDecisions lists the threads whose decision may have settled another ask.
func (b *Bridge) recentDecisions() []*liveThread {
	b.forgetOldDecisions()
	list := slices.Clone(b.decided)
	for _, l := range b.threads.byID {
		list = append(list, l)
	}
	return list
}

func (b *Bridge) forgetOldDecisions() {
	b.decided = slices.DeleteFunc(b.decided, func(l *liveThread) bool { return time.Since(l.Decision.At) > rememberFor })
}

// wasOvertaken reports whether something else came before the thread's decision.
func (l *liveThread) wasOvertaken() bool {
	switch {
	case l.Outcome != nil:
		return l.Outcome.By != l.Decision.By
	case l.reported != nil:
		return l.Decision.Reject != (l.reported.kind == question.OutcomeDismissed)
	}
	return false
}

// mayHaveSettled reports whether l's decision may have reached OpenCode while the other ask
// of the same session waited there.
func (l *liveThread) mayHaveSettled(other *liveThread) bool {
	sent := l.Delivery.SentAt
	waited := sent.IsZero() && l.agentBusy || !sent.IsZero() && other.Asked.Before(sent)
	return waited && other.Request.Session == l.Request.Session && other.WithProcessOf(l.Thread)
}
