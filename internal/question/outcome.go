package question

import (
	"slices"
	"time"
)

// Outcome is how a thread ended, proven by OpenCode unless Kind says otherwise.
type Outcome struct {
	Kind    OutcomeKind
	Note    string  // OutcomeDismissed: what the agent was told
	Answers Answers // OutcomeAnswered; nil for a permission: granted, and nothing tells how
	By      Actor
	At      time.Time
	Along   ID   // the thread whose decision settled this one as well; empty: none
	Begun   bool // OutcomeStopped, of a permission: its call may have been let run before
}

// OutcomeKind is the closed set of ends. The words are persisted, and are the states of
// the HTTP interface. A new one is a constant here and its row in outcomeRules.
type OutcomeKind string

const (
	OutcomeAnswered  OutcomeKind = "answered"
	OutcomeDismissed OutcomeKind = "dismissed"
	OutcomeStopped   OutcomeKind = "stopped"   // the session was aborted
	OutcomeDeleted   OutcomeKind = "deleted"   // the session was deleted
	OutcomeRestarted OutcomeKind = "restarted" // OpenCode forgot it: restarted, closed or reloaded
	OutcomeVoid      OutcomeKind = "void"      // a captured tool call that never became a question
	OutcomeUnknown   OutcomeKind = "unknown"   // it is gone and nothing tells how
)

// outcomeRule is what follows from one OutcomeKind.
type outcomeRule struct {
	kind    OutcomeKind
	decided bool // see Decided
	lost    bool // see Lost
}

func outcomeRules() []outcomeRule {
	return []outcomeRule{
		{OutcomeAnswered, true, false},
		{OutcomeDismissed, true, false},
		{OutcomeStopped, false, true},
		{OutcomeDeleted, false, false},
		{OutcomeRestarted, false, true},
		{OutcomeVoid, false, false},
		{OutcomeUnknown, false, false},
	}
}

// OutcomeKinds are all of them.
func OutcomeKinds() []OutcomeKind {
	var all []OutcomeKind
	for _, r := range outcomeRules() {
		all = append(all, r.kind)
	}
	return all
}

func (k OutcomeKind) rule() outcomeRule {
	rules := outcomeRules()
	i := slices.IndexFunc(rules, func(r outcomeRule) bool { return r.kind == k })
	if i < 0 {
		return outcomeRule{kind: k}
	}
	return rules[i]
}

// Decided reports whether the ask ended as somebody, or the deadline, decided. Every other
// end came in between.
func (k OutcomeKind) Decided() bool { return k.rule().decided }

// Lost reports whether the agent stopped waiting while its session lives on, so that an
// answer can still be brought to it.
func (k OutcomeKind) Lost() bool { return k.rule().lost }
