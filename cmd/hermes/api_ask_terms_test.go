package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
)

func askWith(fields string) string {
	return strings.Replace(askDeployLine(), `{"title"`, "{"+fields+`,"title"`, 1)
}

func TestAskWithATTL(t *testing.T) {
	t.Parallel()
	const byDeadline = `{"status":"aborted","answers":[],"aborted_by":{"kind":"deadline"}}`
	for _, test := range []struct {
		fields     string
		after      time.Duration
		want, card string
	}{
		{`"ttl":"5m"`, 6 * time.Minute, byDeadline, "Nobody answered in 5 min: dismissed."},
		{`"ttl":20`, 30 * time.Second, byDeadline, "Nobody answered in 20 s: dismissed."},
		{`"ttl":20,"on_timeout":"wait"`, 30 * time.Second, `{"status":"pending","answers":[]}`, "Nobody answered in 20 s. It still waits."},
		{`"ttl":0`, 50 * time.Hour, `{"status":"pending","answers":[]}`, "Release 1.4\n"},
		{`"ttl":20,"on_timeout":"accept-first"`, 30 * time.Second, strings.Replace(answeredYes, `"person","name":"Ada","user":42`, `"deadline"`, 1), "took the first choice, Yes, deploy."},
	} {
		t.Run(test.fields, func(t *testing.T) {
			play(t, nil, func(r *rig) {
				path := r.submit(askWith(test.fields))
				card := r.last().ID
				r.wait(test.after)
				r.told("GET", path, http.StatusOK, test.want)
				for _, m := range r.telegram.Messages(ada) {
					if text := m.Text + "\n"; m.ID == card && (!strings.Contains(text, test.card) || strings.Contains(text, "agent")) {
						t.Errorf("the card is\n%s", text)
					}
				}
			})
		})
	}
}

func TestAskWithADefault(t *testing.T) {
	play(t, nil, func(r *rig) {
		path := r.submit(strings.Replace(askWith(`"ttl":60`), `"id":"no"`, `"id":"no","default":true`, 1))
		r.wait(2 * time.Minute)
		r.told("GET", path, http.StatusOK, `{"status":"answered","answers":[{"question_id":"go","selected_option_ids":["no"]}],"answered_by":{"kind":"deadline"}}`)
	})
}

// An ask goes to the chats it names, and to no other.
func TestAskInOneChat(t *testing.T) {
	play(t, func(c *config) { c.TelegramChats = []chat{{ID: ada}, {ID: bob}} }, func(r *rig) {
		if _, err := r.telegram.Say(bob, bob, "/start"); err != nil {
			t.Fatal(err)
		}
		r.wait(2 * time.Second)
		r.submit(askWith(`"chats":["43"]`))
		r.screenIn(bob, "Deploy to production?")
		if text := r.last().Text; strings.Contains(text, "Deploy") {
			t.Errorf("Ada sees\n%s", text)
		}
	})
}

// The same key is the same ask: while it waits, after a restart, and after its end.
func TestAskTwice(t *testing.T) {
	play(t, nil, func(r *rig) {
		body := askWith(`"idempotency_key":"build 7"`)
		path := r.submit(body)
		again := func(when string) {
			t.Helper()
			code, text := r.request("POST", "/v1/ask", " "+body)
			if code != http.StatusAccepted || "/v1/ask/"+strings.TrimSpace(text) != `/v1/ask/{"id":"`+strings.TrimPrefix(path, "/v1/ask/")+`"}` {
				t.Errorf("%s: %d %s", when, code, text)
			}
			code, text = r.request("POST", "/v1/ask", strings.Replace(body, "production", "staging", 1))
			if code != http.StatusConflict || !strings.Contains(text, "idempotency_key: another ask has it already") {
				t.Errorf("%s, another body: %d %s", when, code, text)
			}
		}
		again("while it waits")
		r.halt()
		r.start()
		again("after a restart")
		r.tap("1.")
		r.wait(time.Minute)
		again("after its end")
		r.halt()
		r.start()
		again("after its end and a restart")
		r.told("GET", path, http.StatusOK, answeredYes)
		if n := len(r.journal(question.EntryAsked)); n != 1 || len(r.listed()) != 0 {
			t.Errorf("it was asked %d times, and %d are open", n, len(r.listed()))
		}
	})
}

// Over the API too, an option that cancels needs no other answers.
func TestAskCancelledOverHTTP(t *testing.T) {
	play(t, nil, func(r *rig) {
		path := r.submit(askSeveral)
		id := "/v1/questions/" + string(r.open().ID)
		for _, c := range []struct {
			body string
			want int
		}{{`{"answers":[["Yes, deploy"],[]]}`, http.StatusBadRequest}, {`{"answers":[["Not now"],[]]}`, http.StatusOK}} {
			if code, text := r.request("POST", id, c.body); code != c.want {
				t.Errorf("%s: %d %s", c.body, code, text)
			}
		}
		r.wait(2 * time.Second)
		code, text := r.request("GET", path, "")
		var got struct{ Status string }
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != http.StatusOK || got.Status != "cancelled" {
			t.Errorf("it ended as %s", text)
		}
	})
}
