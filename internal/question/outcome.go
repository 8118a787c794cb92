package question

import (
	"fmt"
	"slices"
	"time"
)

// Outcome is how a thread ended, proven by OpenCode unless Kind says otherwise.
type Outcome struct {
	Kind    OutcomeKind `json:"kind,omitzero"`
	Note    string      `json:"note,omitzero"`    // OutcomeDismissed: what the agent was told
	Answers Answers     `json:"answers,omitzero"` // OutcomeAnswered; nil for a permission: granted, and nothing tells how
	By      Actor       `json:"by"`
	At      time.Time   `json:"at,omitzero"`
	Along   ID          `json:"along,omitzero"`   // the thread whose decision settled this one as well; empty: none
	WentOn  bool        `json:"went_on,omitzero"` // OutcomeRestarted: the agent went on without an answer
	Begun   bool        `json:"begun,omitzero"`   // OutcomeStopped, of a permission: its call may have been let run before
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

// RefusedAnswers says that OpenCode's server does not take the answers to a form, and that the form still waits: they break
// a rule that hermes does not know, such as a pattern in a syntax that Go has not.
type RefusedAnswers struct {
	Message string // the server's own words: text of a stranger
}

func (e *RefusedAnswers) Error() string {
	return fmt.Sprintf("OpenCode's server does not take the answers: %.200q", e.Message)
}

// Reopened is the thread after OpenCode's server has refused its decision: people are asked again, with what they chose
// and with the server's words. Nothing of it is taken for delivered. It must have a decision that is not a rejection.
func (t Thread) Reopened(refused RefusedAnswers) Thread {
	t = t.Clone()
	w := t.Wizard
	if len(w.Choices) == 0 {
		w.Choices = t.Request.choicesOf(t.Decision.Answers)
	}
	w.State, w.Typing, w.Page, w.Step = Asking, false, 0, len(t.Request.Items)
	if w.Step == 1 {
		w.Step = 0 // one item has no review
	}
	w.Rev++
	w.Notice = Notice{Kind: Refused, Item: w.Step, Text: refused.Message}
	t.Wizard, t.Decision, t.Delivery, t.Announce = w, nil, Delivery{}, false
	t.Rev++
	return t
}

// choicesOf are the choices that the answers came from: those of a program or a rule have none of their own.
func (r Request) choicesOf(a Answers) []Choice {
	choices := make([]Choice, len(r.Items))
	for i, item := range r.Items {
		choices[i] = item.choiceOf(a.at(i))
		choices[i].Skipped = choices[i].empty() && item.optional()
	}
	return choices
}

// Expiry is what happens at the deadline of an ask that nobody has answered. The words
// are persisted, and people write them: in the configuration, in rules and in asks.
//
// A new one is a constant here and its row in expiryRules. Lists of the values, and what
// depends on what a value does, follow from there; a test tells which words and documents
// are still missing.
type Expiry string

const (
	ExpireReject Expiry = "reject"       // it is rejected
	ExpireAccept Expiry = "accept-first" // every question gets its first choice; without one: rejected
	ExpireWait   Expiry = "wait"         // it stays open
)

// expiryRule is what one Expiry does.
type expiryRule struct {
	expiry Expiry
	waits  bool                                           // the ask stays open, and the rest means nothing
	answer func(Request, bool) (answers Answers, ok bool) // as Request.FirstChoice; nil: it rejects
}

func expiryRules() []expiryRule {
	return []expiryRule{
		{ExpireReject, false, nil},
		{ExpireAccept, false, Request.FirstChoice},
		{ExpireWait, true, nil},
	}
}

// rule is what e does: to reject, if e is not known.
func (e Expiry) rule() expiryRule {
	rules := expiryRules()
	i := slices.IndexFunc(rules, func(r expiryRule) bool { return r.expiry == e })
	if i < 0 {
		return expiryRule{expiry: e}
	}
	return rules[i]
}

// Expiries are all of them, the default first.
func Expiries() []Expiry {
	var all []Expiry
	for _, r := range expiryRules() {
		all = append(all, r.expiry)
	}
	return all
}

// Decides reports whether the ask is decided at its deadline, and waits no longer.
func (e Expiry) Decides() bool { return !e.rule().waits }

// Answers reports whether questions may get an answer that nobody gave. Permissions never do.
func (e Expiry) Answers() bool { return e.rule().answer != nil }

// Decision is what is decided at the deadline of the request; false: nothing, it waits on.
// It is by nobody but the [Deadline]. preferRecommended: a choice that the agent recommends
// counts as the first.
func (e Expiry) Decision(r Request, preferRecommended bool, at time.Time) (Decision, bool) {
	if !e.Decides() {
		return Decision{}, false
	}
	d := Decision{Reject: true, By: Actor{Kind: Deadline}, At: at}
	if e.Answers() && r.Permission == nil {
		if answers, ok := e.rule().answer(r, preferRecommended); ok {
			d.Reject, d.Answers = false, answers
		}
	}
	return d, true
}
