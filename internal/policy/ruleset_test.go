package policy_test

import (
	"slices"
	"strings"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
)

func TestRuleset_May(t *testing.T) {
	b := parse(t, team+"[[rule]]\nname = \"lead\"\npermission = \"bash\"\nroles = \"lead\"\n")
	named, rest := b.Rule(bash("ls")), b.Rule(policy.Ask{})
	for _, c := range []struct {
		rule policy.Rule
		user chat.UserID
		want policy.Verdict
	}{
		{named, 1, policy.May},
		{named, 2, policy.WrongRole},
		{named, 3, policy.NoRole},
		{named, 4, policy.Stranger},
		{rest, 1, policy.May},
		{rest, 2, policy.May},
		{rest, 3, policy.NoRole},
		{rest, 4, policy.Stranger},
	} {
		if got := b.May(c.rule, c.user); got != c.want {
			t.Errorf("rule %q, user %d: %s, want %s", c.rule.Name, c.user, got, c.want)
		}
	}
}

func TestRuleset_Everyone(t *testing.T) {
	b := policy.Everyone([]chat.UserID{1, 2}, []policy.Target{{Chat: 7}})
	r := b.Rule(bash("rm -rf /"))
	if r.Name != "" || r.Approvals != 1 || !slices.Equal(r.Targets, []policy.Target{{Chat: 7}}) {
		t.Errorf("%+v", r)
	}
	if b.May(r, 2) != policy.May || b.May(r, 3) != policy.Stranger {
		t.Error("the two, and nobody else, may answer")
	}
	if later := b.With(policy.Person{ID: 3}); later.May(r, 3) != policy.May || b.May(r, 3) != policy.Stranger {
		t.Error("who is added may answer too, in the new book alone")
	}
}

func TestRuleset_WithKeepsTheFilesPerson(t *testing.T) {
	b := parse(t, team).With(policy.Person{ID: 3, Name: "D", Roles: []string{"lead"}}, policy.Person{ID: 4, Name: "Eve", Roles: []string{"dev"}})
	if p, _ := b.Person(3); p.Name != "Dana" || len(p.Roles) != 0 {
		t.Errorf("%+v", p)
	}
	if got := b.May(b.Rule(policy.Ask{}), 4); got != policy.May {
		t.Errorf("Eve: %s", got)
	}
}

// Without chats of its own a rule takes the book's: at first the private chats of
// all who have a role.
func TestRuleset_WithDefault(t *testing.T) {
	b := parse(t, team+"[[rule]]\nname = \"a\"\nask = \"question\"\n")
	for _, a := range []policy.Ask{{}, bash("ls")} {
		if got := b.Rule(a).Targets; !slices.Equal(got, []policy.Target{{Chat: 1}, {Chat: 2}}) {
			t.Errorf("%+v", got)
		}
		if got := b.Targets(); !slices.Equal(got, []policy.Target{{Chat: 1}, {Chat: 2}}) {
			t.Errorf("all chats are %+v", got)
		}
		if got := b.WithDefault(policy.Target{Chat: -5}).Rule(a).Targets; !slices.Equal(got, []policy.Target{{Chat: -5}}) {
			t.Errorf("%+v", got)
		}
	}
}

// Nobody can change a book through what it gave.
func TestRuleset_SharesNothing(t *testing.T) {
	b := parse(t, team+"[[rule]]\nname = \"a\"\nroles = \"lead\"\nchats = [5]\nescalate = [{ after = \"1m\", chats = 6 }]\n")
	r := b.Rule(policy.Ask{})
	r.Roles[0], r.Targets[0].Chat, r.Escalation[0].Targets[0].Chat = "dev", 99, 99
	p, _ := b.Person(1)
	p.Roles[0] = "x"
	b.People()[0].Roles[0] = "x"
	again := b.Rule(policy.Ask{})
	if again.Roles[0] != "lead" || again.Targets[0].Chat != 5 || again.Escalation[0].Targets[0].Chat != 6 || b.May(again, 1) != policy.May {
		t.Errorf("%+v", again)
	}
}

func TestRuleset_Changes(t *testing.T) {
	rules := "[[rule]]\nname = \"a\"\nask = \"question\"\n[[rule]]\nname = \"b\"\nask = \"permission\"\nquiet = \"22:00-07:00\"\nquiet_zone = \"Europe/Berlin\"\n"
	before := parse(t, team+rules)
	if got := policy.Changes(before, parse(t, "# a remark\n"+team+rules)); got != nil {
		t.Errorf("nothing is other, but: %q", got)
	}
	after := parse(t, `[[person]]
id = 1
name = "Ada"
roles = ["lead"]
[[person]]
id = 2
name = "Bob"
roles = "dev"
[[person]]
id = 9
name = "Eve"
[[rule]]
name = "b"
ask = "permission"
quiet = "22:00-06:00"
quiet_zone = "Europe/Berlin"
[[rule]]
name = "a"
ask = "question"
[[rule]]
name = "c"
`).WithDefault(policy.Target{Chat: 5})
	want := `person 1 (Ada): changed
person 3 (Dana): removed
person 9 (Eve): added
rule "b": changed
rule "c": added
the order of the rules: changed
chats of asks that no rule sends elsewhere: changed`
	if got := strings.Join(policy.Changes(before, after), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(policy.Changes(after, before), "\n"); !strings.Contains(got, "rule \"c\": removed") {
		t.Errorf("back:\n%s", got)
	}
}

func TestRuleset_AndDefault(t *testing.T) {
	b := policy.Everyone([]chat.UserID{1}, []policy.Target{{Chat: 7}})
	more := b.AndDefault(policy.Target{Chat: 8}, policy.Target{Chat: 7})
	if got := more.Rule(policy.Ask{}).Targets; !slices.Equal(got, []policy.Target{{Chat: 7}, {Chat: 8}}) {
		t.Errorf("%v", got)
	}
	if got := b.Targets(); len(got) != 1 {
		t.Errorf("the book itself has changed: %v", got)
	}
}

func TestRuleset_Roles(t *testing.T) {
	b := parse(t, "[[person]]\nid = 1\nname = \"A\"\nroles = [\"lead\", \"dev\"]\n[[rule]]\nname = \"x\"\nroles = \"dev\"\n")
	if got := b.Roles(); !slices.Equal(got, []string{"dev", "lead"}) || b.Open() {
		t.Errorf("roles %v, open %v", got, b.Open())
	}
	if everyone := policy.Everyone(nil, nil); !everyone.Open() || everyone.Roles() != nil {
		t.Error("without a file roles mean nothing")
	}
}

func TestRule_Sufficient(t *testing.T) {
	for _, c := range []struct {
		rule policy.Rule
		want []string
	}{
		{policy.Rule{Roles: []string{"dev", "lead"}}, []string{"dev", "lead"}},
		{policy.Rule{Roles: []string{"dev", "lead"}, AlsoRoles: [][]string{{"lead", "ops"}}}, []string{"lead"}},
		{policy.Rule{Roles: []string{"dev"}, AlsoRoles: [][]string{{"lead"}}}, nil},
	} {
		if got := c.rule.Sufficient(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %v, want %v", c.rule, got, c.want)
		}
	}
}

// A rule's patterns are held against every file that an edit names: what it is moved to, and where a link leads. What may
// reach files that hermes does not know fits every pattern.
func TestRule_FilesOfAnEdit(t *testing.T) {
	b := parse(t, team+"[[rule]]\nname = \"hooks\"\npermission = \"edit\"\npattern = [\"*.git/*\"]\ndecide = \"reject\"\n")
	for name, c := range map[string]struct {
		edit question.Permission
		want string
	}{
		"a change":                {question.Permission{Files: []question.FileChange{{Kind: question.FileChanged, Path: "notes.txt"}}}, "people"},
		"moved there":             {question.Permission{Files: []question.FileChange{{Kind: question.FileMoved, Path: "notes.txt", To: ".git/hooks/pre-commit"}}}, "reject"},
		"moved from there":        {question.Permission{Files: []question.FileChange{{Kind: question.FileMoved, Path: "/shop/.git/config", To: "notes.txt"}}}, "reject"},
		"a link there":            {question.Permission{Links: []question.FileLink{{Path: "notes.txt", Target: ".git/hooks/pre-commit"}}}, "reject"},
		"a link to elsewhere":     {question.Permission{Links: []question.FileLink{{Path: "notes.txt", Target: "docs/notes.txt"}}}, "reject"},
		"what hermes cannot read": {question.Permission{Unread: true}, "reject"},
	} {
		c.edit.Kind, c.edit.Patterns = "edit", []string{"notes.txt"}
		a := policy.Ask{Request: question.Request{Session: "ses_1", Agent: "build", Permission: &c.edit}, Place: session.Place{Root: "ses_1"}}
		if got := decided(b.Rule(a), a); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// Whoever wrote the file is told what an answer that is none of the options leads to, unless the file says it.
func TestRuleset_Notes(t *testing.T) {
	for rule, want := range map[string]string{
		auto(`{ number = 1, answer = "MySQL" }`):                             `"MySQL" is none of a question's options`,
		auto(`{ number = 1, answer = ["Go", { text = "Odin" }] }`):           `"Go" is none of a question's options`,
		auto(`{ number = 1, answer = { text = "MySQL" } }`):                  "",
		auto(`{ number = 1, answer = "MySQL" }`) + "\nfallback = \"reject\"": "",
		`decide = "accept-first"`:                                            "",
		`decide = "forward"`:                                                 "",
	} {
		notes := parse(t, team+"[[rule]]\nname = \"a\"\nask = \"question\"\n"+rule).Notes()
		if (want == "") != (len(notes) == 0) || want != "" && !strings.Contains(notes[0], `rule "a": where `+want) {
			t.Errorf("%s: %q", rule, notes)
		}
	}
}

func TestRule_Unfit(t *testing.T) {
	open := database()
	open.Custom = true
	for rule, want := range map[string]string{
		auto(`{ number = 1, answer = "SQLite" }`):                              "",
		auto(`{ number = 1, answer = "MySQL" }`):                               `"MySQL" is no answer that question 1 takes`,
		auto(`{ number = 1, answer = ["SQLite", "PostgreSQL"] }`):              `"SQLite", "PostgreSQL" is no answer that question 1 takes`,
		auto(`{ number = 1, answer = { text = "MySQL" } }`):                    "",
		auto(`{ number = 2, answer = "MySQL" }`):                               "",
		auto(`{ number = 1, answer = "x" }`) + "\nfallback = \"accept-first\"": `"x" is no answer`,
		`decide = "accept-first"`:                                              "",
	} {
		a := asking(open)
		why, is := parse(t, team+"[[rule]]\nname = \"a\"\nask = \"question\"\n"+rule).Rule(a).Unfit(a.Request)
		if is != (want != "") || !strings.HasPrefix(why, want) {
			t.Errorf("%s: %q, %v", rule, why, is)
		}
	}
}

// A rule that has an entry for one language of its own is changed when that becomes a label.
func TestChanges_OfOwnWords(t *testing.T) {
	before := parse(t, team+"[[rule]]\nname = \"a\"\nask = \"question\"\n"+auto(`{ number = 1, answer = { text = "x" } }`))
	after := parse(t, team+"[[rule]]\nname = \"a\"\nask = \"question\"\n"+auto(`{ number = 1, answer = "x" }`))
	if got := policy.Changes(before, after); !slices.Equal(got, []string{`rule "a": changed`}) {
		t.Errorf("%q", got)
	}
}
