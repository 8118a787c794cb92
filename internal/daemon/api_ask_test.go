package daemon_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/api"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

// An ask is a thread in the store: it outlives the process that took it, and so does
// its end.
func TestAskAPI_OutlivesRestarts(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		path := r.Submit(rig.AskDeploy)
		card := r.Last().ID
		wait := r.Background(func() {
			r.WantResponse("GET", path+"?wait=50s", http.StatusOK, `{"status":"pending","answers":[],"deadline":"2000-01-01T00:30:…"}`)
		})
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

// Who asks is told only of an ask that is stored: one that cannot be ends hermes.
func TestAskAPI_ThatCannotBeStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig.New(t, opencode.VersionNew, nil)
		defer r.Close()
		if err := r.Daemon.Store.Close(); err != nil {
			t.Fatal(err)
		}
		w, req := httptest.NewRecorder(), httptest.NewRequest("POST", "http://hermes.test/v1/ask", strings.NewReader(rig.AskDeploy))
		req.Header.Set("Authorization", "Bearer "+rig.HookKey)
		r.Daemon.HTTP.Handler.ServeHTTP(w, req)
		if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "its log says why") {
			t.Errorf("got %d %s", w.Code, w.Body)
		}
		if err := <-r.Ended; err == nil {
			t.Error("hermes went on")
		}
	})
}
