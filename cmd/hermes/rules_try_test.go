package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
)

// tryRules runs hermes rules test.
func tryRules(input string, args ...string) (int, string) {
	var out, errs strings.Builder
	code := run(append([]string{"rules", "test"}, args...), streams{in: strings.NewReader(input), out: &out, err: &errs})
	return code, out.String() + errs.String()
}

// nobodyListens is an address without a hermes.
const nobodyListens = "127.0.0.1:1"

// askedOnce is an ask as GET /v1/questions gives it.
const askedOnce = `{"id":"AAAAAAAAAAAA","request":"que_1","session":"ses_1","root_session":"ses_1","project":"shop-api","directory":"/src/shop-api",
"title":"fix checkout flow","agent":"build","asked":"2026-11-21T14:05:00Z","state":"open","questions":[{"header":"Database","question":"Which database?",
"options":[{"label":"SQLite","description":"file based"},{"label":"PostgreSQL (Recommended)"}],"multiple":false,"custom":true}]}`

const askedLeave = `{"session":"ses_1","project":"p","directory":"/src","asked":"2026-11-21T14:06:00Z","state":"open","questions":[],
"permission":{"kind":"bash","patterns":["git status"],"always":["git *"],"command":"COMMAND"}}`

func TestRules_Try(t *testing.T) {
	testenv.Isolate(t)
	t.Setenv("HERMES_LISTEN", nobodyListens)
	rules := testenv.WriteFile(t, "rules.toml", rig.RulesThatDecide+`
[[rule]]
name      = "subagents"
subagent  = true
roles     = "lead"
[[rule]]
name      = "rest"
ask       = "permission"
approvals = 1
`)
	head := "que_1 · 2026-11-21 14:05:00 · \"Database\" · /src/shop-api\n"
	for _, c := range []struct{ request, want string }{
		{askedOnce, head +
			"  rule \"no deleting\" does not fit: permission = \"bash\"; pattern = \"*rm *\"\n" +
			"  rule \"databases\" fits: header = \"Database\"\n" +
			"  => answers \"PostgreSQL (Recommended)\", and shows it in 42\n"},
		{strings.Replace(askedLeave, "COMMAND", "git status; rm x", 1), "2026-11-21 14:06:00 · bash: git status; rm x · /src\n" +
			"  rule \"no deleting\" fits: permission = \"bash\"; pattern = \"*rm *\"\n" +
			"  => rejects it, and shows it in 42\n"},
	} {
		for _, form := range []string{c.request, "[" + c.request + "]", `{"questions":[` + c.request + `]}`} {
			if code, got := tryRules(form, rules, "--request", "-"); code != 0 || got != c.want {
				t.Errorf("exit %d\n%s\nwant\n%s", code, got, c.want)
			}
		}
	}
	code, got := tryRules(strings.Replace(askedLeave, "COMMAND", "git status && make", 1), rules, "--request", "-")
	for _, want := range []string{"rule \"subagents\" fits: subagent = true (what it looks at is not known, so it counts as met)", "rule \"rest\" fits: ask = \"permission\"", "=> asks people who are lead (Ada) in 42"} {
		if code != 0 || !strings.Contains(got, want) {
			t.Errorf("exit %d, %q is not in\n%s", code, want, got)
		}
	}
}

// The last asks of the running hermes, open and ended ones, with nothing done to them.
func TestRules_TryLast(t *testing.T) {
	rules := testenv.WriteFile(t, "rules.toml", rig.RulesThatDecide)
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Config.HookToken = rig.HookKey
		_, first := r.Ask(rig.DatabaseQuestion())
		r.Tap("1.")
		r.Wait(5 * time.Second)
		r.WantAnswers(first, []string{"SQLite"})
		_, second := r.Ask(rig.ProjectNameQuestion())
		before := len(r.Journal(storage.EntryAnswered))
		try := func(n int) string {
			var out strings.Builder
			cmd := rulesTestCommand()
			cmd.SetOut(&out)
			cmd.SetContext(context.Background())
			hermes := apiclient.New(r.Config, rig.RoundTripper(r.RoundTrip))
			if err := (rulesTrial{hermes: hermes, file: rules, last: n}).run(cmd); err != nil {
				t.Fatal(err)
			}
			return out.String()
		}
		if got := try(20); strings.Count(got, "=> ") != 2 || !strings.Contains(got, "=> answers \"PostgreSQL (Recommended)\"") || !strings.HasSuffix(got, "=> dismisses it, and shows it in 42\n") {
			t.Errorf("got\n%s", got)
		}
		if got := try(1); strings.Count(got, "=> ") != 1 || !strings.Contains(got, "\"Name\"") {
			t.Errorf("got\n%s", got)
		}
		r.WantNoAnswer(second)
		if after := len(r.Journal(storage.EntryAnswered)); after != before {
			t.Error("something was answered")
		}
		for _, bad := range []string{"0", "-1", "1001", "x"} {
			if code, body := r.Request("GET", "/v1/questions?last="+bad, ""); code != 400 || !strings.Contains(body, "from 1 to 1000") {
				t.Errorf("last=%s gives %d %s", bad, code, body)
			}
		}
	})
}
