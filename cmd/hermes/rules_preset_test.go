package main

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

const rulesWithAnswer = `
[[person]]
id    = 42
name  = "Ada"
roles = ["lead"]
[[rule]]
name    = "databases"
header  = "Database"
undo    = "10s"
notify  = true
decide  = "auto"
answers = [{ header = "Database", answer = ANSWER }]
`

// What an answer that is none of the options leads to is told by check, test says it of one ask.
func TestRules_AnswerThatIsNoOption(t *testing.T) {
	testenv.Isolate(t)
	t.Setenv("HERMES_LISTEN", nobodyListens)
	note := "note: rule \"databases\": where \"MySQL\" is none of a question's options, people are asked"
	for _, c := range []struct{ answer, check, test string }{
		{`"MySQL"`, note, `=> asks people in 42; what is decided can be taken back for 10s: "MySQL" is no answer that question 1 takes`},
		{"\"MySQL\" }]\nfallback = \"reject\" #", "", `=> dismisses it, and shows it in 42; what is decided can be taken back for 10s: "MySQL" is no answer that question 1 takes`},
		{`{ text = "MySQL" }`, "", `=> answers "MySQL", and shows it in 42; what is decided can be taken back for 10s` + "\n"},
	} {
		path := testenv.WriteFile(t, "rules.toml", strings.Replace(rulesWithAnswer, "ANSWER", c.answer, 1))
		var out, errs strings.Builder
		if code := run([]string{"rules", "check", path}, streams{in: strings.NewReader(""), out: &out, err: &errs}); code != 0 {
			t.Errorf("%s: check ends with %d: %s", c.answer, code, errs.String())
		}
		if got := out.String(); !strings.Contains(got, c.check) || c.check == "" && strings.Contains(got, "note:") {
			t.Errorf("%s: check says %q", c.answer, got)
		}
		if code, got := tryRules(askedOnce, path, "--request", "-"); code != 0 || !strings.Contains(got, c.test) {
			t.Errorf("%s: test ends with %d and\n%s\nwant %s", c.answer, code, got, c.test)
		}
	}
}

// People are asked, and the log says why, where a rule of before has an answer that is none of the options.
func TestDecideRules_AnswerThatIsNoOption(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.UseRules(strings.Replace(rulesWithAnswer, "ANSWER", `"MySQL"`, 1))
		r.Ask(rig.DatabaseQuestion())
		r.Wait(5 * time.Second)
		r.WantScreen("❓", "1. SQLite")
		if !strings.Contains(r.Log.String(), "a rule's answer does not fit the question") {
			t.Error("the log does not say why")
		}
	})
}
