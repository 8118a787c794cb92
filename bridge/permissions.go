package bridge

import (
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
)

// permissions ends the threads of permission asks, where no single word of OpenCode proves
// what became of the call.
type permissions struct {
	*engine
	agents   *agents
	outcomes *outcomes
}

// reportedEnd is what OpenCode said of a permission ask. It proves how the ask was
// decided, and not what became of the call: every 1.x takes a decision about a call
// that was aborted meanwhile, and may carry it out or not (measured on 1.1.53 and
// 1.18.33).
type reportedEnd struct {
	kind    question.OutcomeKind // answered or dismissed
	answers question.Answers
}

// takeReportedEnd notes what OpenCode said, and has it asked whether the call still runs.
func (pm *permissions) takeReportedEnd(l *liveThread, h reportedEnd) {
	l.reported = &h
	if !pm.agents.reachable(l.Thread) && !l.maybeUnloaded() {
		pm.settleReported(l, l.unseenNote())
		return
	}
	l.CheckAt, l.Delivery.Next = time.Now(), time.Time{}
	pm.reconcile(l)
}

// settleReported ends the thread as OpenCode said.
func (pm *permissions) settleReported(l *liveThread, note string) {
	h := l.reported
	pm.outcomes.settleFor(l, question.Outcome{Kind: h.kind, Answers: h.answers, Note: note}, l.agentBusy || l.maybeSent())
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

// takeFinding acts on what OpenCode knows of a permission ask. It reports whether
// the ask is still open.
func (pm *permissions) takeFinding(l *liveThread, f event.Finding) (open bool) {
	if f.Kind != event.FoundOpen && pm.callAskedAgain(l) {
		pm.settleGranted(l)
		return false
	}
	switch f.Kind {
	case event.FoundOpen:
		if l.reported == nil {
			l.CheckAt, l.passingLooks = time.Time{}, 0
			return true
		}
		pm.outcomes.lookLater(l)
	case event.FoundAnswered:
		pm.settleGranted(l)
	case event.FoundDismissed:
		pm.settleRefused(l, f.Note)
	case event.FoundPassing:
		pm.callRuns(l)
	case event.FoundForgotten:
		pm.callForgotten(l, f.WentOn)
	case event.FoundEnded:
		pm.callFailed(l)
	case event.FoundStopped:
		pm.callStopped(l, f.Begun)
	case event.FoundCancelled:
		pm.callCancelled(l, f.Begun)
	case event.FoundDeleted:
		pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeDeleted})
	case event.FoundVoid:
		pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeVoid})
	}
	return false
}

// settleGranted: the call was let run, by this decision or by one that was not reported.
func (pm *permissions) settleGranted(l *liveThread) {
	if l.reported != nil {
		pm.settleReported(l, "")
		return
	}
	pm.outcomes.settleFor(l, question.Outcome{Kind: question.OutcomeAnswered}, l.maybeSent())
}

// settleRefused: the call failed because somebody said no.
func (pm *permissions) settleRefused(l *liveThread, note string) {
	if l.reported != nil {
		pm.settleReported(l, note)
		return
	}
	pm.outcomes.settleFor(l, question.Outcome{Kind: question.OutcomeDismissed, Note: note}, l.maybeSent())
}

// callAskedAgain reports whether the same call went on to ask for something else, as for
// a folder outside and then for the command. Then it was let pass here, and what the
// call tells is about the last one.
func (pm *permissions) callAskedAgain(l *liveThread) bool {
	if l.callWentOn {
		return true
	}
	for _, other := range pm.threads.byID {
		same := other.Request.Session == l.Request.Session && other.Request.Message == l.Request.Message && other.Request.Call == l.Request.Call
		if other != l && same && other.WithProcessOf(l.Thread) && l.Request.Call != "" && other.Asked.After(l.Asked) {
			return true
		}
	}
	return false
}

// notePassed notes that asks of the same call were let pass, as it asks for something else
// now, and looks at what is not known of them.
func (pm *permissions) notePassed(next *liveThread) {
	for _, l := range pm.threads.byID {
		if l != next && pm.callAskedAgain(l) && !l.callWentOn {
			l.callWentOn = true
			if l.Outcome == nil && (l.Decision == nil || l.IsHeld()) && l.reported == nil {
				l.CheckAt = time.Now().Add(signPause)
				pm.reconcile(l)
			}
		}
	}
}

// callRuns: not listed any more, and the call lives. It was let run, unless a
// rejection is just being written down.
func (pm *permissions) callRuns(l *liveThread) {
	switch {
	case l.reported != nil && l.reported.kind == question.OutcomeAnswered:
		pm.settleReported(l, "")
	case l.unloaded && l.maybeUnloaded():
		pm.outcomes.lookLater(l) // the call is about to say why
	case l.passingLooks >= quietLooks && l.reported != nil:
		pm.settleReported(l, l.unseenNote())
	case l.passingLooks >= quietLooks && l.Request.Call != "":
		pm.settleGranted(l)
	default:
		pm.outcomes.lookLater(l)
	}
}

// callFailed: the call has ended badly, and does not say why. Of several asks of a session
// under /api a rejection drops all, and an event tells of one.
func (pm *permissions) callFailed(l *liveThread) {
	dismissed := question.Outcome{Kind: question.OutcomeDismissed, Note: l.unseenNote()}
	switch {
	case l.reported != nil:
		pm.settleReported(l, l.unseenNote())
	case pm.outcomes.decidedAlong(l, dismissed) != nil:
		pm.outcomes.settleFor(l, dismissed, false)
	default:
		pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	}
}

// callForgotten: not listed, and nothing works on the call. A decision that OpenCode
// took came too late then.
func (pm *permissions) callForgotten(l *liveThread, wentOn bool) {
	unseen := l.Request.Call == "" || l.Request.Message == "" // as of a doom_loop: nothing more can be read
	switch {
	case unseen && l.reported != nil:
		pm.settleReported(l, l.unseenNote())
	case unseen:
		pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	case l.reported != nil && !l.maybeUnloaded():
		pm.callStopped(l, false)
	default:
		pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeRestarted, WentOn: wentOn})
	}
}

// callCancelled: the call was interrupted, by a refusal or with its turn. A refusal is
// reported, and so is that it was let run before; an interrupt of what waits is not.
func (pm *permissions) callCancelled(l *liveThread, begun bool) {
	refused := question.Outcome{Kind: question.OutcomeDismissed, Note: l.unseenNote()}
	switch {
	case l.unloaded && l.maybeUnloaded():
		pm.outcomes.lookLater(l) // the call is about to say why
	case l.reported != nil && l.reported.kind == question.OutcomeDismissed:
		pm.settleReported(l, l.unseenNote())
	case l.reported == nil && l.refusalTaken():
		pm.outcomes.settleFor(l, refused, true)
	case l.reported == nil && pm.outcomes.decidedAlong(l, refused) != nil:
		pm.outcomes.settleFor(l, refused, false)
	default:
		pm.callStopped(l, begun)
	}
}

// callStopped: the session was stopped. What had been let run may have run by then.
func (pm *permissions) callStopped(l *liveThread, begun bool) {
	begun = begun || l.reported != nil && l.reported.kind == question.OutcomeAnswered
	pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeStopped, Begun: begun})
}
