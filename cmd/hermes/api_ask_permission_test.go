package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
)

const (
	askLeave = `{"title":"Claude Code: shop-api","directory":"/home/ada/src/shop-api","permission":{"kind":"bash",` +
		`"command":"rm -rf /srv # \u202ekcab\u200b","patterns":["rm -rf /srv # \u202ekcab\u200b"],"details":{"description":"clean up"}}}`
	allowedByAda   = `{"status":"answered","answers":[{"question_id":"permission","selected_option_ids":["once"]}],"answered_by":{"kind":"person","name":"Ada","user":42}}`
	rejectedByAda  = `{"status":"aborted","answers":[],"aborted_by":{"kind":"person","name":"Ada","user":42}}`
	rejectedByRule = `{"status":"aborted","answers":[],"aborted_by":{"kind":"rule","name":"no deleting"}}`
)

// permissionExchanges are the examples of the protocol, of permissions.
func permissionExchanges() map[string]func(*exchange) {
	return map[string]func(*exchange){
		"permission-allowed":  func(e *exchange) { e.post(askLeave); e.does("✅ Allow once") },
		"permission-rejected": func(e *exchange) { e.post(askLeave); e.does("🚫 Reject") },
		"permission-noted": func(e *exchange) {
			e.post(askLeave)
			e.does("💬 Reject with a note")
			e.say("Use make clean.", e.last().ID)
			e.wait(2 * time.Second)
		},
		"permission-in-words": func(e *exchange) {
			e.post(askLeave)
			e.say("Allow once", e.last().ID)
			e.wait(2 * time.Second)
			e.http("GET", e.path, "")
			e.does("💬 Reject with a note")
		},
		"permission-expired": func(e *exchange) {
			e.post(strings.Replace(askLeave, `{"title"`, `{"ttl":"5m","title"`, 1))
			e.wait(6 * time.Minute)
		},
		"permission-withdrawn": func(e *exchange) {
			e.post(askLeave)
			e.http("DELETE", e.path, "")
			e.wait(2 * time.Second)
		},
		"permission-to-edit": func(e *exchange) {
			e.post(`{"permission":{"kind":"edit","patterns":["main.go"],"diff":"-a\n+b"},"ttl":0}`)
			e.does("✅ Allow once")
		},
	}
}

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
func TestAProgramsPermissionIsNoQuestion(t *testing.T) {
	t.Parallel()
	for name, rules := range map[string]string{"by a setting": "", "by a rule": atNight} {
		t.Run(name, func(t *testing.T) {
			play(t, func(c *config) { c.OnExpiry, c.QuestionTTL = question.ExpireAccept, 10*time.Minute }, func(r *rig) {
				if rules != "" {
					r.follow(rules)
				}
				path := r.submit(askLeave)
				r.screen("🔐 Run a command · shop-api", `rm -rf /srv # [U+202E]kcab[U+200B]`, "in /home/ada/src/shop-api · Claude Code: shop-api")
				for _, words := range []string{"once", "always", "1", "Allow once", "allow", "yes"} {
					r.say(words, r.last().ID)
					r.wait(time.Second)
				}
				r.wait(11 * time.Minute)
				r.told("GET", path, http.StatusOK, `{"status":"aborted","answers":[],"aborted_by":{"kind":"deadline"}}`)
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
[[rule]]
name       = "looking around"
permission = "bash"
pattern    = "git status*"
decide     = "allow-once"
`

// The rules of permissions hold for a program's as they do for OpenCode's.
func TestRulesForAProgramsPermission(t *testing.T) {
	t.Parallel()
	const byRule = `{"status":"answered","answers":[{"question_id":"permission","selected_option_ids":["once"]}],"answered_by":{"kind":"rule","name":"looking around"}}`
	play(t, nil, func(r *rig) {
		r.follow(rulesOfPrograms)
		if _, err := r.telegram.Say(bob, bob, "/start"); err != nil {
			t.Fatal(err)
		}
		r.wait(2 * time.Second)
		leave := func(directory, command string) string {
			return `{"directory":"` + directory + `","permission":{"kind":"bash","command":"` + command + `"}}`
		}
		r.told("GET", r.submit(askLeave), http.StatusOK, rejectedByRule)
		r.told("GET", r.submit(leave("/home/ada", "git status")), http.StatusOK, byRule)
		for _, directory := range []string{"/srv/production", "//srv/production", "/home/../srv/production", ""} {
			path := r.submit(leave(directory, "git status --short"))
			r.screen("git status --short", "Needs 2 approvals")
			r.tapIn(ada, ada, "✅ Allow once")
			r.wait(2 * time.Second)
			if code, text := r.request("GET", path, ""); code != 200 || !strings.Contains(text, `"pending"`) {
				t.Errorf("%q: one of two: %d %s", directory, code, text)
			}
			r.tapIn(bob, bob, "✅ Allow once")
			r.wait(2 * time.Second)
			r.told("GET", path, http.StatusOK, strings.NewReplacer("Ada", "Bob", "42", "43").Replace(allowedByAda))
		}
	})
}

// What was decided while hermes stood still, or was asked before a restart, is told.
func TestAProgramsPermissionOutlivesRestarts(t *testing.T) {
	t.Parallel()
	play(t, nil, func(r *rig) {
		path := r.submit(askLeave)
		r.halt()
		r.start()
		r.wait(2 * time.Second)
		r.tap("✅ Allow once")
		r.wait(2 * time.Second)
		r.halt()
		r.start()
		r.told("GET", path, http.StatusOK, allowedByAda)
		if code, q := r.status(r.journal(question.EntryAsked)[0].Thread, ""); code != http.StatusOK || q.Permission == nil || q.Directory != "/home/ada/src/shop-api" {
			t.Errorf("over HTTP it is %d %+v", code, q)
		}
		path = r.submit(askLeave)
		r.tap("🚫 Reject")
		r.wait(2 * time.Second)
		r.told("GET", path, http.StatusOK, rejectedByAda)
	})
}

func TestAskCommandForAPermission(t *testing.T) {
	t.Parallel()
	leave := []string{"--permission", "bash", "--command", "make deploy", "--directory", "/home/ada", "--title", "Release"}
	for name, test := range map[string]struct {
		do        func(*rig)
		code      int
		out, said string
	}{
		"allowed":  {func(r *rig) { r.tap("✅ Allow once") }, 0, "once\n", ""},
		"rejected": {func(r *rig) { r.tap("🚫 Reject") }, exitCancelled, "", "rejected by Ada"},
		"noted":    {func(r *rig) { r.tap("💬 Reject with a note"); r.say("not today", r.last().ID) }, exitCancelled, "", "rejected by Ada: not today"},
		"expired":  {func(r *rig) { r.wait(31 * time.Minute) }, exitExpired, "", "nobody answered in time"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(r *rig) {
				a := askOnTerminal(r, leave...)
				r.screen("🔐 Run a command · ada", "make deploy", "in /home/ada · Release")
				test.do(r)
				a.ended(test.code, test.out, test.said)
			})
		})
	}
}
