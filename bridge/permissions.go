package bridge

import (
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
)

// The threads of permission asks end where no single word of OpenCode proves what became of the call.

// reportedEnd is what OpenCode said of a permission ask. It proves how the ask was
// decided, and not what became of the call: every 1.x takes a decision about a call
// that was aborted meanwhile, and may carry it out or not (measured on 1.1.53 and
// 1.18.33).
type reportedEnd struct {
	kind    question.OutcomeKind // answered or dismissed
	answers question.Answers
}

// takeReportedEnd notes what OpenCode said, and has it asked whether the call still runs.
func (b *Bridge) takeReportedEnd(l *liveThread, h reportedEnd) {
	l.reported = &h
	if !b.reachable(l.Thread) && !l.maybeUnloaded() {
		b.settleReported(l, l.unseenNote())
		return
	}
	l.CheckAt, l.Delivery.Next = time.Now(), time.Time{}
	b.reconcile(l)
}

// settleReported ends the thread as OpenCode said.
func (b *Bridge) settleReported(l *liveThread, note string) {
	h := l.reported
	b.settleFor(l, question.Outcome{Kind: h.kind, Answers: h.answers, Note: note}, l.agentBusy || l.maybeSent())
}

// unseenNote is the note that goes with a rejection whose call was not seen: hermes'
// own, if it may have sent one.
func (l *liveThread) unseenNote() string {
	if l.Decision == nil || !l.maybeSent() {
		return ""
	}
	return l.Decision.Note
}

// quietLooks is the patience with a call that shows no sign of what was
// decided: about a second.
const quietLooks = 4

// takePermissionFinding acts on what OpenCode knows of a permission ask. It reports whether
// the ask is still open.
func (b *Bridge) takePermissionFinding(l *liveThread, f event.Finding) (open bool) {
	if f.Kind != event.FoundOpen && b.callAskedAgain(l) {
		b.settleGranted(l)
		return false
	}
	switch f.Kind {
	case event.FoundOpen:
		if l.reported == nil {
			l.CheckAt, l.passingLooks = time.Time{}, 0
			return true
		}
		b.lookLater(l)
	case event.FoundAnswered:
		b.settleGranted(l)
	case event.FoundDismissed:
		b.settleRefused(l, f.Note)
	case event.FoundPassing:
		b.callRuns(l)
	case event.FoundForgotten:
		b.callForgotten(l, f.WentOn)
	case event.FoundEnded:
		b.callFailed(l)
	case event.FoundStopped:
		b.callStopped(l, f.Begun)
	case event.FoundCancelled:
		b.callCancelled(l, f.Begun)
	case event.FoundDeleted:
		b.settle(l, question.Outcome{Kind: question.OutcomeDeleted})
	case event.FoundVoid:
		b.settle(l, question.Outcome{Kind: question.OutcomeVoid})
	}
	return false
}

// settleGranted: the call was let run, by this decision or by one that was not reported.
func (b *Bridge) settleGranted(l *liveThread) {
	if l.reported != nil {
		b.settleReported(l, "")
		return
	}
	b.settleFor(l, question.Outcome{Kind: question.OutcomeAnswered}, l.maybeSent())
}

// settleRefused: the call failed because somebody said no.
func (b *Bridge) settleRefused(l *liveThread, note string) {
	if l.reported != nil {
		b.settleReported(l, note)
		return
	}
	b.settleFor(l, question.Outcome{Kind: question.OutcomeDismissed, Note: note}, l.maybeSent())
}

// callAskedAgain reports whether the same call went on to ask for something else, as for
// a folder outside and then for the command. Then it was let pass here, and what the
// call tells is about the last one.
func (b *Bridge) callAskedAgain(l *liveThread) bool {
	if l.callWentOn {
		return true
	}
	for _, other := range b.threads.byID {
		same := other.Request.Session == l.Request.Session && other.Request.Message == l.Request.Message && other.Request.Call == l.Request.Call
		if other != l && same && other.WithProcessOf(l.Thread) && l.Request.Call != "" && other.Asked.After(l.Asked) {
			return true
		}
	}
	return false
}

// notePassed notes that asks of the same call were let pass, as it asks for something else
// now, and looks at what is not known of them.
func (b *Bridge) notePassed(next *liveThread) {
	for _, l := range b.threads.byID {
		if l != next && b.callAskedAgain(l) && !l.callWentOn {
			l.callWentOn = true
			if l.Outcome == nil && (l.Decision == nil || l.IsHeld()) && l.reported == nil {
				l.CheckAt = time.Now().Add(signPause)
				b.reconcile(l)
			}
		}
	}
}

// callRuns: not listed any more, and the call lives. It was let run, unless a
// rejection is just being written down.
func (b *Bridge) callRuns(l *liveThread) {
	switch {
	case l.reported != nil && l.reported.kind == question.OutcomeAnswered:
		b.settleReported(l, "")
	case l.unloaded && l.maybeUnloaded():
		b.lookLater(l) // the call is about to say why
	case l.passingLooks >= quietLooks && l.reported != nil:
		b.settleReported(l, l.unseenNote())
	case l.passingLooks >= quietLooks && l.Request.Call != "":
		b.settleGranted(l)
	default:
		b.lookLater(l)
	}
}

// callFailed: the call has ended badly, and does not say why. Of several asks of a session
// under /api a rejection drops all, and an event tells of one.
func (b *Bridge) callFailed(l *liveThread) {
	dismissed := question.Outcome{Kind: question.OutcomeDismissed, Note: l.unseenNote()}
	switch {
	case l.reported != nil:
		b.settleReported(l, l.unseenNote())
	case b.decidedAlong(l, dismissed) != nil:
		b.settleFor(l, dismissed, false)
	default:
		b.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	}
}

// callForgotten: not listed, and nothing works on the call. A decision that OpenCode
// took came too late then.
func (b *Bridge) callForgotten(l *liveThread, wentOn bool) {
	unseen := l.Request.Call == "" || l.Request.Message == "" // as of a doom_loop: nothing more can be read
	switch {
	case unseen && l.reported != nil:
		b.settleReported(l, l.unseenNote())
	case unseen:
		b.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	case l.reported != nil && !l.maybeUnloaded():
		b.callStopped(l, false)
	default:
		b.settle(l, question.Outcome{Kind: question.OutcomeRestarted, WentOn: wentOn})
	}
}

// callCancelled: the call was interrupted, by a refusal or with its turn. A refusal is
// reported, and so is that it was let run before; an interrupt of what waits is not.
func (b *Bridge) callCancelled(l *liveThread, begun bool) {
	refused := question.Outcome{Kind: question.OutcomeDismissed, Note: l.unseenNote()}
	switch {
	case l.unloaded && l.maybeUnloaded():
		b.lookLater(l) // the call is about to say why
	case l.reported != nil && l.reported.kind == question.OutcomeDismissed:
		b.settleReported(l, l.unseenNote())
	case l.reported == nil && l.refusalTaken():
		b.settleFor(l, refused, true)
	case l.reported == nil && b.decidedAlong(l, refused) != nil:
		b.settleFor(l, refused, false)
	default:
		b.callStopped(l, begun)
	}
}

// callStopped: the session was stopped. What had been let run may have run by then.
func (b *Bridge) callStopped(l *liveThread, begun bool) {
	begun = begun || l.reported != nil && l.reported.kind == question.OutcomeAnswered
	b.settle(l, question.Outcome{Kind: question.OutcomeStopped, Begun: begun})
}
