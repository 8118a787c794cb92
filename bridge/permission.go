package bridge

import (
	"slices"
	"time"

	"hermes/internal/question"
)

// permissions ends the threads of permission asks, where no single word of OpenCode proves
// what became of the call.
type permissions struct {
	threads   *threads
	agents    *agents
	outcomes  *outcomes
	reconcile func(*live)
}

// heard is what OpenCode said of a permission ask. It proves how the ask was
// decided, and not what became of the call: every 1.x takes a decision about a call
// that was aborted meanwhile, and may carry it out or not (measured on 1.1.53 and
// 1.18.33).
type heard struct {
	kind    question.OutcomeKind // answered or dismissed
	answers question.Answers
}

// hear keeps what OpenCode said, until it is known whether the call lives.
func (pm *permissions) hear(l *live, h heard) {
	l.heard = &h
	if !pm.agents.reachable(l.Thread) {
		pm.settleHeard(l, l.unseenNote())
		return
	}
	l.CheckAt, l.Delivery.Next = time.Now(), time.Time{}
	pm.reconcile(l)
}

// settleHeard ends the thread as OpenCode said.
func (pm *permissions) settleHeard(l *live, note string) {
	h := l.heard
	pm.outcomes.settleFor(l, question.Outcome{Kind: h.kind, Answers: h.answers, Note: note}, l.agent || l.maybeSent())
}

// unseenNote is the note that goes with a rejection whose call was not seen: hermes'
// own, if it may have sent one.
func (l *live) unseenNote() string {
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
func (pm *permissions) takeFinding(l *live, f question.Finding) (open bool) {
	if f.Kind != question.FoundOpen && pm.callAskedAgain(l) {
		pm.settleGranted(l)
		return false
	}
	switch f.Kind {
	case question.FoundOpen:
		if l.heard == nil {
			l.CheckAt, l.passing = time.Time{}, 0
			return true
		}
		pm.outcomes.lookLater(l)
	case question.FoundAnswered:
		pm.settleGranted(l)
	case question.FoundDismissed:
		pm.settleRefused(l, f.Note)
	case question.FoundPassing:
		pm.callRuns(l)
	case question.FoundForgotten:
		pm.callForgotten(l)
	case question.FoundEnded:
		pm.callFailed(l)
	case question.FoundStopped:
		pm.callStopped(l, f.Begun)
	case question.FoundDeleted:
		pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeDeleted})
	case question.FoundVoid:
		pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeVoid})
	}
	return false
}

// settleGranted: the call was let run, by this decision or by one that nobody told of.
func (pm *permissions) settleGranted(l *live) {
	if l.heard != nil {
		pm.settleHeard(l, "")
		return
	}
	pm.outcomes.settleFor(l, question.Outcome{Kind: question.OutcomeAnswered}, l.maybeSent())
}

// settleRefused: the call failed because somebody said no.
func (pm *permissions) settleRefused(l *live, note string) {
	if l.heard != nil {
		pm.settleHeard(l, note)
		return
	}
	pm.outcomes.settleFor(l, question.Outcome{Kind: question.OutcomeDismissed, Note: note}, l.maybeSent())
}

// callAskedAgain reports whether the same call went on to ask for something else, as for
// a folder outside and then for the command. Then it was let pass here, and what the
// call tells is about the last one.
func (pm *permissions) callAskedAgain(l *live) bool {
	if l.passed {
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
func (pm *permissions) notePassed(next *live) {
	for _, l := range pm.threads.byID {
		if l != next && pm.callAskedAgain(l) && !l.passed {
			l.passed = true
			if l.Outcome == nil && l.Decision == nil && l.heard == nil {
				l.CheckAt = time.Now().Add(settleIn)
				pm.reconcile(l)
			}
		}
	}
}

// callRuns: not listed any more, and the call lives. It was let run, unless a
// rejection is just being written down.
func (pm *permissions) callRuns(l *live) {
	switch {
	case l.heard != nil && l.heard.kind == question.OutcomeAnswered:
		pm.settleHeard(l, "")
	case l.passing >= quietLooks && l.heard != nil:
		pm.settleHeard(l, l.unseenNote())
	case l.passing >= quietLooks && l.Request.Call != "":
		pm.settleGranted(l)
	default:
		pm.outcomes.lookLater(l)
	}
}

// callFailed: the call has ended badly, and does not say why. Of several asks of a session
// under /api a rejection drops all, and an event tells of one.
func (pm *permissions) callFailed(l *live) {
	dismissed := question.Outcome{Kind: question.OutcomeDismissed, Note: l.unseenNote()}
	switch {
	case l.heard != nil:
		pm.settleHeard(l, l.unseenNote())
	case pm.outcomes.decidedAlong(l, dismissed) != nil:
		pm.outcomes.settleFor(l, dismissed, false)
	default:
		pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	}
}

// callForgotten: not listed, and nothing works on the call. A decision that OpenCode
// took came too late then.
func (pm *permissions) callForgotten(l *live) {
	unseen := l.Request.Call == "" || l.Request.Message == "" // as of a doom_loop: nothing more can be read
	switch {
	case unseen && l.heard != nil:
		pm.settleHeard(l, l.unseenNote())
	case unseen:
		pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	case l.heard != nil:
		pm.callStopped(l, false)
	default:
		pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeRestarted})
	}
}

// callStopped: the session was stopped. What had been let run may have run by then.
func (pm *permissions) callStopped(l *live, begun bool) {
	begun = begun || l.heard != nil && l.heard.kind == question.OutcomeAnswered
	pm.outcomes.settle(l, question.Outcome{Kind: question.OutcomeStopped, Begun: begun})
}

// decidedAlong finds the decision about another ask of the same session that settled this
// one as well: OpenCode rejects all of a session's asks together, and what is always
// allowed is not asked for any more.
func (oc *outcomes) decidedAlong(l *live, o question.Outcome) *live {
	if l.Request.Permission == nil || l.Request.Session == "" {
		return nil
	}
	for _, other := range oc.recentDecisions() {
		d := other.Decision
		if other == l || d == nil || other.Request.Permission == nil || !other.touches(l) || other.overtaken() {
			continue
		}
		if !other.maybeSent() && !other.offered.Load() {
			continue // OpenCode cannot have it
		}
		always := !d.Reject && d.Answers.Equal(question.Answers{{question.Always}}) && o.Answers.Equal(d.Answers)
		if d.Reject && o.Kind == question.OutcomeDismissed || always && o.Kind == question.OutcomeAnswered {
			return other
		}
	}
	return nil
}

// lately is how long a decision that is all told is remembered for what it settles as
// well: OpenCode tells of that in the same moment, on another line.
const lately = time.Minute

// remember keeps a decision about a permission beyond its thread.
func (oc *outcomes) remember(l *live) {
	if l.Request.Permission != nil && l.Decision != nil {
		oc.decided = append(oc.decided, l)
	}
}

// recentDecisions lists the threads whose decision may have settled another ask.
func (oc *outcomes) recentDecisions() []*live {
	oc.decided = slices.DeleteFunc(oc.decided, func(l *live) bool { return time.Since(l.Decision.At) > lately })
	list := slices.Clone(oc.decided)
	for _, l := range oc.threads.byID {
		list = append(list, l)
	}
	return list
}

// overtaken reports whether something else came before the thread's decision.
func (l *live) overtaken() bool {
	switch {
	case l.Outcome != nil:
		return l.Outcome.By != l.Decision.By
	case l.heard != nil:
		return l.Decision.Reject != (l.heard.kind == question.OutcomeDismissed)
	}
	return false
}

// touches reports whether l's decision may have reached OpenCode while the other ask
// of the same session waited there.
func (l *live) touches(other *live) bool {
	sent := l.Delivery.SentAt
	waited := sent.IsZero() && l.agent || !sent.IsZero() && other.Asked.Before(sent)
	return waited && other.Request.Session == l.Request.Session && other.WithProcessOf(l.Thread)
}
