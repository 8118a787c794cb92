package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/question"
	"hermes/internal/simulate/rig"
)

// atNight is the documented rule, at every hour, with what answers a question at its
// deadline.
const atNight = `
[[person]]
id    = 42
name  = "Ada"
roles = ["lead"]
[[rule]]
name               = "at night"
ask                = "question"
hours              = "00:00-23:59"
decide             = "accept-first"
prefer_recommended = true
[[rule]]
name       = "by default"
timeout    = "10m"
on_timeout = "accept-first"
`

// Neither a rule nor a setting that answers questions decides what a program asks leave
// for, and no words do.
func TestAskPermission_ProgramsPermissionIsNoQuestion(t *testing.T) {
	t.Parallel()
	for name, rules := range map[string]string{"by a setting": "", "by a rule": atNight} {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, func(c *config.Config) { c.OnExpiry, c.QuestionTTL = question.ExpireAccept, 10*time.Minute }, func(r *rig.Rig) {
				if rules != "" {
					r.UseRules(rules)
				}
				path := r.Submit(rig.AskLeave)
				r.WantScreen("🔐 Run a command · shop-api", `rm -rf /srv # [U+202E]kcab[U+200B]`, "in /home/ada/src/shop-api · Claude Code: shop-api")
				for _, words := range []string{"once", "always", "1", "Allow once", "allow", "yes"} {
					r.Say(words, r.Last().ID)
					r.Wait(time.Second)
				}
				r.Wait(11 * time.Minute)
				r.WantResponse("GET", path, http.StatusOK, `{"status":"aborted","answers":[],"aborted_by":{"kind":"deadline"}}`)
			})
		})
	}
}

const rulesOfPrograms = `
[[person]]
id    = 42
name  = "Ada"
roles = ["lead"]
[[person]]
id    = 43
name  = "Bob"
roles = ["lead"]
[[rule]]
name       = "no deleting"
permission = "bash"
pattern    = "*rm *"
decide     = "reject"
[[rule]]
name       = "production"
ask        = "permission"
directory  = "/srv/production"
roles      = ["lead"]
approvals  = 2
claim      = "15m"
chats      = [42, 43]
`

// The rules of permissions hold for a program's as they do for OpenCode's.
func TestAskPermission_RulesForAProgramsPermission(t *testing.T) {
	t.Parallel()
	rig.Play(t, nil, func(r *rig.Rig) {
		r.UseRules(rulesOfPrograms)
		if _, err := r.Telegram.Say(rig.Bob, rig.Bob, "/start"); err != nil {
			t.Fatal(err)
		}
		r.Wait(2 * time.Second)
		leave := func(directory, command string) string {
			return `{"directory":"` + directory + `","permission":{"kind":"bash","command":"` + command + `"}}`
		}
		r.WantResponse("GET", r.Submit(rig.AskLeave), http.StatusOK, rejectedByRule)
		for _, directory := range []string{"/srv/production", "//srv/production", "/home/../srv/production", ""} {
			path := r.Submit(leave(directory, "git status --short"))
			r.WantScreen("git status --short", "Needs 2 of: Ada, Bob")
			r.TapIn(rig.Ada, rig.Ada, "✅ Allow once")
			r.Wait(2 * time.Second)
			if code, text := r.Request("GET", path, ""); code != 200 || !strings.Contains(text, `"pending"`) {
				t.Errorf("%q: one of two: %d %s", directory, code, text)
			}
			r.TapIn(rig.Bob, rig.Bob, "✅ Allow once")
			r.Wait(2 * time.Second)
			r.WantResponse("GET", path, http.StatusOK, strings.NewReplacer("Ada", "Bob", "42", "43").Replace(allowedByAda))
		}
	})
}

const (
	allowedByAda   = `{"status":"answered","answers":[{"question_id":"permission","selected_option_ids":["once"]}],"answered_by":{"kind":"person","name":"Ada","user":42}}`
	rejectedByRule = `{"status":"aborted","answers":[],"aborted_by":{"kind":"rule","name":"no deleting"}}`
)
