package policy_test

import (
	"slices"
	"strings"
	"testing"

	"hermes/internal/policy"
)

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
