package question

import (
	"slices"
	"time"
)

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
