package policy_test

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hermes/internal/policy"
	"hermes/internal/question"
)

func in(directory string) policy.Ask {
	a := bash("git status")
	a.Request.Session, a.Directory = "ses_1", directory
	return a
}

// oddly are spellings of /srv/production, or of what may be it.
func oddly() []string {
	return []string{
		"/./srv/production", "//srv/production", "/srv//production", "/srv/./production", "/home/../srv/production", "/srv/production/..",
		"/srv/production/.", "/srv/production//", "srv/production", "./srv/production", "~/production", "/srv/~ada", `/srv\production`,
		"/srv/production\x00", "/srv/produc\ntion", "/srv/production\xff", "/srv/pro\u200bduction", "/srv/produ\u0301ction", "", "production",
		`C:\srv\..\production`, `C:\PROGRA~1`, `C:\srv.\production`, `\\host\share`, `C:production`, "file:///srv/production",
	}
}

// A path that does not say what it is fits every rule, and lets none answer.
func TestPath_NotUnderstood(t *testing.T) {
	for _, restricts := range []string{"ask = \"permission\"\nroles = \"dev\"\napprovals = 2", "permission = \"bash\"\npattern = \"git *\"\ndecide = \"reject\"", `claim = "1m"`} {
		b := parse(t, team+"[[rule]]\nname = \"a\"\ndirectory = \"/srv/production\"\n"+restricts)
		for _, d := range append(oddly(), "/srv/production", "/srv/production/", "/SRV/Production/api", "/\u017frv/production") {
			if b.Rule(in(d)).Name != "a" {
				t.Errorf("%s: %q does not fit", restricts, d)
			}
		}
		if b.Rule(in("/home/ada")).Name == "a" {
			t.Errorf("%s: another directory fits", restricts)
		}
	}
	answers := parse(t, team+"[[rule]]\nname = \"a\"\nask = \"question\"\ndirectory = \"/srv\"\ndecide = \"accept-first\"\n")
	for d, want := range map[string]string{"/srv/x": "SQLite", "//srv/x": "people"} {
		a := asking(database())
		a.Directory = d
		if got := decided(answers.Rule(a), a); got != want {
			t.Errorf("%q: got %s, want %s", d, got, want)
		}
	}
	late := parse(t, team+"[[rule]]\nname = \"a\"\nask = \"question\"\ndirectory = \"/srv\"\non_timeout = \"accept-first\"\n")
	a := asking(database())
	for d, want := range map[string]question.Expiry{"/srv/x": question.ExpireAccept, "//srv/x": question.ExpireReject} {
		if a.Directory = d; late.Rule(a).OnTimeout != want {
			t.Errorf("%q: at the deadline %q, want %q", d, late.Rule(a).OnTimeout, want)
		}
	}
}

// Where it is not certain that a rule fits, those behind it hold as well: a lax one for
// one directory is no way around a strict one for another.
func TestPath_AllThatMayFitRestrict(t *testing.T) {
	const rules = `[[rule]]
name = "sandbox"
directory = "/home/ada/sandbox"
roles = "dev"
chats = 5
[[rule]]
name = "production"
ask = "permission"
directory = "/srv/production"
roles = "lead"
approvals = 2
chats = 6
[[rule]]
name = "rest"
ask = "permission"
[[rule]]
name = "never"
roles = "ops"
`
	b := parse(t, team+"[[person]]\nid = 4\nname = \"Cleo\"\nroles = \"lead\"\n[[person]]\nid = 5\nname = \"Ed\"\nroles = \"ops\"\n"+rules)
	r := b.Rule(in("/srv//production"))
	want := policy.Rule{Name: "sandbox", Roles: []string{"dev"}, AlsoRoles: [][]string{{"lead"}}, Approvals: 2}
	if r.Name != want.Name || !slices.Equal(r.Roles, want.Roles) || !reflect.DeepEqual(r.AlsoRoles, want.AlsoRoles) || r.Approvals != want.Approvals {
		t.Errorf("got %+v", r)
	}
	if got := decided(r, in("/srv//production")); got != "people" {
		t.Errorf("decided: %s", got)
	}
	for _, target := range []policy.Target{{Chat: 5}, {Chat: 6}} {
		if !slices.Contains(r.Targets, target) {
			t.Errorf("%v is not asked: %v", target, r.Targets)
		}
	}
	for _, p := range b.People() {
		both := slices.Contains(p.Roles, "dev") && slices.Contains(p.Roles, "lead")
		if may := b.May(r, p.ID) == policy.May; may != both {
			t.Errorf("%s with %v may answer: %v", p.Name, p.Roles, may)
		}
	}
	if r := b.Rule(in("/home/ada/sandbox")); r.Name != "sandbox" || r.AlsoRoles != nil || r.Approvals != 1 {
		t.Errorf("got %+v", r)
	}
	var names []string
	for _, trace := range b.Explain(in("/srv//production")) {
		if trace.Fits {
			names = append(names, trace.Rule)
		}
	}
	if !slices.Equal(names, []string{"sandbox", "production", "rest"}) {
		t.Errorf("it tells that these fit: %v", names)
	}
	reject := parse(t, team+"[[rule]]\nname = \"lax\"\ndirectory = \"/home\"\n[[rule]]\nname = \"no\"\npermission = \"bash\"\npattern = \"git *\"\ndecide = \"reject\"\n")
	if r := reject.Rule(in("//home")); r.Name != "no" || decided(r, in("//home")) != "reject" {
		t.Errorf("got %+v", r)
	}
}

// A symbolic link may lead elsewhere in the next moment: it fits a rule for any directory, and lets none answer.
func TestPath_ResolvedDirectories(t *testing.T) {
	restricts := parse(t, team+"[[rule]]\nname = \"a\"\ndirectory = \"/srv/production\"\nroles = \"lead\"\n")
	answers := parse(t, team+"[[rule]]\nname = \"a\"\nask = \"question\"\ndirectory = \"/home/ada\"\ndecide = \"accept-first\"\n")
	for _, c := range []struct {
		directory, resolved string
		restrict, answer    bool
	}{
		{"/home/ada/link", "/srv/production", true, false},
		{"/srv/production", "/home/ada/x", true, false},
		{"/home/ada/link", "/home/ada/real", true, true},
		{"/home/ada", "/home/ada", false, true},
		{"/home/ada", "", false, true},
		{"/home/ada", "../production", true, false},
	} {
		a := in(c.directory)
		a.Resolved = c.resolved
		if got := restricts.Rule(a).Name == "a"; got != c.restrict {
			t.Errorf("%s, which is %s: restricted is %v", c.directory, c.resolved, got)
		}
		a.Request.Permission, a.Request.Items = nil, []question.Item{database()}
		if got := decided(answers.Rule(a), a) == "SQLite"; got != c.answer {
			t.Errorf("%s, which is %s: answered is %v", c.directory, c.resolved, got)
		}
	}
}

// A link may say that a directory is really another one: that takes no rule for the directory away, however the rules are ordered.
func TestPath_ResolvedDirectoriesTakeNoRuleAway(t *testing.T) {
	book := parse(t, team+"[[rule]]\nname = \"sandbox\"\ndirectory = \"/sandbox\"\nroles = \"dev\"\n[[rule]]\nname = \"production\"\ndirectory = \"/srv/production\"\nroles = \"lead\"\n")
	for _, c := range []struct {
		directory, resolved string
		lead                bool
	}{
		{"/srv/production", "", true},
		{"/sandbox", "", false},
		{"/sandbox", "/sandbox/real", false},
		{"/srv/production", "/sandbox", true},
		{"/sandbox", "/srv/production", true},
	} {
		a := in(c.directory)
		a.Resolved = c.resolved
		rule := book.Rule(a)
		lists := append([][]string{rule.Roles}, rule.AlsoRoles...)
		if got := slices.ContainsFunc(lists, func(roles []string) bool { return slices.Equal(roles, []string{"lead"}) }); got != c.lead {
			t.Errorf("%s, which is %s, wants %q", c.directory, c.resolved, lists)
		}
	}
}

func TestPath_Patterns(t *testing.T) {
	file := func(kind, p string) policy.Ask {
		return policy.Ask{Request: question.Request{Session: "ses_1", Permission: &question.Permission{Kind: kind, Patterns: []string{p}}}, Directory: "/home/ada"}
	}
	for _, c := range []struct {
		glob, path string
		restricted bool
	}{
		{"secrets/*", "secrets/a", true},
		{"secrets/*", "./secrets/a", true},
		{"secrets/*", "src/../secrets/a", true},
		{"secrets/*", "secrets//a", true},
		{"secrets/*", `secrets\a`, true},
		{"secrets/*", "../ada/secrets/a", true},
		{"secrets/*", "~/secrets/a", true},
		{"secrets/*", "secrets\x00/a", true},
		{"secrets/*", "src/secrets/a", false},
		{"secrets/*", "Secrets/a", true},
		{"*.env", "../other/a.txt", false}, // however it begins, it ends otherwise
		{"*.env", "../other/a.env", true},
		{"/etc/*", "../../etc/hosts", true},
		{"/etc/*", "/etc/hosts", true},
		{"/etc/*", "/etc/./hosts", true},
	} {
		rule := fmt.Sprintf("[[rule]]\nname = \"a\"\npermission = \"edit\"\npattern = %q\ndecide = ", c.glob)
		if got := decided(parse(t, team+rule+`"reject"`).Rule(file("edit", c.path)), file("edit", c.path)) == "reject"; got != c.restricted {
			t.Errorf("%s and %q: rejected is %v", c.glob, c.path, got)
		}
	}
}

// The rule's own spelling does not count, and one that may mean anything is refused.
func TestPath_DirectoriesOfRules(t *testing.T) {
	for _, glob := range []string{"/srv//production", "//srv/production", "/srv/./production/", "/srv/production/."} {
		b := parse(t, team+fmt.Sprintf("[[rule]]\nname = \"a\"\ndirectory = %q\nroles = \"lead\"\n", glob))
		if b.Rule(in("/srv/production/x")).Name != "a" || b.Rule(in("/srv/productions")).Name == "a" {
			t.Errorf("%q does not mean /srv/production", glob)
		}
	}
	for _, glob := range []string{"/srv/../production", "/srv/*/..", `C:\srv\..`, "*/.."} {
		_, err := policy.Parse("rules.toml", []byte(team+fmt.Sprintf("[[rule]]\nname = \"a\"\ndirectory = '%s'\nroles = \"lead\"\n", glob)))
		if err == nil || !strings.Contains(err.Error(), "directory has .. in it") {
			t.Errorf("%q: %v", glob, err)
		}
	}
}

// However a directory is spelled: if its cleaned form is in the rule's, the rule fits.
func FuzzDirectory(f *testing.F) {
	for _, seed := range append(oddly(), "/srv/production/x", "/srv/productions", "/srv") {
		f.Add(seed)
	}
	var restricts *policy.Ruleset
	f.Fuzz(func(t *testing.T, directory string) {
		if restricts == nil {
			restricts = parse(t, team+"[[rule]]\nname = \"a\"\ndirectory = \"/srv/production\"\nroles = \"lead\"\n")
		}
		clean := path.Clean(directory)
		inside := clean == "/srv/production" || strings.HasPrefix(clean, "/srv/production/")
		if inside && restricts.Rule(in(directory)).Name != "a" {
			t.Fatalf("%q is not restricted", directory)
		}
	})
}
