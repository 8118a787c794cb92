package daemon_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

func TestHTTP_QuestionsOverHTTP(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		if list := r.Questions(); len(list) != 0 {
			t.Errorf("%+v is listed before anything was asked", list)
		}
		request, _ := r.Ask(rig.ClosedQuestion(), rig.LanguagesQuestion())
		q := r.OpenQuestion()
		if q.State != "open" || string(q.Request) != request || q.Project != "shop-api" || q.Title != "fix checkout flow" ||
			q.Directory != r.Opencode.Directory() || q.Deadline == nil || q.Session == "" || q.By != "" || q.Answers != nil {
			t.Errorf("listed as %+v", q)
		}
		if len(q.Questions) != 2 || q.Questions[0].Custom || !q.Questions[1].Custom || !q.Questions[1].Multiple ||
			!slices.Equal(q.Questions[0].Options, []api.Option{{Label: "SQLite", Description: "file based"}, {Label: "PostgreSQL (Recommended)", Description: "needs a server"}}) {
			t.Errorf("its questions are %+v", q.Questions)
		}
		if code, one := r.CallQuestion(q.ID, ""); code != http.StatusOK || one.ID != q.ID || one.State != "open" {
			t.Errorf("alone it is %d %+v", code, one)
		}
	})
}

func TestHTTP_AnswerOverHTTP(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.ClosedQuestion(), rig.LanguagesQuestion())
		id := r.OpenQuestion().ID
		code, q := r.CallQuestion(id, `{"answers":[["SQLite"],["Go","my own"]]}`)
		if code != http.StatusOK || q.ID != id || q.State != "deciding" && q.State != "answered" {
			t.Errorf("the answer gave %d %+v", code, q)
		}
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"SQLite"}, []string{"Go", "my own"})
		r.WantScreen("✅", "1. Database → SQLite", `2. Languages → Go, "my own"`, "over the API")
		if strings.Contains(r.Last().Text, "?, over") {
			t.Errorf("the message names nobody: %s", r.Last().Text)
		}
		code, q = r.CallQuestion(id, "")
		if code != http.StatusOK || q.State != "answered" || q.By != "api" || !q.Answers.Equal(question.Answers{{"SQLite"}, {"Go", "my own"}}) {
			t.Errorf("then it is %d %+v", code, q)
		}
		for _, again := range []string{`{"answers":[["SQLite"],["Go"]]}`, `{"reject":true}`} {
			if code, _ := r.CallQuestion(id, again); code != http.StatusConflict {
				t.Errorf("%s after the end gave %d", again, code)
			}
		}
		if list := r.Questions(); len(list) != 0 {
			t.Errorf("still listed: %+v", list)
		}
		if e := r.Journal(storage.EntryAnswered); len(e) != 1 || e[0].By.Kind != question.Caller {
			t.Errorf("the journal says %+v", e)
		}
	})
}

func TestHTTP_AnswersThatDoNotFit(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.ClosedQuestion(), rig.LanguagesQuestion())
		id := r.OpenQuestion().ID
		for body, want := range map[string]string{
			`{"answers":[["sqlite"],["Go"]]}`:               `answers[0]: \"sqlite\" is none of the options`,
			`{"answers":[["SQLite"],[]]}`:                   "answers[1]: needs at least one answer",
			`{"answers":[["SQLite"],null]}`:                 "answers[1]: needs at least one answer",
			`{"answers":[["SQLite"],["Go"]],"reject":true}`: `give either \"answers\" or \"reject\": true`,
			`{"reject":false}`:                              `give either \"answers\" or \"reject\": true`,
			`{}`:                                            `give either \"answers\" or \"reject\": true`,
			`null`:                                          `give either \"answers\" or \"reject\": true`,
			`{"answers":[["SQLite"],["Go"]],"force":true}`: "the body must be",
			`{"answers":"SQLite"}`:                         "the body must be",
			`{"answers":[[1],["Go"]]}`:                     "the body must be",
			`{"reject":true}{"reject":true}`:               "the body must be",
			`{"reject":true}]`:                             "the body must be",
			`{"reject":tr`:                                 "the body must be",
			`reject`:                                       "the body must be",
			" ":                                            "the body must be",
		} {
			code, text := r.Request("POST", "/v1/questions/"+string(id), body)
			if code != http.StatusBadRequest || !strings.Contains(text, want) {
				t.Errorf("%s gave %d %s, want %s", body, code, text, want)
			}
		}
		if q := r.OpenQuestion(); q.State != "open" || q.Answers != nil {
			t.Errorf("now it is %+v", q)
		}
		r.WantNoAnswer(call)
	})
}

func TestHTTP_RefusedRequests(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		id := "/v1/questions/" + string(r.OpenQuestion().ID)
		huge := `{"answers":[["` + strings.Repeat("x", 1<<20) + `"]]}`
		for _, c := range []struct {
			name, method, path, body string
			headers                  []string
			code                     int
			want                     string
		}{
			{"wrong token", "GET", id, "", []string{"Authorization", "Bearer " + strings.Repeat("x", len(rig.HookKey))}, 401, "bearer token"},
			{"another scheme", "POST", id, `{"reject":true}`, []string{"Authorization", "Basic " + rig.HookKey}, 401, "bearer token"},
			{"no token, unknown path", "GET", "/v1/nothing", "", []string{"Authorization", ""}, 401, "bearer token"},
			{"web page that is null", "POST", id, `{"reject":true}`, []string{"Origin", "null"}, 403, "web pages"},
			{"unknown question", "GET", "/v1/questions/AAAAAAAAAAAA", "", nil, 404, "no such question"},
			{"answer to an unknown question", "POST", "/v1/questions/x", `{"reject":true}`, nil, 404, "no such question"},
			{"unknown path", "GET", "/v1/nothing", "", nil, 404, ""},
			{"other method", "DELETE", id, "", nil, 405, ""},
			{"huge answer", "POST", id, huge, nil, 413, "larger than 1 MiB"},
		} {
			code, text := r.Request(c.method, c.path, c.body, c.headers...)
			if code != c.code || !strings.Contains(text, c.want) {
				t.Errorf("%s: %d %s, want %d %s", c.name, code, text, c.code, c.want)
			}
		}
		if r.OpenQuestion().State != "open" {
			t.Error("a refused request had an effect")
		}
	})
}

// The loop that everything needs does not run: that is what /healthz is for.
func TestHTTP_HealthWithoutTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStopped(t, opencode.VersionNew, nil)
		r.Start()
		if code, text := r.Request("GET", "/healthz", "", "Authorization", ""); code != http.StatusOK || text != "ok\n" {
			t.Errorf("running: %d %s", code, text)
		}
		handler := r.Daemon.HTTP.Handler
		r.Halt()
		for path, want := range map[string]string{"/healthz": "the reconcile loop does not answer", "/readyz": "not ready: the reconcile loop does not answer"} {
			if code, text := getFrom(handler, path); code != http.StatusServiceUnavailable || !strings.Contains(text, want) {
				t.Errorf("stopped: %s is %d %s", path, code, text)
			}
		}
		r.Close()
	})
}

// A decision that is held is told as decided and not sent, and is nobody else's to make.
func TestHTTP_Held(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.Undo = 10 * time.Second }, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		id := r.OpenQuestion().ID
		r.Tap("2.")
		r.Wait(2 * time.Second)
		if _, q := r.CallQuestion(id, ""); q.State != "deciding" || q.HeldUntil == nil || !q.HeldUntil.After(time.Now()) || q.By != "Ada" {
			t.Errorf("held, it is %+v", q)
		}
		if code, _ := r.CallQuestion(id, `{"answers":[["SQLite"]]}`); code != http.StatusConflict {
			t.Errorf("another answer is %d", code)
		}
		r.WantNoAnswer(call)
		r.Tap("↩️")
		r.Wait(2 * time.Second)
		if _, q := r.CallQuestion(id, ""); q.State != "open" || q.HeldUntil != nil || q.Answers != nil {
			t.Errorf("taken back, it is %+v", q)
		}
		r.Tap("1.")
		r.Wait(15 * time.Second)
		if _, q := r.CallQuestion(id, ""); q.State != "answered" || q.HeldUntil != nil {
			t.Errorf("sent, it is %+v", q)
		}
		r.WantAnswers(call, []string{"SQLite"})
	})
}

// getFrom puts a GET to a handler without a server.
func getFrom(handler http.Handler, path string) (int, string) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Code, w.Body.String()
}
