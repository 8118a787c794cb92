package policy_test

import (
	"fmt"
	"testing"

	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
)

// asked is an ask with something of everything.
func asked(alter func(*policy.Ask)) policy.Ask {
	a := policy.Ask{
		Request:   question.Request{Session: "ses_child", Agent: "build"},
		Directory: "/srv/production/api",
		Place:     session.Place{Title: "Fix the Checkout flow", Root: "ses_root"},
	}
	if alter != nil {
		alter(&a)
	}
	return a
}

func TestRule_Conditions(t *testing.T) {
	root := func(a *policy.Ask) { a.Request.Session = "ses_root" }
	nowhere := func(a *policy.Ask) { a.Place = session.Place{} }
	edit := func(a *policy.Ask) {
		a.Request.Permission = &question.Permission{Kind: "edit", Patterns: []string{"src/main.go"}}
	}
	bare := func(a *policy.Ask) { a.Request.Permission = &question.Permission{Kind: "bash"} }
	windows := func(a *policy.Ask) { a.Directory = `C:\src\shop` }
	for _, c := range []struct {
		when  string
		alter func(*policy.Ask)
		want  bool
	}{
		{``, nil, true},
		{`ask = "question"`, nil, true},
		{`ask = "question"`, edit, false},
		{`ask = "permission"`, nil, false},
		{`ask = "permission"`, edit, true},
		{`permission = "edit"`, edit, true},
		{`permission = ["bash", "ed*"]`, edit, true},
		{`permission = "bash"`, edit, false},
		{`permission = "*"`, nil, false},
		{`pattern = "src/*"`, edit, true},
		{`pattern = "*.ts"`, edit, false},
		{`pattern = "*.ts"`, bare, true},
		{`pattern = "*"`, nil, false},
		{`directory = "/srv/production"`, nil, true},
		{`directory = "/srv/production/"`, nil, true},
		{`directory = "/srv/prod"`, nil, false},
		{`directory = "/srv/prod*"`, nil, true},
		{`directory = "*/api"`, nil, true},
		{`directory = "/srv/production/api/x"`, nil, false},
		{`directory = "C:/src"`, windows, true},
		{`directory = 'c:\src\shop'`, windows, true},
		{`agent = ["plan", "build"]`, nil, true},
		{`agent = "plan"`, nil, false},
		{`session = "ses_root"`, nil, true},
		{`session = "ses_child"`, nil, false},
		{`session = "checkout"`, nil, true},
		{`session = "check*"`, nil, false},
		{`session = "checkout"`, nowhere, true}, // it may be that one
		{`subagent = true`, nil, true},
		{`subagent = false`, nil, false},
		{`subagent = true`, root, false},
		{`subagent = false`, root, true},
		{`subagent = true`, nowhere, true},
		{"agent = \"build\"\nsubagent = false", nil, false},
		{"agent = \"build\"\nsubagent = true", nil, true},
	} {
		b := parse(t, team+"[[rule]]\nname = \"a\"\n"+c.when)
		if got := b.Rule(asked(c.alter)).Name == "a"; got != c.want {
			t.Errorf("%s: fits is %v, want %v", c.when, got, c.want)
		}
	}
}

func TestRule_Patterns(t *testing.T) {
	for _, c := range []struct {
		glob string
		ask  policy.Ask
		want bool
	}{
		{"rm *", bash("rm -rf build"), true},
		{"rm *", bash("rm"), false},
		{"rm *", bash("make", "rm -rf build"), true}, // hidden behind another
		{"rm *", bash("sh -c 'rm -rf /'"), false},
		{"*rm *", bash("sh -c 'rm -rf /'"), true},
		{"*rm *", bash("make&&rm\t-rf build"), true},
		{"*rm *", bash("charm up"), true},
		{"*rm *", bash("make rmdir"), false},
		{"* rm *", bash("echo a\nrm -rf b"), true},
		{"RM *", bash("rm -rf x"), true},
		{"rm *", bash("Rm   -rf x"), true},
		{"rm -rf *", bash("rm  -rf  x"), true},
		{"*git*push*force*", bash("git push --force"), true},
		{"*force*push*", bash("git push --force"), false},
		{"a*a", bash("a"), false},
		{"a*a", bash("aa"), true},
		{"*ab*b", bash("ab"), false},
		{"rm ?", bash("rm x"), false},
		{"rm [x]", bash("rm [x]"), true},
		{"*", bash("anything"), true},
	} {
		b := parse(t, team+fmt.Sprintf("[[rule]]\nname = \"a\"\npattern = %q\n", c.glob))
		if got := b.Rule(c.ask).Name == "a"; got != c.want {
			t.Errorf("%q and %q: fits is %v, want %v", c.glob, c.ask.Request.Permission.Command, got, c.want)
		}
	}
}

// The command counts also where OpenCode names no pattern that fits, and the patterns
// where the command is not known.
func TestRule_CommandAndPatternsBothCount(t *testing.T) {
	b := parse(t, team+"[[rule]]\nname = \"a\"\npattern = \"rm *\"\n")
	for _, p := range []question.Permission{
		{Kind: "bash", Patterns: []string{"other"}, Command: "rm -rf x"},
		{Kind: "bash", Patterns: []string{"rm -rf x"}},
		{Kind: "bash", Patterns: []string{"rm -rf x"}, Command: "other"},
	} {
		if b.Rule(policy.Ask{Request: question.Request{Permission: &p}}).Name != "a" {
			t.Errorf("%+v does not fit", p)
		}
	}
}

// What is not known of an ask fits every rule, and keeps none behind it from counting: all of them restrict, and the first
// that fits for certain is the last.
func TestRule_NotKnownCountsAsMet(t *testing.T) {
	const people = "[[person]]\nid = 4\nname = \"Cleo\"\nroles = \"lead\"\n[[person]]\nid = 5\nname = \"Ed\"\nroles = \"ops\"\n"
	b := parse(t, team+people+`[[rule]]
name = "plan"
ask = "permission"
agent = "plan"
roles = "ops"
approvals = 1
chats = 5
[[rule]]
name = "subagents"
ask = "permission"
subagent = true
approvals = 2
chats = 6
[[rule]]
name = "certain"
ask = "permission"
roles = "dev"
chats = 7
[[rule]]
name = "rest"
chats = 8
`)
	a := bash("ls")
	a.Request.Session = "ses_1"
	r := b.Rule(a)
	if r.Name != "plan" || r.Approvals != 2 || !r.Unsure || fmt.Sprint(r.Roles, r.AlsoRoles, r.Targets) != "[ops] [[dev]] [5 6 7]" {
		t.Errorf("got %+v", r)
	}
	a.Request.Agent, a.Place.Root = "build", "ses_1"
	if r := b.Rule(a); r.Name != "certain" || r.Approvals != 1 || r.Unsure || fmt.Sprint(r.Roles, r.AlsoRoles, r.Targets) != "[dev] [] [7]" {
		t.Errorf("got %+v", r)
	}
}

func TestRuleset_FirstMatchWins(t *testing.T) {
	b := parse(t, team+`[[rule]]
name = "deleting"
pattern = "*rm *"
[[rule]]
name = "shell"
permission = "bash"
[[rule]]
name = "rest"
`)
	for command, want := range map[string]string{"rm x": "deleting", "ls": "shell"} {
		if got := b.Rule(bash(command)).Name; got != want {
			t.Errorf("%s fits %q, want %q", command, got, want)
		}
	}
	if got := b.Rule(policy.Ask{}).Name; got != "rest" {
		t.Errorf("a question fits %q", got)
	}
}
