package policy

import (
	"slices"

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
