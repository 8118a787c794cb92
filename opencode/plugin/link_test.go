package plugin_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"hermes/internal/question"
	"hermes/opencode/call"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
	v1 "hermes/opencode/v1"
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
	if got := listed(t, l, "/question"); got != `[{"id":"que_1"}]` {
		t.Errorf("the plugin listed %s", got)
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
		"GET /api/question/request", `POST /api/session/ses_1/permission/per_1/reply {"reply":"once"}`,
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
		"GET /session/ses_1/message/msg_1", `POST /question/que_1/reply {"answers":[["a"],[]]}`,
		"POST /question/que_1/reject", `POST /permission/per_1/reply {"reply":"reject","message":"no"}`,
	} {
		if status, err := sendLine(t, l, c); status != 200 {
			t.Errorf("%s gave %d %v", c, status, err)
		}
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
	a.event("message.part.delta", map[string]any{"delta": "x"})
	a.event("message.part.updated", part("bash", "completed"))
	a.event("message.part.updated", part("question", "running"))
	a.event("question.asked", map[string]any{"id": "que_1", "more": "SECRET"})
	a.event("permission.replied", map[string]any{"requestID": "per_1", "reply": "once", "more": "SECRET"})
	a.event("permission.v2.asked", map[string]any{"id": "per_2"}) // of sessions under /api
	a.event("permission.updated", map[string]any{"id": "per_1"})  // nobody reads it
	a.event("session.status", map[string]any{"sessionID": "ses_1", "status": map[string]any{"type": "retry", "message": "M", "attempt": 1}})
	a.event("message.part.updated", part("question", "completed"))
	a.do("event", nil)
	a.event("session.error", map[string]any{"sessionID": "ses_1", "error": map[string]any{"name": "N", "data": map[string]any{"message": "M", "responseBody": "long"}}})
	a.event("session.idle", map[string]any{"sessionID": "ses_1"})
	for _, want := range []string{
		`{"type":"session.created","properties":{"info":{"id":"ses_1","title":"T","directory":"/d"}}}`,
		`{"type":"question.asked","properties":{"id":"que_1"}}`,
		`{"type":"permission.replied","properties":{"requestID":"per_1","reply":"once"}}`,
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

// requestsOf is the key of how many requests came over a connection.
type requestsOf struct{}

// hermes may close a kept connection in the moment in which it is used again: what was told is told once more, whether or not the
// runtime says that the connection was kept.
func TestLink_AConnectionIsClosedWhileItIsUsedAgain(t *testing.T) {
	for _, env := range [][]string{nil, {"LIKE_BUN=1"}} {
		var closed atomic.Bool
		h := newHermes()
		guarded := link.Access{API: token}.GuardLinks(h.hub)
		h.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n := r.Context().Value(requestsOf{}).(*atomic.Int64).Add(1)
			if n > 1 && strings.HasSuffix(r.URL.Path, "/events") && !closed.Swap(true) {
				panic(http.ErrAbortHandler)
			}
			guarded.ServeHTTP(w, r)
		}))
		h.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
			return context.WithValue(ctx, requestsOf{}, new(atomic.Int64))
		}
		h.Start()
		t.Cleanup(h.Server.Close)
		t.Cleanup(h.hub.Close)
		a := startAgent(t, h.URL, env...)
		a.do("init")
		l := receive(t, h.opened)
		for !closed.Load() {
			a.event("question.replied", map[string]any{"sessionID": "ses_1", "requestID": "que_1"}) // the plugin keeps it until the link is open
			receive(t, h.events)
		}
		if l.Reason() != link.Open {
			t.Errorf("with %v, the link is %v", env, l.Reason())
		}
		a.exits()
	}
}

// The plugin knows every route that hermes calls, and lets the bodies through that hermes sends.
func TestProtocols_TheirRoutesAreAllowed(t *testing.T) {
	h := serve(t, hermesThat(false))
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	asking := question.Request{ID: "que_1", Session: "ses_1", Message: "msg_1", Items: []question.Item{{}}}
	leave := question.Request{ID: "per_1", Session: "ses_1", Message: "msg_1", Permission: &question.Permission{}}
	d := v1.NewDriver(&call.Endpoint{Transport: l.RoundTripper(), Base: "http://opencode.internal", Directory: directory}, "", 0)
	for name, call := range map[string]func() error{
		"list":    func() error { _, _, err := d.Pending(t.Context()); return err },
		"look":    func() error { _, err := d.Look(t.Context(), asking); return err },
		"message": func() error { _, err := d.Message(t.Context(), leave); return err },
		"last":    func() error { _, err := d.LastMessages(t.Context(), "ses_1"); return err },
		"answer":  func() error { return d.Reply(t.Context(), asking, question.Answers{{"yes"}}) },
		"dismiss": func() error { return d.Reject(t.Context(), asking, "") },
		"allow":   func() error { return d.Reply(t.Context(), leave, question.Answers{{question.Always}}) },
		"reject":  func() error { return d.Reject(t.Context(), leave, "no") },
	} {
		if no := (*link.CallError)(nil); errors.As(call(), &no) && no.Refused {
			t.Errorf("to %s is refused: %v", name, no)
		}
	}
	a.exits()
}

// linkedProject is a project, by a directory that is a link to it, with files that are elsewhere than their names say.
func linkedProject(t *testing.T) (directory, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	directory, outside = filepath.Join(base, "by-link"), filepath.Join(base, "outside")
	for _, folder := range []string{"project/.git/hooks", "project/docs", "outside"} {
		if err := os.MkdirAll(filepath.Join(base, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"by-link": "project", "project/lib": outside,
		"project/docs/readme.md": "../.git/hooks/pre-commit", // which does not exist yet: a write makes it
		"project/docs/a":         "b", "project/docs/b": "a",
	} {
		if err := os.Symlink(target, filepath.Join(base, name)); err != nil {
			t.Fatal(err)
		}
	}
	return directory, outside
}

// An ask to edit says which of its files are elsewhere than their names say, in events and in lists, and what comes after it
// is told after it.
func TestFileLinks(t *testing.T) {
	directory, outside := linkedProject(t)
	h := startHermes(t)
	a := startAgent(t, h.URL, "DIRECTORY="+directory)
	in := func(name string) string { return filepath.Join(directory, name) }
	edit := func(metadata map[string]any, patterns ...string) map[string]any {
		return map[string]any{"id": "per_1", "sessionID": "ses_1", "permission": "edit", "patterns": patterns, "metadata": metadata}
	}
	readme := edit(map[string]any{"filepath": in("docs/readme.md"), "diff": "+x"}, "docs/readme.md")
	a.do("list", "/permission", []any{readme, nil})
	a.do("init")
	got := listed(t, receive(t, h.opened), "/permission")
	var asks []struct{ Links map[string]string }
	if err := json.Unmarshal([]byte(got), &asks); err != nil || len(asks) != 2 || asks[0].Links["docs/readme.md"] != ".git/hooks/pre-commit" {
		t.Errorf("the list has %s %v", got, err)
	}
	for name, c := range map[string]struct {
		kind string
		ask  map[string]any
		want map[string]string
	}{
		"a link":               {"permission.asked", readme, map[string]string{"docs/readme.md": ".git/hooks/pre-commit"}},
		"by its pattern alone": {"permission.asked", edit(nil, "docs/readme.md"), map[string]string{"docs/readme.md": ".git/hooks/pre-commit"}},
		"a plain file":         {"permission.asked", edit(map[string]any{"filepath": in("docs/new/x.md")}, "docs/new/x.md"), nil},
		"a command":            {"permission.asked", map[string]any{"id": "per_1", "permission": "bash", "patterns": []string{"docs/readme.md"}}, nil},
		"a circle":             {"permission.asked", edit(map[string]any{"filepath": in("docs/a")}, "docs/a"), map[string]string{"docs/a": "?"}},
		"without paths":        {"permission.asked", map[string]any{"id": "per_1", "permission": "edit", "patterns": []any{1, nil}, "metadata": "x"}, nil},
		"moved below a linked folder": {"permission.asked", edit(map[string]any{"files": []any{
			map[string]any{"filePath": in("x"), "movePath": in("lib/y"), "type": "move"}, nil,
		}}, "x"), map[string]string{"lib/y": filepath.Join(outside, "y")}},
	} {
		a.event(c.kind, c.ask)
		a.event("permission.replied", map[string]any{"sessionID": "ses_1", "requestID": "per_1"})
		var asked, replied struct {
			Type       string
			Properties struct{ Links map[string]string }
		}
		first, second := receive(t, h.events), receive(t, h.events)
		if err := json.Unmarshal([]byte(first), &asked); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(second), &replied); err != nil {
			t.Fatal(err)
		}
		if asked.Type != c.kind || replied.Type != "permission.replied" || !reflect.DeepEqual(asked.Properties.Links, c.want) {
			t.Errorf("%s: %s, then %s; want %v", name, first, second, c.want)
		}
	}
	a.exits()
}

// wordsIn is what an event says that the agent wrote before.
func wordsIn(t *testing.T, raw string) string {
	t.Helper()
	var e struct{ Properties struct{ Said string } }
	if err := json.Unmarshal([]byte(raw), &e); err != nil {
		t.Fatal(err)
	}
	return e.Properties.Said
}

// An ask takes along what its session's agent wrote last in this turn, and nothing else of what is written crosses.
func TestWords_AnAskTakesThemAlong(t *testing.T) {
	h := serve(t, hermesThat(true))
	a := startAgent(t, h.URL)
	a.do("init")
	receive(t, h.opened)
	asks := func(session string) string {
		a.event("question.asked", map[string]any{"id": "que_1", "sessionID": session, "tool": map[string]any{"messageID": "msg_2", "callID": "call_1"}})
		return wordsIn(t, receive(t, h.events))
	}
	a.event("message.part.updated", part("prt_1", "ses_1", "text", `"text":"what the person wrote"`))
	a.event("message.part.updated", part("prt_2", "ses_1", "reasoning", `"text":"what it thinks","time":{"start":1,"end":2}`))
	if got := asks("ses_1"); got != "" {
		t.Errorf("before it has written: %q", got)
	}
	a.event("message.part.updated", part("prt_3", "ses_1", "text", `"text":"I need a database.","time":{"start":1,"end":2}`))
	a.event("message.part.updated", part("prt_4", "ses_1", "text", `"text":"","time":{"start":3}`))
	if got := asks("ses_1"); got != "I need a database." {
		t.Errorf("a question: %q", got)
	}
	a.event("message.part.delta", delta("prt_2", "ses_1", "thought"))
	a.event("message.part.delta", delta("prt_4", "ses_1", "I know "))
	a.event("message.part.delta", delta("prt_4", "ses_1", "of two."))
	if got := asks("ses_1"); got != "I know of two." {
		t.Errorf("a text that has not ended: %q", got)
	}
	a.event("message.part.updated", part("prt_4", "ses_1", "text", `"text":"I need a database.","time":{"start":3,"end":4}`))
	a.event("permission.asked", map[string]any{"id": "per_1", "sessionID": "ses_1", "permission": "bash"})
	if got := wordsIn(t, receive(t, h.events)); got != "I need a database." {
		t.Errorf("a permission: %q", got)
	}
	if got := asks("ses_2"); got != "" {
		t.Errorf("another session: %q", got)
	}
	a.event("message.part.updated", part("prt_5", "ses_1", "text", `"text":"`+strings.Repeat("x", 5000)+`end","time":{"start":1,"end":2}`))
	if got := asks("ses_1"); utf8.RuneCountInString(got) != 1200 || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "end") {
		t.Errorf("a long text: %q", got)
	}
	a.event("session.idle", map[string]any{"sessionID": "ses_1"})
	receive(t, h.events)
	if got := asks("ses_1"); got != "" {
		t.Errorf("in the next turn: %q", got)
	}
	a.exits()
}
