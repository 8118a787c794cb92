package bridge

import (
	"strings"
	"time"

	"hermes/bridge/internal/forum"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/storage"
)

// outcomes ends threads: from what OpenCode says or knows of a request, and from what hermes
// has sent, it tells how the request ended and by whose decision.
type outcomes struct {
	*engine
	access *access
	groups *groups
	forum  *forum.Forum

	decided []*liveThread // retired threads whose decision may settle another ask
}

// maxPassingLooks bounds how often a request may be found neither open nor ended, at
// growing intervals, before hermes says that it does not know: some two minutes.
const maxPassingLooks = 24

// maybeSent reports whether OpenCode may have got the decision from hermes.
func (l *liveThread) maybeSent() bool { return l.Delivery.Made > 0 }

// settleFor tells hermes' own decision from one made at OpenCode. With equal
// answers from both it is hermes' own, if hermes may have sent it.
func (oc *outcomes) settleFor(l *liveThread, o question.Outcome, sent bool) {
	o.By = question.Actor{Kind: question.OpenCode, Token: oc.access.tokenName(l.LastOrigin())}
	if sent && !l.IsHeld() && l.isDecisionOf(o) {
		o.By, o.Answers, o.Note = l.Decision.By, l.Decision.Answers, l.Decision.Note
	} else if other := oc.decidedAlong(l, o); other != nil {
		o.By, o.Along = other.Decision.By, other.ID
	}
	oc.settle(l, o)
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
func (oc *outcomes) settle(l *liveThread, o question.Outcome) {
	o.At = time.Now()
	if o.By.Kind != question.OpenCode && l.Decision != nil && o.By == l.Decision.By {
		o.At = l.Decision.At
	}
	l.Outcome = &o
	l.Said = "" // no card shows it any more
	l.CheckAt = time.Time{}
	l.Rev++
	oc.log.Info("settled", "question", l.ID, "outcome", string(o.Kind), "by", string(o.By.Kind))
	oc.records.saveThread(l, storage.Entry{Kind: entryFor(o), By: o.By, Answers: o.Answers, Note: o.Note, Detail: string(o.Kind)})
	oc.groups.leaveGroup(l)
	if o.Kind == question.OutcomeDeleted && l.Request.Session == l.Place.Root {
		oc.forum.SessionEnded(l.LastOrigin(), l.Place.Root)
	}
	oc.reconcile(l)
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

// takeFinding acts on what OpenCode knows of a request, for a thread that hermes has not
// just sent anything for. It reports whether the request is still open.
func (oc *outcomes) takeFinding(l *liveThread, f event.Finding) (open bool) {
	if f.Kind != event.FoundPassing {
		l.passingLooks = 0
	}
	switch f.Kind {
	case event.FoundOpen:
		l.CheckAt = time.Time{}
		return true
	case event.FoundAnswered:
		oc.settleFor(l, question.Outcome{Kind: question.OutcomeAnswered, Answers: f.Answers}, l.maybeSent())
	case event.FoundDismissed:
		oc.settleFor(l, question.Outcome{Kind: question.OutcomeDismissed}, l.maybeSent())
	case event.FoundStopped:
		oc.settle(l, question.Outcome{Kind: question.OutcomeStopped})
	case event.FoundCancelled:
		oc.settleCancelled(l)
	case event.FoundDeleted:
		oc.settle(l, question.Outcome{Kind: question.OutcomeDeleted})
	case event.FoundForgotten:
		oc.settle(l, question.Outcome{Kind: question.OutcomeRestarted})
	case event.FoundVoid, event.FoundEnded: // the latter of permission asks only
		oc.settle(l, question.Outcome{Kind: question.OutcomeVoid})
	case event.FoundGone:
		oc.settleGone(l, f.Start)
	case event.FoundPassing:
		oc.lookLater(l)
	}
	return false
}

// settleCancelled ends the thread of a question that was cancelled. Of hermes' own dismissal it
// is known that it was that, as OpenCode took it; with anybody else's, as with a stop, the turn
// ended, and no more is known.
func (oc *outcomes) settleCancelled(l *liveThread) {
	if l.refusalTaken() {
		oc.settleFor(l, question.Outcome{Kind: question.OutcomeDismissed}, true)
		return
	}
	oc.settle(l, question.Outcome{Kind: question.OutcomeStopped})
}

// settleGone ends the thread of a form of which OpenCode has nothing any more. If hermes heard it wait
// at another start of OpenCode, it ended with that, as asks do not outlive one. What was answered while
// hermes itself was down, or could not reach OpenCode for longer than a start takes, cannot be told from that, and then it
// is not known; nor is it if OpenCode may have got hermes' answer.
func (oc *outcomes) settleGone(l *liveThread, start string) {
	kind := question.OutcomeUnknown
	if l.start != "" && start != "" && l.start != start && !l.maybeSent() {
		kind = question.OutcomeRestarted
	}
	oc.settle(l, question.Outcome{Kind: kind})
}

// refusalTaken reports whether OpenCode said that it took a dismissal or refusal of hermes.
// That proves it only where OpenCode takes one reply and no more (OpenCode 2).
func (l *liveThread) refusalTaken() bool {
	return l.Decision != nil && l.Decision.Reject && !l.Delivery.SentAt.IsZero()
}

// lookLater looks again soon, and gives up at last.
func (oc *outcomes) lookLater(l *liveThread) {
	l.passingLooks++
	if l.passingLooks > maxPassingLooks {
		oc.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
		return
	}
	next := time.Now().Add(retry.Backoff(l.passingLooks, 100*time.Millisecond, 8*time.Second))
	l.CheckAt, l.Delivery.Next = next, next
}
