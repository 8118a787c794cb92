package daemon_test

import (
	"net/http"
	"os"
	"reflect"
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

func TestHTTP_DismissOverHTTP(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		if code, _ := r.CallQuestion(r.OpenQuestion().ID, `{"reject":true}`); code != http.StatusOK {
			t.Errorf("the dismissal gave %d", code)
		}
		r.Wait(2 * time.Second)
		r.WantScreen("🚫", "Dismissed", "over the API")
		r.WantNoAnswer(call)
		if text, ok := r.Opencode.Output(call); !ok || !strings.Contains(text, "dismissed") {
			t.Errorf("the agent read %q, %v", text, ok)
		}
	})
}

// An answer that came by tap is not overruled by one that comes while it is on
// its way.
func TestHTTP_AnswerOverHTTPIsTooLate(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		id := r.OpenQuestion().ID
		r.Opencode.SetFault(func(*http.Request) opencode.Fault { return opencode.FailBeforeEffect })
		r.Tap("2.")
		code, _ := r.CallQuestion(id, `{"answers":[["SQLite"]]}`)
		if _, q := r.CallQuestion(id, ""); code != http.StatusConflict || q.State != "deciding" || q.By != "Ada" {
			t.Errorf("got %d, and then %+v", code, q)
		}
		r.Opencode.SetFault(nil)
		r.Wait(time.Minute)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
	})
}

func TestHTTP_AnswersThatDoNotFit(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.ClosedQuestion(), rig.LanguagesQuestion())
		id := r.OpenQuestion().ID
		for body, want := range map[string]string{
			`{"answers":[["SQLite"]]}`:                      "there are 2 questions, so answers must hold 2 lists",
			`{"answers":[["SQLite"],["Go"],["x"]]}`:         "there are 2 questions, so answers must hold 2 lists",
			`{"answers":[["MySQL"],["Go"]]}`:                `answers[0]: \"MySQL\" is none of the options`,
			`{"answers":[["sqlite"],["Go"]]}`:               `answers[0]: \"sqlite\" is none of the options`,
			`{"answers":[["SQLite","SQLite"],["Go"]]}`:      "answers[0]: takes one answer only",
			`{"answers":[["SQLite"],[]]}`:                   "answers[1]: needs at least one answer",
			`{"answers":[["SQLite"],null]}`:                 "answers[1]: needs at least one answer",
			`{"answers":[["SQLite"],["Go"]],"reject":true}`: `give either \"answers\" or \"reject\": true`,
			`{"reject":false}`:                              `give either \"answers\" or \"reject\": true`,
			`{}`:                                            `give either \"answers\" or \"reject\": true`,
			`null`:                                          `give either \"answers\" or \"reject\": true`,
			`{"answers":[["SQLite"],["Go"]],"force":true}`:  "the body must be",
			`{"answers":"SQLite"}`:                          "the body must be",
			`{"answers":[[1],["Go"]]}`:                      "the body must be",
			`{"reject":true}{"reject":true}`:                "the body must be",
			`{"reject":true}]`:                              "the body must be",
			`{"reject":tr`:                                  "the body must be",
			`reject`:                                        "the body must be",
			" ":                                             "the body must be",
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
			{"no token", "GET", "/v1/questions", "", []string{"Authorization", ""}, 401, "bearer token"},
			{"wrong token", "GET", id, "", []string{"Authorization", "Bearer " + strings.Repeat("x", len(rig.HookKey))}, 401, "bearer token"},
			{"another scheme", "POST", id, `{"reject":true}`, []string{"Authorization", "Basic " + rig.HookKey}, 401, "bearer token"},
			{"no token, unknown path", "GET", "/v1/nothing", "", []string{"Authorization", ""}, 401, "bearer token"},
			{"no token, link", "POST", "/v1/link", "{}", []string{"Authorization", ""}, 401, "bearer token"},
			{"web page", "GET", "/v1/questions", "", []string{"Origin", "https://evil.example"}, 403, "web pages"},
			{"web page that is null", "POST", id, `{"reject":true}`, []string{"Origin", "null"}, 403, "web pages"},
			{"unknown question", "GET", "/v1/questions/AAAAAAAAAAAA", "", nil, 404, "no such question"},
			{"answer to an unknown question", "POST", "/v1/questions/x", `{"reject":true}`, nil, 404, "no such question"},
			{"unknown path", "GET", "/v1/nothing", "", nil, 404, ""},
			{"other method", "DELETE", id, "", nil, 405, ""},
			{"huge answer", "POST", id, huge, nil, 413, "larger than 1 MiB"},
			{"huge link", "POST", "/v1/link", strings.Repeat(" ", 9<<20), nil, 413, "larger than 8 MiB"},
			{"malformed link", "POST", "/v1/link", "{", nil, 400, "error"},
			{"unknown protocol", "POST", "/v1/link", `{"protocol":2,"instance":"i","process":"p","directory":"/d"}`, nil, 426, "protocol"},
			{"unknown link", "GET", "/v1/link/none/calls?after=0", "", nil, 410, "error"},
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

// docs/http.md names every field and state of a question.
func TestHTTP_InterfaceIsDescribed(t *testing.T) {
	text, err := os.ReadFile("../../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	section, _, _ := strings.Cut(string(text), "\n## ")
	words := []string{"open", "deciding", "answers", "reject"}
	for _, end := range question.OutcomeKinds() {
		words = append(words, string(end))
	}
	for _, wire := range []reflect.Type{reflect.TypeFor[api.Question](), reflect.TypeFor[api.Item](), reflect.TypeFor[api.Option]()} {
		for i := range wire.NumField() {
			name, _, _ := strings.Cut(wire.Field(i).Tag.Get("json"), ",")
			words = append(words, name)
		}
	}
	for _, word := range words {
		if !strings.Contains(section, "`"+word+"`") && !strings.Contains(section, `"`+word+`":`) {
			t.Errorf("docs/http.md says nothing of %s", word)
		}
	}
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
			if code, text := rig.GetFrom(handler, path); code != http.StatusServiceUnavailable || !strings.Contains(text, want) {
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
