package policy

import (
	"slices"
	"strings"

	"hermes/internal/chat"
)

// A link may have an owner: the person whose agents ask over it. What an owned link asks is for its
// owner alone, in their private chat, unless a rule says otherwise:
//
//   - chats: the rule's, where "owner" is the owner's private chat;
//   - who may answer: whom roles name; everybody with a role where the rule has chats other than the
//     owner's, asks for several approvals, or bars the owner.
//
// An owner who is not on the list of people gets nothing, and nobody else does in their place: what an ask shows is
// the owner's business.

// toOwner names the owner's private chat in a list of chats of the file.
const toOwner = "owner"

// ownerChat is the owner's private chat, which has the id of its person (Bot API, Chat.id).
func ownerChat(owner chat.UserID) Target { return Target{Chat: chat.ID(owner)} }

// withOwner is the rule for an ask of this owner's agent. Where there is no owner to bar, nobody can tell whose agent it is: two people
// approve, so that one of them is not the one.
func (s *Ruleset) withOwner(r Rule, owner chat.UserID) Rule {
	if r.Owner = owner; owner == 0 {
		if r.NotOwner {
			r.NotOwner, r.Approvals = false, max(r.Approvals, 2)
		}
		return r
	}
	if !r.OwnChats {
		r.Targets = []Target{ownerChat(owner)}
	}
	if _, known := s.people[owner]; !known {
		r.Targets = slices.DeleteFunc(r.Targets, func(t Target) bool { return t == ownerChat(owner) })
	}
	r.OwnerOnly = len(r.Roles) == 0 && r.Approvals <= 1 && !r.NotOwner && !r.asksOthers()
	return r
}

// BarsOwners reports whether a rule wants others than the owner to approve.
func (s *Ruleset) BarsOwners() bool {
	return slices.ContainsFunc(s.rules, func(e conditionalRule) bool { return e.NotOwner })
}

// asksOthers reports whether the ask of an owner is shown in other chats than the owner's, now or later.
func (r Rule) asksOthers() bool {
	other := func(t Target) bool { return t != ownerChat(r.Owner) }
	return slices.ContainsFunc(r.Targets, other) ||
		slices.ContainsFunc(r.Escalation, func(e Escalation) bool { return slices.ContainsFunc(e.Targets, other) })
}

// forOwner replaces "owner" in the chats of a rule by the chat of this owner. Where there is none, the other chats
// are all; without any the rule has no chats of its own.
func (e conditionalRule) forOwner(r Rule, owner chat.UserID) Rule {
	if owner == 0 {
		return r
	}
	if e.toOwner {
		r.Targets = withTarget(r.Targets, ownerChat(owner))
	}
	for i, step := range r.Escalation {
		if step.toOwner {
			r.Escalation[i].Targets = withTarget(step.Targets, ownerChat(owner))
		}
	}
	return r
}

func withTarget(list []Target, t Target) []Target {
	if slices.Contains(list, t) {
		return list
	}
	return append(list, t)
}

// barsOwner reports whether the person is the owner, and may not answer what their own agent asks; or whether
// somebody else is, who alone may.
func (r Rule) barsOwner(id chat.UserID) bool  { return r.NotOwner && r.Owner == id }
func (r Rule) barsOthers(id chat.UserID) bool { return r.OwnerOnly && r.Owner != id }

// readTargets reads chats, and whether the owner's is one of them.
func (f *file) readTargets(p *pair) (list []Target, owner bool) {
	for _, t := range each(f.reader, p, f.targetOrOwner) {
		if t == ownersTarget {
			owner = true
			continue
		}
		list = append(list, t)
	}
	return list, owner
}

// ownersTarget stands for the owner's chat while a file is read: no chat has a topic below zero.
var ownersTarget = Target{Topic: -1}

func (f *file) targetOrOwner(key string, v value) Target {
	if v.kind == isText && v.text == toOwner {
		return ownersTarget
	}
	return f.target(key, v)
}

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

// MayDrive reports whether a person may drive sessions: tell the agent what to do, stop
// it, see what it did. Without a file everybody in the ruleset may; with one, those who
// have a role of its [remote] section, and without that section nobody.
func (s *Ruleset) MayDrive(id chat.UserID) bool {
	p, ok := s.people[id]
	return ok && (s.open || len(s.drivers) > 0 && p.hasRole(s.drivers))
}

// HasDrivers reports whether there can be people who may drive sessions.
func (s *Ruleset) HasDrivers() bool { return s.open || len(s.drivers) > 0 }

// Drivers are the roles that may drive sessions; empty: see [Ruleset.MayDrive].
func (s *Ruleset) Drivers() []string { return slices.Clone(s.drivers) }

// readRemote reads the section of that name.
func (f *file) readRemote(p *pair) {
	if p.value.kind != isTable {
		f.mistakes.add(p.line, "write [remote], in one bracket, above its roles")
		return
	}
	f.drive.table = p.value.table
	settings := map[string]setting[[]string]{
		"roles": func(f *file, x *[]string, p *pair) { *x = each(f.reader, p, f.label) },
	}
	readTable(f, p.value.table, settings, &f.drive.value, "[remote]")
}

// checkRemote checks that [remote] has roles, and that somebody has them.
func (f *file) checkRemote() {
	if f.drive.table == nil {
		return
	}
	if f.drive.table.get("roles") == nil {
		f.mistakes.add(f.drive.table.line, `[remote] needs roles, such as roles = ["lead"]`)
	}
	for _, role := range f.drive.value {
		if !slices.ContainsFunc(f.people, func(p located[Person]) bool { return p.value.hasRole([]string{role}) }) {
			f.mistakes.add(f.drive.lineOf("roles"), "nobody has the role %q; there are: %s", role, strings.Join(f.allRoles(), ", "))
		}
	}
}
