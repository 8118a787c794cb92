package bridge

import (
	"slices"
	"time"

	"hermes/internal/question"
)

// heard is what OpenCode said of a permission ask. It proves how the ask was
// decided, and not what became of the call: every 1.x takes a decision about a call
// that was aborted meanwhile, and may carry it out or not (measured on 1.1.53 and
// 1.18.33).
type heard struct {
	kind    question.OutcomeKind // answered or dismissed
	answers question.Answers
}

// hear keeps what OpenCode said, until it is known whether the call lives.
func (b *Bridge) hear(l *live, h heard) {
	l.heard = &h
	if !b.agents.reachable(l.Thread) {
		b.settleHeard(l, l.unseenNote())
		return
	}
	l.CheckAt, l.Delivery.Next = time.Now(), time.Time{}
	b.reconcile(l)
}

// settleHeard ends the thread as OpenCode said.
func (b *Bridge) settleHeard(l *live, note string) {
	h := l.heard
	b.settleWith(l, question.Outcome{Kind: h.kind, Answers: h.answers, Note: note}, l.agent || l.maybeSent())
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

// foundPermission acts on what OpenCode knows of a permission ask. It reports whether
// the ask is still open.
func (b *Bridge) foundPermission(l *live, f question.Finding) (open bool) {
	if f.Kind != question.FoundOpen && b.askedAgain(l) {
		b.granted(l)
		return false
	}
	switch f.Kind {
	case question.FoundOpen:
		if l.heard == nil {
			l.CheckAt, l.passing = time.Time{}, 0
			return true
		}
		b.passing(l)
	case question.FoundAnswered:
		b.granted(l)
	case question.FoundDismissed:
		b.refused(l, f.Note)
	case question.FoundPassing:
		b.running(l)
	case question.FoundForgotten:
		b.forgotten(l)
	case question.FoundEnded:
		b.failed(l)
	case question.FoundStopped:
		b.stopped(l, f.Begun)
	case question.FoundDeleted:
		b.settle(l, question.Outcome{Kind: question.OutcomeDeleted})
	case question.FoundVoid:
		b.settle(l, question.Outcome{Kind: question.OutcomeVoid})
	}
	return false
}

// granted: the call was let run, by this decision or by one that nobody told of.
func (b *Bridge) granted(l *live) {
	if l.heard != nil {
		b.settleHeard(l, "")
		return
	}
	b.settleWith(l, question.Outcome{Kind: question.OutcomeAnswered}, l.maybeSent())
}

// refused: the call failed because somebody said no.
func (b *Bridge) refused(l *live, note string) {
	if l.heard != nil {
		b.settleHeard(l, note)
		return
	}
	b.settleWith(l, question.Outcome{Kind: question.OutcomeDismissed, Note: note}, l.maybeSent())
}

// askedAgain reports whether the same call went on to ask for something else, as for
// a folder outside and then for the command. Then it was let pass here, and what the
// call tells is about the last one.
func (b *Bridge) askedAgain(l *live) bool {
	if l.passed {
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

// pass notes that asks of the same call were let pass, as it asks for something else
// now, and looks at what is not known of them.
func (b *Bridge) pass(next *live) {
	for _, l := range b.threads.byID {
		if l != next && b.askedAgain(l) && !l.passed {
			l.passed = true
			if l.Outcome == nil && l.Decision == nil && l.heard == nil {
				l.CheckAt = time.Now().Add(settleIn)
				b.reconcile(l)
			}
		}
	}
}

// running: not listed any more, and the call lives. It was let run, unless a
// rejection is just being written down.
func (b *Bridge) running(l *live) {
	switch {
	case l.heard != nil && l.heard.kind == question.OutcomeAnswered:
		b.settleHeard(l, "")
	case l.passing >= quietLooks && l.heard != nil:
		b.settleHeard(l, l.unseenNote())
	case l.passing >= quietLooks && l.Request.Call != "":
		b.granted(l)
	default:
		b.passing(l)
	}
}

// failed: the call has ended badly, and does not say why. Of several asks of a session
// under /api a rejection drops all, and an event tells of one.
func (b *Bridge) failed(l *live) {
	dismissed := question.Outcome{Kind: question.OutcomeDismissed, Note: l.unseenNote()}
	switch {
	case l.heard != nil:
		b.settleHeard(l, l.unseenNote())
	case b.along(l, dismissed) != nil:
		b.settleWith(l, dismissed, false)
	default:
		b.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	}
}

// forgotten: not listed, and nothing works on the call. A decision that OpenCode
// took came too late then.
func (b *Bridge) forgotten(l *live) {
	unseen := l.Request.Call == "" || l.Request.Message == "" // as of a doom_loop: nothing more can be read
	switch {
	case unseen && l.heard != nil:
		b.settleHeard(l, l.unseenNote())
	case unseen:
		b.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	case l.heard != nil:
		b.stopped(l, false)
	default:
		b.settle(l, question.Outcome{Kind: question.OutcomeRestarted})
	}
}

// stopped: the session was stopped. What had been let run may have run by then.
func (b *Bridge) stopped(l *live, begun bool) {
	begun = begun || l.heard != nil && l.heard.kind == question.OutcomeAnswered
	b.settle(l, question.Outcome{Kind: question.OutcomeStopped, Begun: begun})
}

// along finds the decision about another ask of the same session that settled this
// one as well: OpenCode rejects all of a session's asks together, and what is always
// allowed is not asked for any more.
func (b *Bridge) along(l *live, o question.Outcome) *live {
	if l.Request.Permission == nil || l.Request.Session == "" {
		return nil
	}
	for _, other := range b.decidedLately() {
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
func (b *Bridge) remember(l *live) {
	if l.Request.Permission != nil && l.Decision != nil {
		b.decided = append(b.decided, l)
	}
}

// decidedLately lists the threads whose decision may have settled another ask.
func (b *Bridge) decidedLately() []*live {
	b.decided = slices.DeleteFunc(b.decided, func(l *live) bool { return time.Since(l.Decision.At) > lately })
	list := slices.Clone(b.decided)
	for _, l := range b.threads.byID {
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
