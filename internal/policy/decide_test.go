package policy_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
)

func item(header, text string, labels ...string) question.Item {
	i := question.Item{Header: header, Text: text}
	for _, l := range labels {
		i.Options = append(i.Options, question.Option{Label: l})
	}
	return i
}

func database() question.Item {
	return item("Database", "Which database should this feature use?", "SQLite", "PostgreSQL (Recommended)")
}

func languages() question.Item {
	i := item("Languages", "Which languages?", "Go", "Rust", "Zig")
	i.Multiple = true
	return i
}

func name() question.Item {
	i := item("Name", "What shall it be called?")
	i.Custom = true
	return i
}

func asking(items ...question.Item) policy.Ask {
	return policy.Ask{Request: question.Request{Session: "ses_1", Agent: "build", Items: items}, Place: session.Place{Root: "ses_1"}}
}

// decided is a decision in one line.
func decided(r policy.Rule, a policy.Ask) string {
	d, ok := r.Decision(a.Request)
	switch {
	case !ok:
		return "people"
	case d.By != question.Actor{Kind: question.RuleActor, Name: r.Name}:
		return fmt.Sprintf("by %+v", d.By)
	case d.Reject && d.Answers == nil:
		return "reject"
	}
	var lists []string
	for _, list := range d.Answers {
		lists = append(lists, strings.Join(list, ","))
	}
	return strings.Join(lists, " | ")
}

func TestRule_Decision(t *testing.T) {
	several := asking(database(), languages())
	open, openList := database(), languages()
	open.Custom, openList.Custom = true, true
	for _, c := range []struct {
		rule string
		ask  policy.Ask
		want string
	}{
		{``, several, "people"},
		{`decide = "forward"`, several, "people"},
		{`decide = "reject"`, several, "reject"},
		{`decide = "accept-first"`, several, "SQLite | Go"},
		{`decide = "accept-first"`, asking(database(), name()), "reject"},
		{`decide = "accept-first"`, asking(), "reject"},
		{"decide = \"accept-first\"\nprefer_recommended = true", several, "PostgreSQL (Recommended) | Go"},
		{auto(`{ header = "database", answer = "SQLite" }`), asking(database()), "SQLite"},
		{auto(`{ header = "database", answer = "postgresql" }`), asking(database()), "PostgreSQL (Recommended)"},
		{auto(`{ header = "database", answer = "Postgre" }`), asking(database()), "reject"},
		{auto(`{ text = "this feature", answer = "SQLite" }`), asking(database()), "SQLite"},
		{auto(`{ header = "x", answer = "SQLite" }`), asking(database()), "reject"},
		{auto(`{ header = "data", text = "languages", answer = "SQLite" }`), asking(database()), "reject"},
		{auto(`{ number = 2, answer = ["Zig", "go"] }, { number = 1, answer = "SQLite" }`), several, "SQLite | Zig,Go"},
		{auto(`{ number = 2, answer = "Zig" }`), several, "reject"},
		{auto(`{ number = 2, answer = "Zig" }`) + "\nfallback = \"accept-first\"", several, "SQLite | Zig"},
		{auto(`{ number = 2, answer = "Zig" }`) + "\nfallback = \"accept-first\"\nprefer_recommended = true", several, "PostgreSQL (Recommended) | Zig"},
		{auto(`{ number = 1, answer = "MySQL" }`) + "\nfallback = \"accept-first\"", asking(database()), "SQLite"},
		{auto(`{ number = 1, answer = ["SQLite", "PostgreSQL"] }`), asking(database()), "reject"},
		{auto(`{ number = 1, answer = ["Go", "C"] }`), asking(languages()), "reject"},
		{auto(`{ number = 1, answer = "The Bridge" }`), asking(name()), "The Bridge"},
		{auto(`{ number = 1, answer = { text = "The Bridge" } }`), asking(name()), "The Bridge"},
		{auto(`{ number = 1, answer = "SQLite" }`), asking(open), "SQLite"},
		{auto(`{ number = 1, answer = "MySQL" }`), asking(open), "people"}, // sent as it was by earlier versions
		{auto(`{ number = 1, answer = "MySQL" }`) + "\nfallback = \"reject\"", asking(open), "reject"},
		{auto(`{ number = 1, answer = "MySQL" }`) + "\nfallback = \"accept-first\"", asking(open), "SQLite"},
		{auto(`{ number = 1, answer = { text = "MySQL" } }`), asking(open), "MySQL"},
		{auto(`{ number = 1, answer = { text = "sqlite" } }`), asking(open), "sqlite"}, // these very words
		{auto(`{ number = 1, answer = { text = "MySQL" } }`), asking(database()), "reject"},
		{auto(`{ number = 1, answer = ["Go", { text = "Odin" }] }`), asking(openList), "Go,Odin"},
		{auto(`{ number = 1, answer = ["Go", "Odin"] }`), asking(openList), "people"},
		{auto(`{ number = 1, answer = "SQLite" }, { number = 2, answer = "Odin" }`), asking(open, openList), "people"}, // not half of it
		{auto(`{ number = 3, answer = "x" }`), asking(open), "reject"},                                                 // no entry is for it
		{auto(`{ number = 2, answer = "x" }`) + "\nfallback = \"accept-first\"", asking(name()), "reject"},
		{auto(`{ text = "a", answer = "b" }, { number = 1, answer = "SQLite" }`), asking(database()), "reject"}, // the first that fits counts
		{auto(`{ number = 1, answer = "a" }`), asking(item("", "", "A", "A (Recommended)")), "reject"},          // two would do
	} {
		b := parse(t, team+"[[rule]]\nname = \"a\"\nask = \"question\"\n"+c.rule)
		if got := decided(b.Rule(c.ask), c.ask); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.rule, got, c.want)
		}
	}
}

func auto(answers string) string { return "decide = \"auto\"\nanswers = [" + answers + "]" }

func TestRule_ItemConditions(t *testing.T) {
	office := func(hour int) policy.Ask {
		a := asking(database())
		a.At = time.Date(2026, 7, 1, hour, 30, 0, 0, time.UTC)
		return a
	}
	for _, c := range []struct {
		when string
		ask  policy.Ask
		want bool
	}{
		{`header = "data"`, asking(database()), true},
		{`header = "language"`, asking(database()), false},
		{`header = ["x", "LANG"]`, asking(database(), languages()), true},
		{`header = "Database"`, bash("Database"), false},
		{`header_regex = "^Data"`, asking(database()), true},
		{`header_regex = "^data"`, asking(database()), false},
		{`header_regex = "(?i)^data"`, asking(database()), true},
		{`text = "which  DATABASE"`, asking(database()), true},
		{`text_regex = "(use|need)\\?$"`, asking(database()), true},
		{`text_regex = ["^x", "(use|need)$"]`, asking(database()), false},
		{`option = "sqlite"`, asking(database()), true},
		{`option = "postgre*"`, asking(database()), true},
		{`option = "postgre"`, asking(database()), false},
		{`option = "*"`, asking(name()), false},
		{"header = \"database\"\noption = \"go\"", asking(database(), languages()), false}, // not of one question
		{"header = \"lang\"\noption = \"go\"", asking(database(), languages()), true},
		{"hours = \"09:00-18:00\"\nhours_zone = \"UTC\"", office(9), true},
		{"hours = \"09:00-18:00\"\nhours_zone = \"UTC\"", office(18), false},
		{"hours = \"09:00-18:00\"\nhours_zone = \"Europe/Berlin\"", office(7), true},
		{"hours = \"22:00-07:00\"\nhours_zone = \"UTC\"", office(3), true},
	} {
		b := parse(t, team+"[[rule]]\nname = \"a\"\n"+c.when)
		if got := b.Rule(c.ask).Name == "a"; got != c.want {
			t.Errorf("%s: fits is %v, want %v", c.when, got, c.want)
		}
	}
	b := parse(t, "hours_zone = \"Asia/Tokyo\"\n"+team+"[[rule]]\nname = \"a\"\nhours = \"09:00-18:00\"\n")
	if b.Rule(office(0)).Name != "a" || b.Rule(office(9)).Name == "a" {
		t.Error("the zone at the top of the file does not count")
	}
}

// A question does not hide behind another one that a rule answers; a rule that
// restricts fits as soon as one question does.
func TestRule_AnswersOnlyWhatFitsWhole(t *testing.T) {
	both := asking(database(), item("Production", "Delete production?", "Yes", "No"))
	for rule, want := range map[string]bool{
		`decide = "accept-first"`: false,
		auto(`{ number = 1, answer = "SQLite" }`) + "\nfallback = \"accept-first\"": false,
		`decide = "reject"`:           true,
		`on_timeout = "accept-first"`: true,
	} {
		b := parse(t, team+"[[rule]]\nname = \"a\"\nheader = \"database\"\n"+rule)
		r := b.Rule(both)
		if (r.Name == "a") != want {
			t.Errorf("%s: fits %q, want that %v", rule, r.Name, want)
		}
		if r.OnTimeout == question.ExpireAccept {
			t.Errorf("%s: takes the first choice of a question that it does not fit", rule)
		}
	}
	b := parse(t, team+"[[rule]]\nname = \"a\"\nheader = \"database\"\non_timeout = \"accept-first\"\n")
	if r := b.Rule(asking(database())); r.OnTimeout != question.ExpireAccept {
		t.Errorf("got %q", r.OnTimeout)
	}
}

// Whatever a rule decides, a permission is never allowed by it.
func TestRule_AllowsNothing(t *testing.T) {
	for _, d := range []policy.Decide{policy.Forward, policy.Reject, policy.AcceptFirst, policy.Auto, "allow-once", ""} {
		for _, fallback := range []policy.Decide{"", policy.Reject, policy.AcceptFirst} {
			r := policy.Rule{Name: "a", AutoDecision: policy.AutoDecision{
				Decide: d, Fallback: fallback, Answers: []policy.PresetAnswer{{Number: 1, Answer: []policy.PresetText{{Text: question.Once, Own: true}}}},
			}}
			if got := decided(r, bash("git status")); got != "people" && got != "reject" {
				t.Errorf("%s, %s: %s", d, fallback, got)
			}
		}
	}
}

// Nothing is decided as long as a stricter rule may turn out to fit.
func TestRule_DecidesNothingUnsure(t *testing.T) {
	strict := "[[rule]]\nname = \"strict\"\n%s\n"
	lax := "[[rule]]\nname = \"lax\"\nask = \"question\"\ndecide = \"accept-first\"\n"
	own := "[[rule]]\nname = \"lax\"\nask = \"question\"\ndecide = \"accept-first\"\n%s\n"
	noPlace, noAgent, program := asking(database()), asking(database()), asking(database())
	noPlace.Place, noAgent.Request.Agent = session.Place{}, ""
	program.Request.Session, program.Request.Agent, program.Place = "", "", session.Place{Title: "Release"}
	for _, c := range []struct {
		rules string
		ask   policy.Ask
		want  string
	}{
		{fmt.Sprintf(strict, `subagent = true`) + lax, noPlace, "people"},
		{fmt.Sprintf(strict, `subagent = true`) + lax, asking(database()), "SQLite"},
		{fmt.Sprintf(strict, `session = "night"`) + lax, noPlace, "people"},
		{fmt.Sprintf(strict, `agent = "plan"`) + lax, noAgent, "people"},
		{fmt.Sprintf(strict, `agent = "plan"`) + lax, asking(database()), "SQLite"},
		{fmt.Sprintf(strict, "agent = \"plan\"\nask = \"permission\"") + lax, noAgent, "SQLite"}, // cannot fit at all
		{fmt.Sprintf(own, `subagent = false`), noPlace, "people"},
		{fmt.Sprintf(own, `agent = "*"`), noAgent, "people"},
		{fmt.Sprintf(strict, "agent = \"plan\"\nsubagent = true") + lax, program, "SQLite"}, // a program has neither
	} {
		r := parse(t, team+c.rules).Rule(c.ask)
		if got := decided(r, c.ask); got != c.want || r.Unsure && got != "people" {
			t.Errorf("%s\ngot %s, want %s", c.rules, got, c.want)
		}
	}
	b := parse(t, team+"[[rule]]\nname = \"strict\"\npattern = \"*rm *\"\n[[rule]]\nname = \"lax\"\npermission = \"bash\"\npattern = \"git *\"\ndecide = \"reject\"\n")
	parts := policy.Ask{Request: question.Request{Permission: &question.Permission{Kind: "bash", Patterns: []string{"git a"}}}}
	if r := b.Rule(parts); !r.Unsure {
		t.Error("the command is not known, and may be a stricter rule's")
	}
}

func TestParse_DecidingRule(t *testing.T) {
	r := parse(t, team+`[[rule]]
name = "a"
ask = "question"
timeout = "2s"
on_timeout = "wait"
remind = ["1s"]
`).Rule(asking(database()))
	if r.Timeout != 2*time.Second || r.OnTimeout != question.ExpireWait || !slices.Equal(r.Remind, []time.Duration{time.Second}) || r.Notify {
		t.Errorf("%+v", r)
	}
	r = parse(t, team+"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"reject\"\nnotify = true\nchats = 5\n").Rule(asking(database()))
	if !r.Notify || r.Decide != policy.Reject || len(r.Targets) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestRuleset_Explain(t *testing.T) {
	b := parse(t, team+`[[rule]]
name = "shell"
permission = ["bash", "edit"]
subagent = false
[[rule]]
name = "databases"
header = "database"
option = "sqlite"
[[rule]]
name = "rest"
`)
	a := asking(database())
	a.Place = session.Place{}
	want := []policy.Trace{
		{Rule: "shell", Tests: []policy.Test{{`permission = ["bash", "edit"]`, policy.NotMet}, {"subagent = false", policy.NotKnown}}},
		{Rule: "databases", Fits: true, Tests: []policy.Test{
			{`header = "database"`, policy.Met}, {`option = "sqlite"`, policy.Met}, {"all in one question", policy.Met},
		}},
	}
	if got := b.Explain(a); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := b.Explain(asking(languages())); len(got) != 3 || !got[2].Fits || got[2].Tests != nil {
		t.Errorf("got %+v", got)
	}
}
