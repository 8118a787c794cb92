package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/policy"
	"hermes/internal/question"
)

// ownedAsk is what the agent of a link asks.
func ownedAsk(link string, owner chat.UserID) policy.Ask {
	a := bash("make deploy")
	a.Link, a.Owner = link, owner
	return a
}

// Who may answer what an owned link asks, and where it is shown. 1 is Ada (lead, dev), 2 is Bob (dev), 3 is Dana, who has no
// role, 4 is not on the list.
func TestRule_Owner(t *testing.T) {
	const shell = "[[rule]]\nname = \"a\"\npermission = \"bash\"\n"
	for _, c := range []struct {
		rule  string
		owner chat.UserID
		chats []chat.ID
		may   []chat.UserID
	}{
		{"", 0, []chat.ID{1, 2}, []chat.UserID{1, 2}},
		{"", 1, []chat.ID{1}, []chat.UserID{1}},
		{"", 2, []chat.ID{2}, []chat.UserID{2}},
		{"", 3, []chat.ID{3}, nil}, // without a role nobody answers
		{"", 4, nil, nil},          // who is not on the list gets nothing, and nobody in their place
		{shell, 2, []chat.ID{2}, []chat.UserID{2}},
		{shell + `roles = "lead"`, 2, []chat.ID{2}, []chat.UserID{1}},
		{shell + `chats = -5`, 2, []chat.ID{-5}, []chat.UserID{1, 2}},
		{shell + `chats = -5`, 0, []chat.ID{-5}, []chat.UserID{1, 2}},
		{shell + `chats = -5`, 4, []chat.ID{-5}, []chat.UserID{1, 2}},
		{shell + `chats = "owner"`, 2, []chat.ID{2}, []chat.UserID{2}},
		{shell + `chats = "owner"`, 0, []chat.ID{1, 2}, []chat.UserID{1, 2}},
		{shell + `chats = ["owner", -5]`, 2, []chat.ID{-5, 2}, []chat.UserID{1, 2}},
		{shell + `chats = ["owner", -5]`, 0, []chat.ID{-5}, []chat.UserID{1, 2}},
		{shell + `approvals = 2`, 2, []chat.ID{2}, []chat.UserID{1, 2}},
		{shell + "approvals = 2\napprover_not_owner = true\nchats = -5", 2, []chat.ID{-5}, []chat.UserID{1}},
		{shell + "approver_not_owner = true\nchats = -5", 2, []chat.ID{-5}, []chat.UserID{1}},
		{shell + "approver_not_owner = true\nchats = -5", 0, []chat.ID{-5}, []chat.UserID{1, 2}},
		{shell + "escalate = [{ after = \"5m\", chats = [-5] }]", 2, []chat.ID{2}, []chat.UserID{1, 2}},
		{shell + "chats = 1\nescalate = [{ after = \"5m\", chats = \"owner\" }]", 2, []chat.ID{1}, []chat.UserID{1, 2}},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\nchats = -5", 2, []chat.ID{2}, []chat.UserID{2}},
	} {
		b := parse(t, team+c.rule)
		rule := b.Rule(ownedAsk("laptop-7", c.owner))
		var chats []chat.ID
		for _, target := range rule.Targets {
			chats = append(chats, target.Chat)
		}
		var may []chat.UserID
		for id := range chat.UserID(5) {
			if b.May(rule, id) == policy.May {
				may = append(may, id)
			}
		}
		if !slices.Equal(chats, c.chats) || !slices.Equal(may, c.may) {
			t.Errorf("owner %d, %q: shown in %v to be answered by %v, want %v and %v", c.owner, c.rule, chats, may, c.chats, c.may)
		}
	}
}

// Where nobody is the owner, two people approve in the owner's place.
func TestRule_ApproverNotOwnerWithoutAnOwner(t *testing.T) {
	b := parse(t, team+"[[rule]]\nname = \"a\"\npermission = \"bash\"\napprover_not_owner = true\n")
	for owner, want := range map[chat.UserID]int{0: 2, 1: 1, 2: 1} {
		if r := b.Rule(ownedAsk("laptop-7", owner)); r.Approvals != want || r.NotOwner != (owner != 0) {
			t.Errorf("owner %d: %+v", owner, r)
		}
	}
	program := bash("make deploy")
	if r := b.Rule(program); r.Approvals != 2 {
		t.Errorf("a program's ask: %+v", r)
	}
}

// Nobody but the machine says what a link is called that was made with a code. Its name is no way into a rule that gives more
// freedom, and none around a rule that restricts; with the owner, or by another's word, it is a name.
func TestRule_LinkNamedByItsMachine(t *testing.T) {
	const people = "[[person]]\nid = 4\nname = \"Cleo\"\nroles = \"lead\"\n"
	b := parse(t, team+people+`[[rule]]
name = "Bob's"
link = "laptop-*"
owner = 2
chats = 5
[[rule]]
name = "ci"
link = "ci-*"
ask = "question"
decide = "accept-first"
[[rule]]
name = "strict"
link = "prod-*"
ask = "permission"
approvals = 2
chats = 6
[[rule]]
name = "rest"
chats = 7
`)
	for _, c := range []struct {
		link      string
		byMachine bool
		owner     chat.UserID
		asks      policy.Ask
		want      string
	}{
		{"ci-1", false, 1, asking(database()), "SQLite"},
		{"ci-1", true, 1, asking(database()), "people"},
		{"laptop-1", true, 1, asking(database()), "people"}, // it may be a ci-*
		{"laptop-1", true, 2, bash("make"), "Bob's 1"},
		{"laptop-1", true, 1, bash("make"), "strict 2"}, // it may be a prod-*
		{"laptop-1", false, 1, bash("make"), "rest 1"},
		{"prod-1", true, 1, bash("make"), "strict 2"},
	} {
		a := c.asks
		a.Link, a.LinkByMachine, a.Owner = c.link, c.byMachine, c.owner
		r := b.Rule(a)
		got := fmt.Sprintf("%s %d", r.Name, r.Approvals)
		if a.Request.Permission == nil {
			got = decided(r, a)
		}
		if got != c.want {
			t.Errorf("%s, named by its machine %v, owner %d: %s, want %s", c.link, c.byMachine, c.owner, got, c.want)
		}
	}
	reached := parse(t, team+"[[rule]]\nname = \"any\"\nlink = \"ci-*\"\nchats = 5\n[[rule]]\nname = \"Bob's\"\nlink = \"ci-*\"\nowner = 2\nroles = \"lead\"\n")
	if notes := reached.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "rule \"any\": link without owner") {
		t.Errorf("it is noted: %q", notes)
	}
}

// Why somebody may not answer is said as it is.
func TestMay_OwnersAndOthers(t *testing.T) {
	own := parse(t, team).Rule(ownedAsk("laptop-7", 2))
	apart := parse(t, team+"[[rule]]\nname = \"a\"\npermission = \"bash\"\napprover_not_owner = true\n").Rule(ownedAsk("laptop-7", 2))
	b := parse(t, team)
	for _, c := range []struct {
		rule policy.Rule
		user chat.UserID
		want policy.Verdict
	}{
		{own, 1, policy.NotOwner},
		{own, 2, policy.May},
		{own, 3, policy.NotOwner},
		{own, 4, policy.Stranger},
		{apart, 1, policy.May},
		{apart, 2, policy.OwnAgent},
		{apart, 3, policy.NoRole},
		{apart, 4, policy.Stranger},
	} {
		if got := b.May(c.rule, c.user); got != c.want {
			t.Errorf("owner only %v, user %d: %s, want %s", c.rule.OwnerOnly, c.user, got, c.want)
		}
	}
}

// Two rules of which the first may fit: what each restricts counts, and "owner" of either is asked.
func TestRule_OwnerAndRulesThatMayFit(t *testing.T) {
	b := parse(t, team+`
[[rule]]
name = "vague"
permission = "edit"
pattern = "/etc/*"
roles = "lead"
chats = "owner"
[[rule]]
name = "rest"
ask = "permission"
`)
	a := policy.Ask{Request: question.Request{Permission: &question.Permission{Kind: "edit", Patterns: []string{"../../x"}}}, Link: "laptop-7", Owner: 1}
	if r := b.Rule(a); b.May(r, 1) != policy.May || b.May(r, 2) == policy.May || len(r.Targets) != 1 {
		t.Errorf("%+v", r)
	}
	a.Owner = 2
	if r := b.Rule(a); b.May(r, 1) == policy.May || b.May(r, 2) == policy.May {
		t.Errorf("one rule wants a lead, the other the owner, who is none: %+v", r)
	}
}

func TestRule_LinkAndOwnerAsConditions(t *testing.T) {
	for _, c := range []struct {
		when  string
		link  string
		owner chat.UserID
		want  bool
	}{
		{`link = "laptop-7"`, "laptop-7", 0, true},
		{`link = "laptop-*"`, "laptop-7", 2, true},
		{`link = ["ci", "laptop-8"]`, "laptop-7", 0, false},
		{`link = "*"`, "", 0, false},
		{`owner = 2`, "laptop-7", 2, true},
		{`owner = [1, 2]`, "laptop-7", 2, true},
		{`owner = 1`, "laptop-7", 2, false},
		{`owner = 1`, "laptop-7", 0, false},
	} {
		b := parse(t, team+"[[rule]]\nname = \"a\"\n"+c.when)
		a := ownedAsk(c.link, c.owner)
		if got := b.Rule(a).Name == "a"; got != c.want {
			t.Errorf("%s of %q, owner %d: fits is %v, want %v", c.when, c.link, c.owner, got, c.want)
		}
		if trace := b.Explain(a)[0]; len(trace.Tests) != 1 || trace.Tests[0].Condition != c.when {
			t.Errorf("%s is explained as %+v", c.when, trace)
		}
	}
}
