package daemon_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

func TestAskAPI_AndTap(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		path := r.Submit(rig.AskDeploy)
		if text := r.Last().Text; !strings.HasPrefix(text, "❓ Deploy\nDeploy to production?") {
			t.Errorf("the card is\n%s", text)
		}
		r.WantScreen("1. Yes, deploy", "Release 1.4 · waits until")
		r.WantResponse("GET", path, http.StatusOK, rig.StillOpen)
		began := time.Now()
		wait := r.Background(func() { r.WantResponse("GET", path+"?wait=30s", http.StatusOK, rig.AnsweredYes) })
		r.Wait(10 * time.Second)
		r.Tap("1.")
		wait()
		if took := time.Since(began); took > 11*time.Second {
			t.Errorf("the poll took %v", took)
		}
		r.Wait(2 * time.Second)
		r.WantScreen("✅", "Yes, deploy", "Ada")
		r.Wait(time.Minute)
		if list := r.Questions(); len(list) != 0 {
			t.Errorf("%+v is still owed something", list)
		}
		r.WantResponse("GET", path, http.StatusOK, rig.AnsweredYes)
		r.WantResponse("DELETE", path, http.StatusConflict, `{"error":"it was answered before; GET tells how"}`)
	})
}

func TestAskAPI_Ends(t *testing.T) {
	for _, test := range []struct {
		title      string
		do         func(r *rig.Rig, path string)
		want, card string
	}{
		{"an option that cancels", func(r *rig.Rig, _ string) { r.Tap("3.") }, `{"status":"cancelled","answers":[],"cancelled_by":{"question_id":"go","option_id":"cancel"}}`, "Stop the release"},
		{"dismissed", func(r *rig.Rig, _ string) { r.Dismiss() }, `{"status":"aborted","answers":[],"aborted_by":{"kind":"person","name":"Ada","user":42}}`, "Dismissed by Ada"},
		{"typed as an id", func(r *rig.Rig, _ string) { r.Say("YES", 0) }, rig.AnsweredYes, "Yes, deploy"},
		{"expired", func(r *rig.Rig, _ string) { r.Wait(31 * time.Minute) }, `{"status":"aborted","answers":[],"aborted_by":{"kind":"deadline"}}`, "Nobody answered in 30 min: dismissed."},
		{"withdrawn", func(r *rig.Rig, path string) {
			r.WantResponse("DELETE", path, http.StatusOK, rig.Aborted)
			r.WantResponse("DELETE", path, http.StatusOK, rig.Aborted)
		}, rig.Aborted, "Withdrawn by the program that asked"},
		{"withdrawn, and then hermes restarts", func(r *rig.Rig, path string) {
			r.WantResponse("DELETE", path, http.StatusOK, rig.Aborted)
			r.Halt()
			r.Start()
		}, rig.Aborted, "Withdrawn by the program that asked"},
		{"rejected by another program", func(r *rig.Rig, _ string) { r.CallQuestion(r.OpenQuestion().ID, `{"reject":true}`) }, rig.Aborted, "Dismissed over the API"},
		{"withdrawn while hermes restarts", func(r *rig.Rig, path string) {
			r.Halt()
			r.Start()
			r.WantResponse("DELETE", path, http.StatusOK, rig.Aborted)
		}, rig.Aborted, "Withdrawn by the program that asked"},
	} {
		t.Run(test.title, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				path := r.Submit(rig.AskDeploy)
				card := r.Last().ID
				test.do(r, path)
				r.Wait(5 * time.Second)
				r.WantResponse("GET", path, http.StatusOK, test.want)
				for _, m := range r.Telegram.Messages(rig.Ada) {
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
func TestAskAPI_OutlivesRestarts(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		path := r.Submit(rig.AskDeploy)
		card := r.Last().ID
		wait := r.Background(func() { r.WantResponse("GET", path+"?wait=50s", http.StatusOK, rig.StillOpen) })
		r.Wait(time.Second)
		began := time.Now()
		r.Halt() // does not wait for those who poll
		wait()
		if took := time.Since(began); took > time.Second {
			t.Errorf("the stop took %v", took)
		}
		r.Start()
		r.Wait(time.Minute)
		if q := r.OpenQuestion(); q.Waiting || q.State != "open" || r.Last().ID != card {
			t.Errorf("after the restart it is %+v\n%s", q, r.Last().Text)
		}
		r.Tap("1.")
		r.Wait(2 * time.Second)
		r.WantResponse("GET", path, http.StatusOK, rig.AnsweredYes)
		r.Wait(time.Minute)
		r.Halt()
		r.Start()
		r.WantResponse("GET", path, http.StatusOK, rig.AnsweredYes)
		if n := len(r.Journal(storage.EntryConfirmed)); n != 1 {
			t.Errorf("%d confirmations are in the journal", n)
		}
	})
}

// A decision that was stored and not carried out is carried out at the next start.
func TestAskAPI_AnsweredJustBeforeACrash(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		path := r.Submit(rig.AskDeploy)
		data := r.Data(r.Last(), "1.")
		r.Halt()
		if _, err := r.Telegram.TapData(rig.Ada, rig.Ada, r.Last().ID, data); err != nil {
			t.Fatal(err)
		}
		r.Start()
		r.Wait(5 * time.Second)
		r.WantResponse("GET", path, http.StatusOK, rig.AnsweredYes)
	})
}

func TestAskAPI_Refusals(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		request, _ := r.Ask(rig.DatabaseQuestion())
		for _, test := range []struct {
			method, path, body string
			code               int
			want               string
		}{
			{"POST", "/v1/ask", strings.Replace(rig.AskDeploy, `"no"`, `"yes"`, 1), 400, `questions[0].options[1].id: is another option's already`},
			{"POST", "/v1/ask", strings.Replace(rig.AskDeploy, `"title"`, `"colour":"red","title"`, 1), 400, `colour: is not a field that hermes knows`},
			{"POST", "/v1/ask", strings.Replace(rig.AskDeploy, `"title"`, `"chats":[42,1],"title"`, 1), 400, `chats[1]: is none of the chats that hermes asks in`},
			{"POST", "/v1/ask", strings.Replace(rig.AskDeploy, `"title"`, `"chats":["42/5"],"title"`, 1), 400, `chats[0]: is none of the chats that hermes asks in`},
			{"POST", "/v1/ask", strings.Repeat(" ", api.MaxAsk) + rig.AskDeploy, 413, "larger than 1 MiB"},
			{"GET", "/v1/ask/ask_AAAAAAAAAAAAAAAAAAAA", "", 404, "no such ask"},
			{"GET", "/v1/ask/" + request, "", 404, "no such ask"},
			{"DELETE", "/v1/ask/" + request, "", 404, "no such ask"},
			{"GET", "/v1/ask/ask_x?wait=long", "", 400, "wait: must be a duration"},
			{"GET", "/v1/ask/ask_x?wait=-1s", "", 400, "wait: must be a duration"},
		} {
			code, text := r.Request(test.method, test.path, test.body)
			if code != test.code || !strings.Contains(text, test.want) {
				t.Errorf("%s %s: got %d %s, want %d %s", test.method, test.path, code, text, test.code, test.want)
			}
		}
		if code, _ := r.Request("POST", "/v1/ask", rig.AskDeploy, "Authorization", ""); code != http.StatusUnauthorized {
			t.Errorf("without the token: %d", code)
		}
		if list := r.Questions(); len(list) != 1 {
			t.Errorf("%d questions are open", len(list))
		}
	})
}

// Who asks is told only of an ask that is stored.
func TestAskAPI_ThatCannotBeStored(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		if err := r.Daemon.Store.Close(); err != nil {
			t.Fatal(err)
		}
		code, text := r.Request("POST", "/v1/ask", rig.AskDeploy)
		if code != http.StatusInternalServerError || !strings.Contains(text, "its log says why") {
			t.Errorf("got %d %s", code, text)
		}
	})
}

// Two hundred at once: each asker learns of its own ask alone, and none is lost.
func TestAskAPI_ManyAsks(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.TelegramChats = nil }, func(r *rig.Rig) {
		var waits []func()
		for n := range 200 {
			mine := func(s string) string { return strings.ReplaceAll(s, `"yes"`, fmt.Sprintf(`"yes%d"`, n)) }
			waits = append(waits, r.Background(func() {
				_, text := r.Request("POST", "/v1/ask", mine(rig.AskDeploy))
				id := strings.TrimSuffix(strings.TrimPrefix(text, `{"id":"`), "\"}\n")
				want := strings.Replace(mine(rig.AnsweredYes), `"kind":"person","name":"Ada","user":42`, `"kind":"api"`, 1)
				r.WantResponse("GET", "/v1/ask/"+id+"?wait=50s", http.StatusOK, want)
			}))
		}
		r.Wait(5 * time.Second)
		open := r.Questions()
		if len(open) != 200 {
			t.Errorf("%d are open", len(open))
		}
		for _, q := range open {
			if code, _ := r.CallQuestion(q.ID, `{"answers":[["Yes, deploy"]]}`); code != http.StatusOK {
				t.Errorf("%s: %d", q.ID, code)
			}
		}
		for _, wait := range waits {
			wait()
		}
	})
}
