package policy

import (
	"slices"

	"hermes/question"
)

// Verdict is the closed set of answers to whether somebody may answer an ask.
type Verdict string

const (
	May       Verdict = "may"
	Stranger  Verdict = "stranger"   // not in the book
	NoRole    Verdict = "no-role"    // in the book, without any role
	WrongRole Verdict = "wrong-role" // has roles, and none that the rule asks for
)

// May says whether a person may answer what the rule is for.
func (b *Book) May(r Rule, id question.UserID) Verdict {
	p, ok := b.people[id]
	switch {
	case !ok:
		return Stranger
	case b.open || p.has(r.Roles):
		return May
	case len(p.Roles) == 0:
		return NoRole
	}
	return WrongRole
}

// has reports whether the person has one of the roles; any role will do for none.
func (p Person) has(roles []string) bool {
	return slices.ContainsFunc(p.Roles, func(role string) bool {
		return len(roles) == 0 || slices.Contains(roles, role)
	})
}
