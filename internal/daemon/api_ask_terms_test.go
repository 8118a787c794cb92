package daemon_test

import (
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
