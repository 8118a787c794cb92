package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
)

const (
	askDeploy = `{"title":"Release 1.4","questions":[{"question_id":"go","question":"Deploy to production?","header":"Deploy",
		"options":[{"id":"yes","label":"Yes, deploy"},{"id":"no","label":"No"},{"id":"cancel","label":"Stop the release"}]}]}`
	answeredYes = `{"status":"answered","answers":[{"question_id":"go","selected_option_ids":["yes"]}],"answered_by":{"kind":"person","name":"Ada","user":42}}`
	aborted     = `{"status":"aborted","answers":[],"aborted_by":{"kind":"api"}}`
	stillOpen   = `{"status":"pending","answers":[],"deadline":"2000-01-01T00:30:…"}`
)

// submit asks through the API, and waits until the phone shows it.
func (r *rig) submit(body string) (path string) {
	r.t.Helper()
	code, text := r.request("POST", "/v1/ask", body)
	var got struct{ ID string }
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != http.StatusAccepted || !strings.HasPrefix(got.ID, "ask_") {
		r.t.Fatalf("asked: %d %s", code, text)
	}
	r.wait(2 * time.Second)
	return "/v1/ask/" + got.ID
}

// told fails the test unless this is what the API says.
func (r *rig) told(method, path string, status int, want string) {
	r.t.Helper()
	code, text := r.request(method, path, "")
	if text = regexp.MustCompile(`:[0-9.]+Z"`).ReplaceAllString(text, `:…"`); code != status || strings.TrimSpace(text) != want {
		r.t.Errorf("%s %s: got %d %s, want %d %s", method, path, code, text, status, want)
	}
}

// later runs in the background until the returned function waits for it.
func (r *rig) later(f func()) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return func() { <-done }
}

func TestAskAndTap(t *testing.T) {
	play(t, nil, func(r *rig) {
		path := r.submit(askDeploy)
		if text := r.last().Text; !strings.HasPrefix(text, "❓ Deploy\nDeploy to production?") {
			t.Errorf("the card is\n%s", text)
		}
		r.screen("1. Yes, deploy", "Release 1.4 · waits until")
		r.told("GET", path, http.StatusOK, stillOpen)
		began := time.Now()
		wait := r.later(func() { r.told("GET", path+"?wait=30s", http.StatusOK, answeredYes) })
		r.wait(10 * time.Second)
		r.tap("1.")
		wait()
		if took := time.Since(began); took > 11*time.Second {
			t.Errorf("the poll took %v", took)
		}
		r.wait(2 * time.Second)
		r.screen("✅", "Yes, deploy", "Ada")
		r.wait(time.Minute)
		if list := r.listed(); len(list) != 0 {
			t.Errorf("%+v is still owed something", list)
		}
		r.told("GET", path, http.StatusOK, answeredYes)
		r.told("DELETE", path, http.StatusConflict, `{"error":"it was answered before; GET tells how"}`)
	})
}

func TestAskEnds(t *testing.T) {
	for _, test := range []struct {
		title      string
		do         func(r *rig, path string)
		want, card string
	}{
		{"an option that cancels", func(r *rig, _ string) { r.tap("3.") }, `{"status":"cancelled","answers":[],"cancelled_by":{"question_id":"go","option_id":"cancel"}}`, "Stop the release"},
		{"dismissed", func(r *rig, _ string) { r.tap("🚫") }, `{"status":"aborted","answers":[],"aborted_by":{"kind":"person","name":"Ada","user":42}}`, "Dismissed by Ada"},
		{"typed as an id", func(r *rig, _ string) { r.say("YES", 0) }, answeredYes, "Yes, deploy"},
		{"expired", func(r *rig, _ string) { r.wait(31 * time.Minute) }, `{"status":"aborted","answers":[],"aborted_by":{"kind":"deadline"}}`, "Nobody answered in 30 min: dismissed."},
		{"withdrawn", func(r *rig, path string) {
			r.told("DELETE", path, http.StatusOK, aborted)
			r.told("DELETE", path, http.StatusOK, aborted)
		}, aborted, "Dismissed over the API"},
		{"withdrawn while hermes restarts", func(r *rig, path string) {
			r.halt()
			r.start()
			r.told("DELETE", path, http.StatusOK, aborted)
		}, aborted, "Dismissed over the API"},
	} {
		t.Run(test.title, func(t *testing.T) {
			play(t, nil, func(r *rig) {
				path := r.submit(askDeploy)
				card := r.last().ID
				test.do(r, path)
				r.wait(5 * time.Second)
				r.told("GET", path, http.StatusOK, test.want)
				for _, m := range r.telegram.Messages(ada) {
					if m.ID == card && !strings.Contains(m.Text, test.card) {
						t.Errorf("the card lacks %q:\n%s", test.card, m.Text)
					}
				}
			})
		})
	}
}

// An ask is a thread in the store: it outlives the process that took it, and so does
// its end.
func TestAskOutlivesRestarts(t *testing.T) {
	play(t, nil, func(r *rig) {
		path := r.submit(askDeploy)
		card := r.last().ID
		wait := r.later(func() { r.told("GET", path+"?wait=50s", http.StatusOK, stillOpen) })
		r.wait(time.Second)
		began := time.Now()
		r.halt() // does not wait for those who poll
		wait()
		if took := time.Since(began); took > time.Second {
			t.Errorf("the stop took %v", took)
		}
		r.start()
		r.wait(time.Minute)
		if q := r.open(); q.Waiting || q.State != "open" || r.last().ID != card {
			t.Errorf("after the restart it is %+v\n%s", q, r.last().Text)
		}
		r.tap("1.")
		r.wait(2 * time.Second)
		r.told("GET", path, http.StatusOK, answeredYes)
		r.wait(time.Minute)
		r.halt()
		r.start()
		r.told("GET", path, http.StatusOK, answeredYes)
		if n := len(r.journal(question.EntryConfirmed)); n != 1 {
			t.Errorf("%d confirmations are in the journal", n)
		}
	})
}

// A decision that was stored and not carried out is carried out at the next start.
func TestAskAnsweredJustBeforeACrash(t *testing.T) {
	play(t, nil, func(r *rig) {
		path := r.submit(askDeploy)
		data := r.data(r.last(), "1.")
		r.halt()
		if _, err := r.telegram.TapData(ada, ada, r.last().ID, data); err != nil {
			t.Fatal(err)
		}
		r.start()
		r.wait(5 * time.Second)
		r.told("GET", path, http.StatusOK, answeredYes)
	})
}

func TestAskRefusals(t *testing.T) {
	play(t, nil, func(r *rig) {
		request, _ := r.ask(database())
		for _, test := range []struct {
			method, path, body string
			code               int
			want               string
		}{
			{"POST", "/v1/ask", strings.Replace(askDeploy, `"no"`, `"yes"`, 1), 400, `questions[0].options[1].id: is another option's already`},
			{"POST", "/v1/ask", strings.Replace(askDeploy, `"title"`, `"colour":"red","title"`, 1), 400, `colour: is not a field that hermes knows`},
			{"POST", "/v1/ask", strings.Replace(askDeploy, `"title"`, `"chats":[42,1],"title"`, 1), 400, `chats[1]: is none of the chats that hermes asks in`},
			{"POST", "/v1/ask", strings.Replace(askDeploy, `"title"`, `"chats":["42/5"],"title"`, 1), 400, `chats[0]: is none of the chats that hermes asks in`},
			{"POST", "/v1/ask", strings.Repeat(" ", maxAsk) + askDeploy, 413, "larger than 1 MiB"},
			{"GET", "/v1/ask/ask_AAAAAAAAAAAAAAAAAAAA", "", 404, "no such ask"},
			{"GET", "/v1/ask/" + request, "", 404, "no such ask"},
			{"DELETE", "/v1/ask/" + request, "", 404, "no such ask"},
			{"GET", "/v1/ask/ask_x?wait=long", "", 400, "wait: must be a duration"},
			{"GET", "/v1/ask/ask_x?wait=-1s", "", 400, "wait: must be a duration"},
		} {
			code, text := r.request(test.method, test.path, test.body)
			if code != test.code || !strings.Contains(text, test.want) {
				t.Errorf("%s %s: got %d %s, want %d %s", test.method, test.path, code, text, test.code, test.want)
			}
		}
		if code, _ := r.request("POST", "/v1/ask", askDeploy, "Authorization", ""); code != http.StatusUnauthorized {
			t.Errorf("without the token: %d", code)
		}
		if list := r.listed(); len(list) != 1 {
			t.Errorf("%d questions are open", len(list))
		}
	})
}

// Who asks is told only of an ask that is stored.
func TestAskThatCannotBeStored(t *testing.T) {
	play(t, nil, func(r *rig) {
		if err := r.daemon.store.Close(); err != nil {
			t.Fatal(err)
		}
		code, text := r.request("POST", "/v1/ask", askDeploy)
		if code != http.StatusInternalServerError || !strings.Contains(text, "its log says why") {
			t.Errorf("got %d %s", code, text)
		}
	})
}

// Two hundred at once: each asker learns of its own ask alone, and none is lost.
func TestManyAsks(t *testing.T) {
	play(t, func(c *config) { c.TelegramChats = nil }, func(r *rig) {
		var waits []func()
		for n := range 200 {
			mine := func(s string) string { return strings.ReplaceAll(s, `"yes"`, fmt.Sprintf(`"yes%d"`, n)) }
			waits = append(waits, r.later(func() {
				_, text := r.request("POST", "/v1/ask", mine(askDeploy))
				id := strings.TrimSuffix(strings.TrimPrefix(text, `{"id":"`), "\"}\n")
				want := strings.Replace(mine(answeredYes), `"kind":"person","name":"Ada","user":42`, `"kind":"api"`, 1)
				r.told("GET", "/v1/ask/"+id+"?wait=50s", http.StatusOK, want)
			}))
		}
		r.wait(5 * time.Second)
		open := r.listed()
		if len(open) != 200 {
			t.Errorf("%d are open", len(open))
		}
		for _, q := range open {
			if code, _ := r.status(q.ID, `{"answers":[["Yes, deploy"]]}`); code != http.StatusOK {
				t.Errorf("%s: %d", q.ID, code)
			}
		}
		for _, wait := range waits {
			wait()
		}
	})
}
