package plugin_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hermes/opencode/link"
	"hermes/opencode/plugin"
)

func TestLink_ThePluginOpensAndCarriesOut(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL, "OPENCODE_SERVER_PASSWORD=pässword")
	a.do("list", "/question", []any{map[string]any{"id": "que_1"}})
	a.do("init")
	l := receive(t, h.opened)
	hello := l.Hello()
	if hello.Directory != directory || hello.Version != "1.18.33" || hello.Plugin != plugin.Version() || hello.PID != a.cmd.Process.Pid || hello.Process == hello.Instance {
		t.Errorf("the plugin said %+v", hello)
	}
	if !hello.Complete || string(hello.Questions) != `[{"id":"que_1"}]` || string(hello.Permissions) != `[]` {
		t.Errorf("the plugin listed %s and %s, complete %v", hello.Questions, hello.Permissions, hello.Complete)
	}
	status, body, err := roundTrip(t, l, "POST", "/question/que_1/reply", strings.NewReader(`{"answers":[["Ä"]]}`))
	if status != 200 || body != "true" || err != nil {
		t.Errorf("the reply gave %d %q %v", status, body, err)
	}
	got := a.requests()[len(a.requests())-1]
	if got.Method != "POST" || got.URL != "/question/que_1/reply" || got.Query["directory"] != directory || string(got.Body) != `{"answers":[["Ä"]]}` {
		t.Errorf("OpenCode was asked %+v", got)
	}
	if want := "Basic " + base64.StdEncoding.EncodeToString([]byte("opencode:pässword")); got.Headers["Authorization"] != want {
		t.Errorf("OpenCode was given the credentials %q", got.Headers["Authorization"])
	}
	status, body, err = roundTrip(t, l, "POST", "/question/que_gone/reject", nil)
	if status != 404 || body != "" || err != nil {
		t.Errorf("an error of OpenCode came as %d %q %v", status, body, err)
	}
	a.exits()
}

// Rules look at where a directory really is, and only its own machine knows that.
func TestLink_ThePluginResolvesItsDirectory(t *testing.T) {
	real, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	link, nowhere := filepath.Join(folder, "link"), filepath.Join(folder, "nowhere")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	for directory, want := range map[string]string{link: real, real: real, nowhere: "?"} {
		h := startHermes(t)
		a := startAgent(t, h.URL, "DIRECTORY="+directory)
		a.do("init")
		if hello := receive(t, h.opened).Hello(); hello.Directory != directory || hello.Resolved != want {
			t.Errorf("%s: the plugin says %q, which is %q, want %q", directory, hello.Directory, hello.Resolved, want)
		}
		a.exits()
	}
}

func TestLink_OnlyTheCallsThatHermesNeedsReachOpenCode(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	before := len(a.requests())
	for _, c := range []string{
		"POST /question", "GET /config", "POST /session/ses_1/shell", "POST /session/ses_1/prompt_async", "DELETE /session/ses_1",
		"GET /question/que_1/reply", "POST /question/per_1/reply", "POST /question/que_1/../../session/reply", "POST /question/que_1%2F..%2Fx/reply",
		"GET /session/ses_1/message/que_1", "GET /question?directory=/elsewhere", "GET /session/ses_1/message?limit=x", "GET /question?workspace=w",
		"GET /session/ses_" + strings.Repeat("x", 65), "GET /session/ses_1%0A", "GET //question", "GET /question?limit=5", `GET /question {"x":1}`,
		"GET /session/ses_1/message?limit=1000", "GET /session/ses_1?location[directory]=" + url.QueryEscape(directory),
		"POST /question/que_1/reply", "POST /question/que_1/reply {}", `POST /question/que_1/reply {"answers":"a"}`, `POST /question/que_1/reply {"answers":["a"]}`,
		`POST /question/que_1/reply {"answers":[[5]]}`, `POST /question/que_1/reply {"answers":[["a"]],"more":1}`, "POST /question/que_1/reject {}",
		"POST /permission/per_1/reply", `POST /permission/per_1/reply {"reply":"yes"}`, `POST /permission/per_1/reply {"reply":["once"]}`,
		`POST /permission/per_1/reply {"message":"a"}`, `POST /permission/per_1/reply {"reply":"once","message":5}`, `POST /permission/per_1/reply {"reply":"once","rules":[]}`,
		`POST /api/session/ses_1/permission/per_1/reply {"reply":"once","x":1}`, `POST /api/session/ses_1/question/que_1/reply {"answers":null}`,
	} {
		method, rest, _ := strings.Cut(c, " ")
		path, body, _ := strings.Cut(rest, " ")
		_, _, err := roundTrip(t, l, method, path, strings.NewReader(body))
		var refused *link.CallError
		if !errors.As(err, &refused) || refused.Sent || !strings.Contains(err.Error(), "allow") {
			t.Errorf("%s gave %v", c, err)
		}
	}
	if asked := a.requests()[before:]; len(asked) > 0 {
		t.Errorf("OpenCode was asked %+v", asked)
	}
	for _, c := range []string{
		"GET /global/health", "GET /question", "GET /permission", "GET /session/status", "GET /session/ses_1", "GET /session/ses_1/message?limit=1",
		"GET /session/ses_1/message/msg_1", "GET /api/question/request", "GET /api/permission/request", "GET /api/session/active", "GET /api/session/ses_1/message/msg_1", `POST /question/que_1/reply {"answers":[["a"],[]]}`,
		"POST /question/que_1/reject", `POST /permission/per_1/reply {"reply":"reject","message":"no"}`, `POST /api/session/ses_1/question/que_1/reply {"answers":[]}`,
		"POST /api/session/ses_1/question/que_1/reject", `POST /api/session/ses_1/permission/per_1/reply {"reply":"always"}`,
	} {
		if status, err := sendLine(t, l, c); status != 200 {
			t.Errorf("%s gave %d %v", c, status, err)
		}
	}
	a.exits()
}

// Up to 1.15 OpenCode has no /api, and passes what it does not know on to a server on the internet.
func TestLink_AnOldOpenCodeIsNotAskedForAPI(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL, "FAKE_VERSION=1.1.53")
	a.do("init")
	_, _, err := roundTrip(t, receive(t, h.opened), "POST", "/api/session/ses_1/question/que_1/reply", strings.NewReader(`{"answers":[]}`))
	var refused *link.CallError
	if !errors.As(err, &refused) || refused.Sent {
		t.Errorf("got %v", err)
	}
	a.exits()
}

func TestLink_EventsThatHermesNeedsComeInOrder(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("init")
	receive(t, h.opened)
	info := map[string]any{"id": "ses_1", "title": "T", "directory": "/d", "summary": map[string]any{"diffs": "long"}}
	part := func(tool, status string) map[string]any {
		return map[string]any{"part": map[string]any{"type": "tool", "tool": tool, "state": map[string]any{"status": status}}}
	}
	a.event("session.created", map[string]any{"info": info})
	a.event("session.updated", map[string]any{"info": info}) // nothing new
	a.event("message.part.delta", map[string]any{"delta": "x"})
	a.event("message.part.updated", part("bash", "completed"))
	a.event("message.part.updated", part("question", "running"))
	a.do("tool.execute.before", map[string]any{"tool": "bash"}, map[string]any{})
	a.do("tool.execute.before", map[string]any{"tool": "question", "sessionID": "ses_1", "callID": "call_1"}, map[string]any{"args": map[string]any{"questions": []any{}, "more": "SECRET"}})
	a.event("question.asked", map[string]any{"id": "que_1", "more": "SECRET"})
	a.event("permission.v2.replied", map[string]any{"requestID": "per_1", "reply": "once", "more": "SECRET"})
	a.event("permission.updated", map[string]any{"id": "per_1"}) // nobody reads it
	a.event("session.status", map[string]any{"sessionID": "ses_1", "status": map[string]any{"type": "retry", "message": "M", "attempt": 1}})
	a.event("message.part.updated", part("question", "completed"))
	a.do("event", nil)
	a.event("session.error", map[string]any{"sessionID": "ses_1", "error": map[string]any{"name": "N", "data": map[string]any{"message": "M", "responseBody": "long"}}})
	a.event("session.idle", map[string]any{"sessionID": "ses_1"})
	for _, want := range []string{
		`{"type":"session.created","properties":{"sessionID":"ses_1","info":{"id":"ses_1","title":"T","directory":"/d"}}}`,
		`{"type":"tool.execute.before","properties":{"tool":"question","sessionID":"ses_1","callID":"call_1","args":{"questions":[]}}}`,
		`{"type":"question.asked","properties":{"id":"que_1"}}`,
		`{"type":"permission.v2.replied","properties":{"requestID":"per_1","reply":"once"}}`,
		`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"retry","message":"M"}}}`,
		`{"type":"message.part.updated","properties":{"part":{"type":"tool","tool":"question","state":{"status":"completed"}}}}`,
		`{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"N","data":{"message":"M"}}}}`,
		`{"type":"session.idle","properties":{"sessionID":"ses_1"}}`,
	} {
		if got := receive(t, h.events); got != want {
			t.Errorf("got the event %s, want %s", got, want)
		}
	}
	a.exits()
}

func TestLink_ManyEventsArriveWhole(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("init")
	receive(t, h.opened)
	long := strings.Repeat("ü", 30_000)
	for i := range 60 {
		a.event("question.asked", map[string]any{"id": fmt.Sprint("que_", i), "questions": []any{map[string]any{"question": long}}})
	}
	for i := range 60 {
		if got := receive(t, h.events); !strings.Contains(got, fmt.Sprintf(`"que_%d"`, i)) || !strings.Contains(got, long) {
			t.Fatalf("event %d is %.80s", i, got)
		}
	}
	a.exits()
}

func TestLink_AFailedListingIsMadeUpFor(t *testing.T) {
	h := startHermes(t)
	t.Parallel()
	a := startAgent(t, h.URL)
	a.do("mode", "fail")
	a.do("init")
	if hello := receive(t, h.opened).Hello(); hello.Complete || string(hello.Questions) != "[]" || hello.Version != "" {
		t.Errorf("the plugin said %+v", hello)
	}
	a.do("list", "/question", []any{map[string]any{"id": "que_1"}})
	a.do("mode", "good")
	if got, want := receive(t, h.events), `{"type":"hermes.listed","properties":{"questions":[{"id":"que_1"}],"permissions":[]}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	a.exits()
}

func TestLink_ABrokenClientIsReported(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("mode", "throw")
	a.do("init")
	_, _, err := roundTrip(t, receive(t, h.opened), "GET", "/question", nil)
	var unknown *link.CallError
	if !errors.As(err, &unknown) || !unknown.Sent || !strings.Contains(err.Error(), "client broken") {
		t.Errorf("got %v", err)
	}
	a.exits()
}

func TestLink_AnInstanceThatIsDisposedSaysSo(t *testing.T) {
	for _, how := range []string{"dispose", "event"} {
		t.Run(how, func(t *testing.T) {
			h := startHermes(t)
			a := startAgent(t, h.URL)
			a.do("init")
			l := receive(t, h.opened)
			if how == "dispose" {
				a.do("dispose")
			} else { // before there was a hook
				a.event("server.instance.disposed", map[string]any{"directory": directory})
			}
			if reason := receive(t, h.closed); reason != link.Disposed {
				t.Errorf("the link ended as %v", reason)
			}
			a.do("init")
			if again := receive(t, h.opened); again.Hello().Process != l.Hello().Process || again.Hello().Instance == l.Hello().Instance {
				t.Errorf("the plugin came back as %+v after %+v", again.Hello(), l.Hello())
			}
			a.exits()
		})
	}
}

// OpenCode does not tell every plugin instance of its end, and loads a second copy of the file as another plugin.
func TestLink_ANewInstanceReplacesTheOld(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("init")
	receive(t, h.opened)
	a.do("init")
	receive(t, h.closed)
	second := receive(t, h.opened)
	a.event("session.idle", map[string]any{"sessionID": "ses_1"})
	receive(t, h.events)
	if second.Reason() != link.Open {
		t.Errorf("the second link ended as %v", second.Reason())
	}
	a.exits()
}

func TestLink_WithoutAUsableClientThePluginDoesNothing(t *testing.T) {
	a := startAgent(t, "http://127.0.0.1:1")
	a.do("init", "bare")
	a.exits()
}

func TestLink_WhereThePluginFindsHermes(t *testing.T) {
	h := startHermes(t)
	env := []string{"HERMES_URL=" + h.URL, "HERMES_TOKEN=" + token}
	t.Run("environment", func(t *testing.T) {
		config := t.TempDir()
		if _, err := plugin.Install(plugin.Options{ConfigDir: config, URLs: []string{"http://127.0.0.1:1"}, Token: token}); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(config, "plugin", "hermes.json")); err != nil {
			t.Fatal(err)
		}
		a := startAgentIn(t, config, env...)
		a.do("init")
		receive(t, h.opened)
		a.exits()
	})
	t.Run("the file wins", func(t *testing.T) {
		other := startHermes(t)
		a := startAgent(t, other.URL, env...)
		a.do("init")
		receive(t, other.opened)
		a.exits()
		if len(h.opened) != 0 {
			t.Error("the environment changed where the plugin goes")
		}
	})
}

func TestLink_TheTokenIsSentAsABearer(t *testing.T) {
	var seen []string
	h := newHermes()
	t.Cleanup(h.hub.Close)
	h.Server = newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(seen, r.Header.Get("Authorization")) {
			seen = append(seen, r.Header.Get("Authorization"))
		}
		var hello map[string]json.RawMessage
		if json.NewDecoder(r.Body).Decode(&hello) == nil && strings.Contains(fmt.Sprint(hello), token) {
			t.Error("the token is in the body")
		}
		h.opened <- nil
		w.WriteHeader(http.StatusUnauthorized)
	})
	a := startAgent(t, h.URL)
	a.do("init")
	receive(t, h.opened)
	if !slices.Equal(seen, []string{"Bearer " + token}) {
		t.Errorf("got %q", seen)
	}
	a.exits()
}
