package policy

import (
	"slices"

	"hermes/internal/chat"
)

// Verdict is the closed set of answers to whether somebody may answer an ask.
type Verdict string

const (
	May       Verdict = "may"
	Stranger  Verdict = "stranger"   // not in the ruleset
	NoRole    Verdict = "no-role"    // in the ruleset, without any role
	WrongRole Verdict = "wrong-role" // has roles, and none that the rule asks for
	NotOwner  Verdict = "not-owner"  // only the owner of the link may
	OwnAgent  Verdict = "own-agent"  // is the owner, and the rule wants others
)

// May says whether a person may answer what the rule is for.
func (s *Ruleset) May(r Rule, id chat.UserID) Verdict {
	p, ok := s.people[id]
	switch {
	case !ok:
		return Stranger
	case r.barsOthers(id):
		return NotOwner
	case r.barsOwner(id):
		return OwnAgent
	case s.open || p.hasRole(r.Roles) && !slices.ContainsFunc(r.AlsoRoles, func(roles []string) bool { return !p.hasRole(roles) }):
		return May
	case len(p.Roles) == 0:
		return NoRole
	}
	return WrongRole
}

// Sufficient are the roles of which one alone is enough to answer; nil: any is, or none.
func (r Rule) Sufficient() []string {
	return slices.DeleteFunc(slices.Clone(r.Roles), func(role string) bool {
		return slices.ContainsFunc(r.AlsoRoles, func(roles []string) bool { return !slices.Contains(roles, role) })
	})
}

// hasRole reports whether the person has one of the roles, or any role if roles is empty.
func (p Person) hasRole(roles []string) bool {
	return slices.ContainsFunc(p.Roles, func(role string) bool {
		return len(roles) == 0 || slices.Contains(roles, role)
	})
}
