package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/question"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
)

// approvals lets programs decide permission asks.
func approvals(c *config.Config) { c.APIApprovals = true }

// boss is a rules file with Ada, who leads, and Bob, who does not, and this rule; empty:
// without one.
func boss(t *testing.T, rule string) string {
	t.Helper()
	text := "[[person]]\nid = 42\nname = \"Ada\"\nroles = [\"lead\"]\n[[person]]\nid = 43\nname = \"Bob\"\nroles = [\"dev\"]\n"
	if rule != "" {
		text += "[[rule]]\nname = \"it\"\n" + rule + "\n"
	}
	return testenv.WriteFile(t, "rules.toml", text)
}

// What the HTTP interface and the terminal may decide, by the setting and by what a rule
// says of commands.
func TestApprovals_OverAPI(t *testing.T) {
	const setting, people = "HERMES_API_APPROVALS=true", "a rule leaves this to people"
	for name, test := range map[string]struct {
		on, file bool
		rule     string
		refused  string // what the refusal says; empty: it is decided
	}{
		"as installed":                  {refused: setting},
		"allowed":                       {on: true},
		"a file without a rule":         {file: true, refused: setting},
		"allowed, without a rule":       {on: true, file: true},
		"a rule of its time":            {file: true, rule: `timeout = "5m"`, refused: setting},
		"allowed, a rule of its time":   {on: true, file: true, rule: `timeout = "5m"`},
		"a rule of roles":               {file: true, rule: `roles = ["lead"]`, refused: people},
		"allowed, a rule of roles":      {on: true, file: true, rule: `roles = ["lead"]`, refused: people},
		"allowed, two must approve":     {on: true, file: true, rule: `approvals = 2`, refused: people},
		"allowed, a chat of its own":    {on: true, file: true, rule: `chats = [42]`, refused: people},
		"allowed, further chats later":  {on: true, file: true, rule: `escalate = [{ after = "10m", chats = [43] }]`, refused: people},
		"allowed, only who claims it":   {on: true, file: true, rule: "claim = \"10m\"\nclaim_exclusive = true", refused: people},
		"allowed, anybody may claim it": {on: true, file: true, rule: `claim = "10m"`},
	} {
		for _, way := range []string{"POST once", "POST always", "POST reject", "POST reject with a note", "hermes answer once", "hermes answer --reject", "hermes answer"} {
			t.Run(name+", "+way, func(t *testing.T) {
				alter := func(c *config.Config) {
					c.APIApprovals = test.on
					if test.file {
						c.Rules = boss(t, "")
						if test.rule != "" {
							c.Rules = boss(t, "permission = \"bash\"\n"+test.rule)
						}
					}
				}
				rig.Play(t, alter, func(r *rig.Rig) { decideOverAPI(r, way, test.refused) })
			})
		}
	}
}

// decideOverAPI fails the test unless a program decides a permission ask in this way, or
// is refused with this.
func decideOverAPI(r *rig.Rig, way, refused string) {
	r.T.Helper()
	if way == "hermes answer" && refused == "" {
		return // it asks: see TestAnswer_InATerminal
	}
	dir := r.Opencode.Directory()
	_, call := r.Opencode.AskPermission(dir, r.Opencode.NewSession(dir, "clean up"), rig.BashPermission("rm -rf build"))
	r.Wait(2 * time.Second)
	id := r.OpenQuestion().ID
	if told := r.OpenQuestion().InChat; !strings.Contains(told, refused) || (told == "") != (refused == "") {
		r.T.Errorf("it is listed with %q", told)
	}
	want, err := decideByProgram(r, way, id)
	r.Wait(5 * time.Second)
	entries := r.Journal(storage.EntryAnswered)
	if refused != "" {
		if err == nil || !strings.Contains(err.Error(), refused) || strings.HasPrefix(way, "hermes") && !strings.Contains(err.Error(), "in the chat") {
			r.T.Errorf("it is refused with %v", err)
		}
		r.WantNoAnswer(call)
		r.WantScreen("🔐", "rm -rf build")
		if len(entries) > 0 {
			r.T.Errorf("the journal has %+v", entries)
		}
		return
	}
	if err != nil || len(entries) != 1 || entries[0].By != (question.Actor{Kind: question.Caller, Token: "api"}) {
		r.T.Errorf("%v, and the journal has %+v", err, entries)
	}
	r.WantAnswers(call, []string{want})
}

// decideByProgram decides in one way, and says what OpenCode should get of it.
func decideByProgram(r *rig.Rig, way string, id question.ID) (string, error) {
	r.T.Helper()
	bodies := map[string][2]string{
		"POST once": {`{"answers":[["once"]]}`, "once"}, "POST always": {`{"answers":[["always"]]}`, "always"},
		"POST reject": {`{"reject":true}`, "reject"}, "POST reject with a note": {`{"reject":true,"note":"no"}`, "reject"},
	}
	if body, ok := bodies[way]; ok {
		code, text := r.Request("POST", "/v1/questions/"+string(id), body[0])
		if code == http.StatusForbidden {
			return body[1], fmt.Errorf("%s", text)
		}
		if code != http.StatusOK {
			r.T.Errorf("%s gave %d %s", way, code, text)
		}
		return body[1], nil
	}
	words, opts := []string{"once"}, answerOptions{}
	switch way {
	case "hermes answer --reject":
		words, opts.reject = nil, true
	case "hermes answer":
		words = nil
	}
	out, err := runAnswer(r, opts, string(id), words...)
	if err != nil && out != "" {
		r.T.Errorf("before it says that it cannot, it asks %q", out)
	}
	if opts.reject {
		return "reject", err
	}
	return "once", err
}

// A question that a rule leaves to people is neither answered nor rejected by a program;
// any other is.
func TestApprovals_QuestionsOverAPIWithRules(t *testing.T) {
	for rule, want := range map[string]int{"": 200, `roles = ["lead"]`: 403, `chats = [42]`: 200} {
		for _, body := range []string{`{"answers":[["SQLite"]]}`, `{"reject":true}`} {
			rig.Play(t, func(c *config.Config) { c.Rules = boss(t, "ask = \"question\"\n"+rule) }, func(r *rig.Rig) {
				r.Ask(rig.DatabaseQuestion())
				if code, text := r.Request("POST", "/v1/questions/"+string(r.OpenQuestion().ID), body); code != want {
					t.Errorf("%s with %q gave %d %s", body, rule, code, text)
				}
			})
		}
	}
}

// The asker withdraws its own ask, whatever a rule leaves to people.
func TestApprovals_WithdrawnThoughLeftToPeople(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.Rules = boss(t, `roles = ["lead"]`) }, func(r *rig.Rig) {
		path := r.Submit(rig.AskRegions)
		if code, text := r.Request("DELETE", path, ""); code != http.StatusOK {
			t.Errorf("withdrawing gave %d %s", code, text)
		}
		for _, kind := range []storage.EntryKind{storage.EntryAsked, storage.EntryAnswered} {
			if e := r.Journal(kind); len(e) != 1 || e[0].By != question.OverAPI() {
				t.Errorf("%s: the journal has %+v", kind, e)
			}
		}
	})
}

// The journal says that the HTTP interface's token reloaded the rules, and not a signal.
func TestApprovals_ReloadNamesItsToken(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.Rules = boss(t, `roles = ["lead"]`) }, func(r *rig.Rig) {
		if code, text := r.Request("POST", "/v1/reload", ""); code != http.StatusOK {
			t.Fatalf("reloading gave %d %s", code, text)
		}
		_, _ = r.Daemon.Rules.Reload(context.Background(), question.Actor{})
		e := r.Journal(storage.EntryReloaded)
		if len(e) != 2 || e[0].By != question.OverAPI() || e[1].By != (question.Actor{}) {
			t.Errorf("the journal has %+v", e)
		}
		if out := runAudit(r, auditOptions{}); !strings.Contains(out, "API (token api)") {
			t.Errorf("hermes audit prints\n%s", out)
		}
	})
}

// hermes audit names the token of each action, beside entries from before tokens were
// noted, and the chain over both holds.
func TestApprovals_AuditNamesTokens(t *testing.T) {
	entries := append(history(), storage.Entry{Kind: storage.EntryUnpaired, By: question.OverAPI(), Detail: "group", Note: "-5"})
	c := recorded(t, entries...)
	for want, opts := range map[string]auditOptions{
		"API (token api)": {}, `,"api"` + "\n": {csv: true}, `"token":"api"`: {json: true},
		"13 entries": {verify: true},
	} {
		out, _, err := audited(c, rig.RoundTripper(nobody), opts)
		if err != nil || !strings.Contains(out, want) || strings.Count(out, want) != 1 {
			t.Errorf("%q is not in it once: %v\n%s", want, err, out)
		}
	}
}
