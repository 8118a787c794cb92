package main

import (
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

// No program decides a permission ask, by the HTTP interface or in the terminal, whatever a rule says of commands: a person's tap does.
func TestApprovals_OverAPI(t *testing.T) {
	for _, rule := range []string{"", `timeout = "5m"`, `claim = "10m"`, `roles = ["lead"]`, `chats = [42]`} {
		for _, way := range []string{`{"answers":[["once"]]}`, `{"answers":[["always"]]}`, `{"reject":true}`, "once", "always", "--reject", ""} {
			t.Run(rule+", "+way, func(t *testing.T) {
				alter := func(c *config.Config) {
					if rule != "" {
						c.Rules = boss(t, "permission = \"bash\"\n"+rule)
					}
				}
				rig.Play(t, alter, func(r *rig.Rig) { onlyInTheChat(r, way) })
			})
		}
	}
}

// onlyInTheChat fails the test unless a program is refused that tries to decide a permission ask in this way: a body of POST, or
// words of hermes answer.
func onlyInTheChat(r *rig.Rig, way string) {
	r.T.Helper()
	const refused = "permission asks are decided by people, in the chat alone"
	dir := r.Opencode.Directory()
	_, call := r.Opencode.AskPermission(dir, r.Opencode.NewSession(dir, "clean up"), rig.BashPermission("rm -rf build"))
	r.Wait(2 * time.Second)
	q := r.OpenQuestion()
	if q.InChat != refused {
		r.T.Errorf("it is listed with %q", q.InChat)
	}
	if strings.HasPrefix(way, "{") {
		if code, text := r.Request("POST", "/v1/questions/"+string(q.ID), way); code != http.StatusForbidden || !strings.Contains(text, refused) {
			r.T.Errorf("POST gave %d %s", code, text)
		}
	} else {
		reject, words := way == "--reject", strings.Fields(strings.TrimPrefix(way, "--reject"))
		if out, err := runAnswer(r, reject, string(q.ID), words...); err == nil || err.Error() != refused || out != "" {
			r.T.Errorf("hermes answer gave %v, and said %q", err, out)
		}
	}
	r.Wait(5 * time.Second)
	r.WantNoAnswer(call)
	r.WantScreen("🔐", "rm -rf build")
	if entries := r.Journal(storage.EntryAnswered); len(entries) > 0 {
		r.T.Errorf("the journal has %+v", entries)
	}
	r.Tap("✅ Allow once")
	r.Wait(2 * time.Second)
	r.WantAnswers(call, []string{"once"})
}

// No rule that answers, and no deadline, allows a permission, to OpenCode or to a program that asks for it.
func TestApprovals_NoRuleAndNoDeadlineAllows(t *testing.T) {
	const before = "[[person]]\nid = 42\nname = \"Ada\"\nroles = [\"lead\"]\n"
	for name, rules := range map[string]string{
		"without rules": "",
		"at night":      atNight,
		"accept-first":  before + "[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"accept-first\"\n",
		"auto":          before + "[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"auto\"\nanswers = [{ number = 1, answer = \"once\" }]\nfallback = \"accept-first\"\n",
		"a deadline":    before + "[[rule]]\nname = \"a\"\ntimeout = \"5m\"\non_timeout = \"accept-first\"\n",
		"for its kind":  before + "[[rule]]\nname = \"a\"\npermission = \"bash\"\ntimeout = \"5m\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, func(c *config.Config) { c.OnExpiry, c.QuestionTTL = question.ExpireAccept, 10*time.Minute }, func(r *rig.Rig) {
				if rules != "" {
					r.UseRules(rules)
				}
				dir := r.Opencode.Directory()
				_, call := r.Opencode.AskPermission(dir, r.Opencode.NewSession(dir, "clean up"), rig.BashPermission("rm -rf build"))
				asked := r.Submit(rig.AskLeave)
				wish := strings.Replace(rig.AskLeave, `{"title"`, `{"ttl":"1m","on_timeout":"accept-first","title"`, 1)
				if code, text := r.Request("POST", "/v1/ask", wish); code != http.StatusBadRequest || !strings.Contains(text, "on_timeout") {
					t.Errorf("a program that wants it allowed at its deadline got %d %s", code, text)
				}
				r.Wait(11 * time.Minute)
				r.WantAnswers(call, []string{"reject"})
				r.WantResponse("GET", asked, http.StatusOK, `{"status":"aborted","answers":[],"aborted_by":{"kind":"deadline"}}`)
			})
		})
	}
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

// hermes audit names the token of each action, beside entries from before tokens were
// noted, and the chain over both holds.
func TestApprovals_AuditNamesTokens(t *testing.T) {
	entries := append(history(), storage.Entry{Kind: storage.EntryUnpaired, By: question.OverAPI(), Detail: "group", Note: "-5"})
	c := recorded(t, entries...)
	for want, reject := range map[string]auditOptions{
		"API (token api)": {}, `"token":"api"`: {json: true},
		"13 entries": {verify: true},
	} {
		out, _, err := audited(c, rig.RoundTripper(nobody), reject)
		if err != nil || !strings.Contains(out, want) || strings.Count(out, want) != 1 {
			t.Errorf("%q is not in it once: %v\n%s", want, err, out)
		}
	}
}
