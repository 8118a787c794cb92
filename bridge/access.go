package bridge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/letters"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// access says who may answer what, by the rules and by which people and groups were let in.
// It stores no thread: see decisions.followRules.
type access struct {
	damaged bool                  // who was let in could not be read whole
	current func(chat.ID) chat.ID // what a chat has become
	changed func()                // called when the rules in force are others
	owners  Owners                // nil: no link has one

	base   *policy.Ruleset // as configured
	paired storage.Pairings
	rules  *policy.Ruleset // in force: base, with those who were let in
}

// knowsPerson reports whether the person is on the list, with a right to answer or without.
func (ac *access) knowsPerson(id chat.UserID) bool {
	_, ok := ac.rules.Person(id)
	return ok
}

// mayDrive reports whether a person may drive sessions.
func (ac *access) mayDrive(id chat.UserID) bool { return ac.rules.MayDrive(id) }

// noteRule notes the rule that fits a thread: an answer that is taken next was taken under
// it.
func (ac *access) noteRule(t *question.Thread, rule policy.Rule) {
	t.Rule, t.Needs, t.ClaimFor, t.May = rule.Name, rule.Approvals, rule.Claim, ac.mayAnswer(rule)
}

// mayAnswer are the people who may answer under a rule, by id, where it says so: by their roles, by whose agent it is, or as it
// takes several.
func (ac *access) mayAnswer(rule policy.Rule) (list []question.Actor) {
	if len(rule.Roles) == 0 && rule.Approvals <= 1 && !rule.NotOwner {
		return nil
	}
	for _, p := range ac.rules.People() {
		if ac.rules.May(rule, p.ID) == policy.May {
			list = append(list, question.Actor{Kind: question.Person, User: p.ID, Name: p.Name})
		}
	}
	return list
}

// ruleFor finds the rule that fits the thread now. It changes nothing.
func (ac *access) ruleFor(l *liveThread) policy.Rule {
	if l.Request.Admission != nil {
		return policy.Rule{Approvals: 1} // see whyBarredFromLettingIn
	}
	ask := policy.Ask{Request: l.Request, Place: l.Place, Owner: l.Owner.ID, At: l.Asked}
	ask.Link, ask.LinkByMachine = ac.linkOf(l.Origins...)
	if len(l.Origins) > 0 {
		ask.Directory = l.Origins[0].Directory
	}
	for _, o := range l.Origins {
		ask.Resolved = cmp.Or(ask.Resolved, o.Resolved)
	}
	return ac.rules.Rule(ask)
}

// refusal is why what a person did has no effect, and what they are told of that. The zero value: it has one.
type refusal struct {
	why storage.Refusal
	say ui.Line
}

// whyBarred says why a person may not answer the thread; the zero value: they may.
func (ac *access) whyBarred(l *liveThread, id chat.UserID) refusal {
	if a := l.Request.Admission; a != nil {
		return ac.whyBarredFromLettingIn(*a, id)
	}
	rule := ac.ruleFor(l)
	switch ac.rules.May(rule, id) {
	case policy.NotOwner:
		return refusal{storage.RefusedNotOwner, ui.NotOwner(l.Owner)}
	case policy.OwnAgent:
		return refusal{storage.RefusedOwnAgent, ui.OwnAgent()}
	case policy.NoRole:
		return refusal{storage.RefusedNoRole, ui.NoRole(rule.Sufficient())}
	case policy.WrongRole:
		return refusal{storage.RefusedWrongRole, ui.WrongRole(rule.Sufficient())}
	case policy.Stranger:
		return refusal{storage.RefusedStranger, ui.Stranger()}
	case policy.May:
	}
	return ac.claimedByOther(l, id)
}

// peopleWhoMayGive are those who may let somebody in with these roles: who have all of them.
func (ac *access) peopleWhoMayGive(roles []string) []policy.Person {
	return slices.DeleteFunc(peopleWhoAnswer(ac.rules), func(p policy.Person) bool { return !ac.mayGive(p, roles) })
}

func (ac *access) mayGive(p policy.Person, roles []string) bool {
	lacks := func(role string) bool { return !slices.Contains(p.Roles, role) }
	return ac.rules.Open() || !slices.ContainsFunc(roles, lacks)
}

// whyBarredFromLettingIn says why a person may not decide who is let in; the zero value: they may.
func (ac *access) whyBarredFromLettingIn(a question.Admission, id chat.UserID) refusal {
	p, ok := ac.rules.Person(id)
	switch {
	case !ok:
		return refusal{storage.RefusedStranger, ui.Stranger()}
	case !ac.rules.Open() && len(p.Roles) == 0:
		return refusal{storage.RefusedNoRole, ui.NoRole(a.Roles)}
	case !ac.mayGive(p, a.Roles):
		return refusal{storage.RefusedLetIn, ui.LacksRoles(a.Roles)}
	}
	return refusal{}
}

// whyNobodyMayGive says why nobody could let somebody in with these roles.
func (ac *access) whyNobodyMayGive(roles []string) string {
	if len(peopleWhoAnswer(ac.rules)) == 0 && ac.damaged {
		return "the records of who may answer could not be read, so nobody is let in by a link alone; name somebody in HERMES_TELEGRAM_USERS, or restore a backup"
	}
	if len(peopleWhoAnswer(ac.rules)) == 0 || len(ac.peopleWhoMayGive(roles)) > 0 {
		return ""
	}
	return fmt.Sprintf("nobody has all of the roles %s, so nobody could let them in; name the person in the rules file", strings.Join(roles, ", "))
}

// whyNotPrograms says why programs may neither answer nor reject: it is a permission, or a rule leaves it to people,
// or to the one who is on it; nil: they may.
func (ac *access) whyNotPrograms(l *liveThread) error {
	if l.Request.Admission != nil {
		return ErrAdmission
	}
	if l.Request.Permission != nil {
		return ErrChat
	}
	rule := ac.ruleFor(l)
	if len(rule.Roles) > 0 || rule.OwnerOnly || ac.claimedByOther(l, 0).why != "" {
		return ErrPeople
	}
	return nil
}

// dropInvalidClaim ends a claim of somebody who may not answer by the rules of now, or where
// these have none: nobody could release it. It returns what the journal has of that.
func (ac *access) dropInvalidClaim(l *liveThread, rule policy.Rule) []storage.Entry {
	if l.Claim == nil || rule.Claim > 0 && ac.rules.May(rule, l.Claim.By.User) == policy.May {
		return nil
	}
	by := l.Claim.By
	l.Claim = nil
	return []storage.Entry{{Kind: storage.EntryReleased, By: by, Detail: "rules"}}
}

// claimedByOther says who is on it, if that keeps this person from answering.
func (ac *access) claimedByOther(l *liveThread, id chat.UserID) refusal {
	if l.Claim == nil || l.Claim.By.User == id || !ac.ruleFor(l).Exclusive {
		return refusal{}
	}
	return refusal{storage.RefusedClaimed, ui.Claimed(l.Claim)}
}

// withName gives a person the name that the rules file or their invitation has for them. What
// they call themselves at Telegram is only used where there is none.
func (ac *access) withName(u chat.User) chat.User {
	if p, ok := ac.rules.Person(u.ID); ok && p.Name != "" {
		u.Name = p.Name
	}
	return u
}

// whyUnfit says why an invitation cannot be made as it is. One for a group needs no role: it lets in a chat, and who opens it and is
// not on the list may then read there.
func (ac *access) whyUnfit(i storage.Invitation) string {
	if other, taken := ac.namesake(i.Name, 0); taken {
		return fmt.Sprintf("the name is, or looks like, that of %s (id %d), who is on the list; give another name", other.Name, other.ID)
	}
	if i.Group && len(i.Roles) == 0 {
		return ""
	}
	return ac.whyRolesUnfit(i.Roles)
}

// namesake is another person on the list whose name looks like this one.
func (ac *access) namesake(name string, but chat.UserID) (policy.Person, bool) {
	people := ac.rules.People()
	n := slices.IndexFunc(people, func(p policy.Person) bool {
		return p.ID != but && name != "" && letters.Look(p.Name) == letters.Look(name)
	})
	if n < 0 {
		return policy.Person{}, false
	}
	return people[n], true
}

// whyRolesUnfit says why a guest cannot have these roles.
func (ac *access) whyRolesUnfit(roles []string) string {
	known := ac.base.Roles()
	switch {
	case ac.base.Open() && len(roles) > 0:
		return "roles mean nothing without a rules file (HERMES_RULES)"
	case !ac.base.Open() && len(roles) == 0:
		return "without a role nobody may answer; the rules know " + strings.Join(known, ", ")
	}
	for _, role := range roles {
		if !slices.Contains(known, role) {
			return fmt.Sprintf("the rules know no role %q, but %s", role, strings.Join(known, ", "))
		}
	}
	return ""
}

// validVotes are the approvals that count: those of people who may approve now.
func (ac *access) validVotes(t question.Thread, rule policy.Rule) []question.Vote {
	var list []question.Vote
	for _, v := range t.Votes {
		if ac.rules.May(rule, v.By.User) == policy.May {
			list = append(list, v)
		}
	}
	return list
}

// stillCounts reports whether a decision that is not sent yet counts by the rules of now: all the people who made it may
// decide, and they are as many as must approve. What people did not decide counts.
func (ac *access) stillCounts(l *liveThread) bool {
	d, rule := l.Decision, ac.ruleFor(l)
	switch {
	case d.By.Kind != question.Person:
		return true
	case ac.rules.May(rule, d.By.User) != policy.May:
		return false
	case d.Reject || l.Request.Permission == nil:
		return true
	}
	return len(ac.validVotes(l.Thread, rule)) == len(l.Votes) && max(1, len(l.Votes)) >= rule.Approvals
}

// dropInvalidVotes takes back the approvals of those who may not approve by the rules of now. It
// returns what the journal has of that.
func (ac *access) dropInvalidVotes(l *liveThread, rule policy.Rule) []storage.Entry {
	kept := ac.validVotes(l.Thread, rule)
	if len(kept) == len(l.Votes) {
		return nil
	}
	var entries []storage.Entry
	for _, v := range l.Votes {
		if ac.rules.May(rule, v.By.User) != policy.May {
			entries = append(entries, storage.Entry{Kind: storage.EntryLapsed, By: v.By, Answers: v.Answers})
		}
	}
	l.Votes = kept
	return entries
}

// quietUntil is until when the ask makes no sound; zero: it does.
func (ac *access) quietUntil(l *liveThread) time.Time { return ac.ruleFor(l).Quiet.Until(time.Now()) }

// peopleWhoAnswer are the people of a ruleset who may answer anything at all.
func peopleWhoAnswer(b *policy.Ruleset) []policy.Person {
	return slices.DeleteFunc(b.People(), func(p policy.Person) bool { return !b.Open() && len(p.Roles) == 0 })
}
