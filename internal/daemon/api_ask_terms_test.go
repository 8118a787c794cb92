package daemon_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

func askWith(fields string) string {
	return strings.Replace(rig.AskDeployLine(), `{"title"`, "{"+fields+`,"title"`, 1)
}

func TestAskAPI_WithATTL(t *testing.T) {
	t.Parallel()
	const byDeadline = `{"status":"aborted","answers":[],"aborted_by":{"kind":"deadline"}}`
	for _, test := range []struct {
		fields     string
		after      time.Duration
		want, card string
	}{
		{`"ttl":"5m"`, 6 * time.Minute, byDeadline, "Nobody answered in 5 min: dismissed."},
		{`"ttl":20`, 30 * time.Second, byDeadline, "Nobody answered in 20 s: dismissed."},
		{`"ttl":20,"on_timeout":"wait"`, 30 * time.Second, `{"status":"pending","answers":[]}`, "Nobody answered in 20 s. Still waiting."},
		{`"ttl":0`, 50 * time.Hour, `{"status":"pending","answers":[]}`, "Release 1.4\n"},
		{`"ttl":20,"on_timeout":"accept-first"`, 30 * time.Second, strings.Replace(rig.AnsweredYes, `"person","name":"Ada","user":42`, `"deadline"`, 1), "took the first choice, Yes, deploy."},
	} {
		t.Run(test.fields, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				path := r.Submit(askWith(test.fields))
				card := r.Last().ID
				r.Wait(test.after)
				r.WantResponse("GET", path, http.StatusOK, test.want)
				for _, m := range r.Telegram.Messages(rig.Ada) {
					if text := m.Text + "\n"; m.ID == card && (!strings.Contains(text, test.card) || strings.Contains(text, "agent")) {
						t.Errorf("the card is\n%s", text)
					}
				}
			})
		})
	}
}

func TestAskAPI_WithADefault(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		path := r.Submit(strings.Replace(askWith(`"ttl":60`), `"id":"no"`, `"id":"no","default":true`, 1))
		r.Wait(2 * time.Minute)
		r.WantResponse("GET", path, http.StatusOK, `{"status":"answered","answers":[{"question_id":"go","selected_option_ids":["no"]}],"answered_by":{"kind":"deadline"}}`)
	})
}

// An ask goes to the chats it names, and to no other.
func TestAskAPI_InOneChat(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.TelegramChats = []config.Chat{{ID: rig.Ada}, {ID: rig.Bob}} }, func(r *rig.Rig) {
		if _, err := r.Telegram.Say(rig.Bob, rig.Bob, "/start"); err != nil {
			t.Fatal(err)
		}
		r.Wait(2 * time.Second)
		r.Submit(askWith(`"chats":["43"]`))
		r.WantScreenIn(rig.Bob, "Deploy to production?")
		if text := r.Last().Text; strings.Contains(text, "Deploy") {
			t.Errorf("Ada sees\n%s", text)
		}
	})
}

// The same key is the same ask: while it waits, after a restart, and after its end.
func TestAskAPI_Twice(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		body := askWith(`"idempotency_key":"build 7"`)
		path := r.Submit(body)
		again := func(when string) {
			t.Helper()
			code, text := r.Request("POST", "/v1/ask", " "+body)
			if code != http.StatusAccepted || "/v1/ask/"+strings.TrimSpace(text) != `/v1/ask/{"id":"`+strings.TrimPrefix(path, "/v1/ask/")+`"}` {
				t.Errorf("%s: %d %s", when, code, text)
			}
			code, text = r.Request("POST", "/v1/ask", strings.Replace(body, "production", "staging", 1))
			if code != http.StatusConflict || !strings.Contains(text, "idempotency_key: another ask has it already") {
				t.Errorf("%s, another body: %d %s", when, code, text)
			}
		}
		again("while it waits")
		r.Halt()
		r.Start()
		again("after a restart")
		r.Tap("1.")
		r.Wait(time.Minute)
		again("after its end")
		r.Halt()
		r.Start()
		again("after its end and a restart")
		r.WantResponse("GET", path, http.StatusOK, rig.AnsweredYes)
		if n := len(r.Journal(storage.EntryAsked)); n != 1 || len(r.Questions()) != 0 {
			t.Errorf("it was asked %d times, and %d are open", n, len(r.Questions()))
		}
	})
}

// Over the API too, an option that cancels needs no other answers.
func TestAskAPI_CancelledOverHTTP(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		path := r.Submit(rig.AskSeveral)
		id := "/v1/questions/" + string(r.OpenQuestion().ID)
		for _, c := range []struct {
			body string
			want int
		}{{`{"answers":[["Yes, deploy"],[]]}`, http.StatusBadRequest}, {`{"answers":[["Not now"],[]]}`, http.StatusOK}} {
			if code, text := r.Request("POST", id, c.body); code != c.want {
				t.Errorf("%s: %d %s", c.body, code, text)
			}
		}
		r.Wait(2 * time.Second)
		code, text := r.Request("GET", path, "")
		var got struct{ Status string }
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != http.StatusOK || got.Status != "cancelled" {
			t.Errorf("it ended as %s", text)
		}
	})
}
