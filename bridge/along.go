package bridge

import (
	"slices"
	"time"

	"hermes/internal/question"
)

// decidedAlong finds the decision about another ask of the same session that settled this
// one as well: OpenCode rejects all of a session's asks together, and what is always
// allowed is not asked for any more.
func (oc *outcomes) decidedAlong(l *liveThread, o question.Outcome) *liveThread {
	if l.Request.Permission == nil || l.Request.Session == "" {
		return nil
	}
	for _, other := range oc.recentDecisions() {
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

// remember keeps a decision about a permission beyond its thread, and forgets older ones: nobody may ever look for them.
func (oc *outcomes) remember(l *liveThread) {
	oc.forgetOldDecisions()
	if l.Request.Permission != nil && l.Decision != nil {
		oc.decided = append(oc.decided, l)
	}
}

// recentDecisions lists the threads whose decision may have settled another ask.
func (oc *outcomes) recentDecisions() []*liveThread {
	oc.forgetOldDecisions()
	list := slices.Clone(oc.decided)
	for _, l := range oc.threads.byID {
		list = append(list, l)
	}
	return list
}

func (oc *outcomes) forgetOldDecisions() {
	oc.decided = slices.DeleteFunc(oc.decided, func(l *liveThread) bool { return time.Since(l.Decision.At) > rememberFor })
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
