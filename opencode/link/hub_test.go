package link_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"hermes/opencode/link"
)

// journal is a hub whose callbacks are written down.
type journal struct {
	*link.Hub

	mu    sync.Mutex
	lines []string
	links []*link.Link
}

func newJournal(t *testing.T, config link.Config) *journal {
	t.Helper()
	j := &journal{}
	config.Opened = func(l *link.Link) { j.add(l, "opened "+l.Hello().Instance) }
	config.Event = func(l *link.Link, event json.RawMessage) { j.add(nil, "event "+string(event)) }
	config.Refused = func(h link.Hello) {
		j.add(nil, fmt.Sprintf("refused %d %q %q %q %q %q", h.Protocol, h.Plugin, h.Process, h.Host, h.Directory, h.Version))
	}
	config.Closed = func(l *link.Link) { j.add(nil, "closed "+l.Hello().Instance+" "+l.Reason().String()) }
	j.Hub = link.New(config)
	t.Cleanup(j.Close)
	return j
}

func (j *journal) add(l *link.Link, line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
	if l != nil {
		j.links = append(j.links, l)
	}
}

func (j *journal) want(t *testing.T, want ...string) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	if !slices.Equal(j.lines, want) {
		t.Errorf("the callbacks were %q, want %q", j.lines, want)
	}
}

// do makes one request within the process.
func (j *journal) do(ctx context.Context, method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	j.ServeHTTP(w, httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body)))
	return w
}

// hello has a field of older plugins, which hermes ignores.
func hello(instance, process, directory string) string {
	return fmt.Sprintf(`{"protocol":1,"looks":true,"instance":%q,"process":%q,"pid":7,"host":"h","directory":%q,"version":"1.18.33","complete":true,"questions":[{"id":"que_1"}]}`, instance, process, directory)
}

func (j *journal) open(t *testing.T, body string) *link.Link {
	t.Helper()
	w := j.do(t.Context(), "POST", "/v1/link", body)
	var answer struct {
		Link string
		Poll int
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 || answer.Poll == 0 {
		t.Fatalf("opening gave %d %s", w.Code, w.Body)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	l := j.links[len(j.links)-1]
	if l.ID() != answer.Link {
		t.Fatalf("the link is %s for the callback and %s for the plugin", l.ID(), answer.Link)
	}
	return l
}

type wireCall struct {
	ID, Method, Path string
	Query            map[string]string
	Body             json.RawMessage
}

func (j *journal) poll(t *testing.T, l *link.Link, after string) (int, []wireCall) {
	t.Helper()
	w := j.do(t.Context(), "GET", "/v1/link/"+l.ID()+"/calls?after="+after, "")
	var got struct{ Calls []wireCall }
	if w.Code == 200 {
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
	}
	return w.Code, got.Calls
}

type outcome struct {
	status int
	body   string
	err    error
}

// pendingCall makes a request over l in the background.
func pendingCall(ctx context.Context, l *link.Link, method, path, body string) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		request, _ := http.NewRequestWithContext(ctx, method, "http://opencode"+path, strings.NewReader(body))
		response, err := (&http.Client{Transport: l.RoundTripper()}).Do(request)
		if err != nil {
			done <- outcome{err: err}
			return
		}
		got, err := io.ReadAll(response.Body)
		done <- outcome{response.StatusCode, string(got), err}
	}()
	return done
}

func wantCallError(t *testing.T, got outcome, sent bool, cause error) {
	t.Helper()
	var err *link.CallError
	if !errors.As(got.err, &err) || err.Sent != sent || err.OutcomeUnknown() != sent || !errors.Is(err, cause) {
		t.Errorf("the call gave %v, want a CallError with Sent %v because of %v", got.err, sent, cause)
	}
}

func TestHub_BadInputIsRefusedWithASentence(t *testing.T) {
	j := newJournal(t, link.Config{})
	l := j.open(t, hello("i", "p", "/d"))
	at := "/v1/link/" + l.ID()
	huge := `{"x":"` + strings.Repeat("x", link.MaxBody) + `"}`
	for _, c := range []struct {
		name, method, path, body string
		want                     int
	}{
		{"no JSON", "POST", "/v1/link", "hello", 400},
		{"two values", "POST", "/v1/link", hello("i", "p", "/e") + "{}", 400},
		{"an array", "POST", "/v1/link", "[]", 400},
		{"nothing", "POST", "/v1/link", "", 400},
		{"no protocol", "POST", "/v1/link", `{"instance":"i","process":"p","directory":"/d"}`, 426},
		{"no instance", "POST", "/v1/link", `{"protocol":1,"process":"p","directory":"/d"}`, 400},
		{"no process", "POST", "/v1/link", `{"protocol":1,"instance":"i","directory":"/d"}`, 400},
		{"no directory", "POST", "/v1/link", `{"protocol":1,"instance":"i","process":"p"}`, 400},
		{"long directory", "POST", "/v1/link", hello("i", "p", "/"+strings.Repeat("d", 5000)), 400},
		{"negative pid", "POST", "/v1/link", `{"protocol":1,"instance":"i","process":"p","directory":"/d","pid":-1}`, 400},
		{"wrong type", "POST", "/v1/link", `{"protocol":1,"instance":5,"process":"p","directory":"/d"}`, 400},
		{"other protocol", "POST", "/v1/link", `{"protocol":2,"anything":[]}`, 426},
		{"huge", "POST", "/v1/link", huge, 413},
		{"unknown link, calls", "GET", "/v1/link/nope/calls", "", 410},
		{"unknown link, results", "POST", "/v1/link/nope/results", `{}`, 410},
		{"unknown link, events", "POST", "/v1/link/nope/events", `{}`, 410},
		{"after no number", "GET", at + "/calls?after=x", "", 400},
		{"after negative", "GET", at + "/calls?after=-1", "", 400},
		{"result without id", "POST", at + "/results", `{"status":200}`, 400},
		{"result without status", "POST", at + "/results", `{"id":"1"}`, 400},
		{"result with odd status", "POST", at + "/results", `{"id":"1","status":9999}`, 400},
		{"result no JSON", "POST", at + "/results", `{"id":`, 400},
		{"huge result", "POST", at + "/results", huge, 413},
		{"events no list", "POST", at + "/events", `{"events":{}}`, 400},
		{"event no object", "POST", at + "/events", `{"events":[{"type":"a"},5]}`, 400},
		{"event null", "POST", at + "/events", `{"events":[null]}`, 400},
		{"event without type", "POST", at + "/events", `{"events":[{"type":""}]}`, 400},
		{"huge events", "POST", at + "/events", huge, 413},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := j.do(t.Context(), c.method, c.path, c.body)
			var refusal struct{ Error string }
			if err := json.Unmarshal(w.Body.Bytes(), &refusal); err != nil || w.Code != c.want || refusal.Error == "" {
				t.Errorf("got %d %s, want %d and a sentence", w.Code, w.Body, c.want)
			}
		})
	}
	j.want(t, "opened i", `refused 0 "" "p" "" "/d" ""`, `refused 2 "" "" "" "" ""`)
}

// What a plugin of another protocol says is passed on so far as it can be read.
func TestHub_AnotherProtocolIsTold(t *testing.T) {
	j := newJournal(t, link.Config{})
	for _, body := range []string{
		`{"protocol":2,"plugin":"2.0.0","process":"p","host":"h","directory":"/d é","version":"1.19.0","questions":7}`,
		`{"protocol":0,"plugin":{"version":"1"},"process":null,"host":["h"],"directory":"/` + strings.Repeat("d", 5000) + `","version":"1.1.53"}`,
	} {
		if w := j.do(t.Context(), "POST", "/v1/link", body); w.Code != 426 {
			t.Errorf("it gave %d", w.Code)
		}
	}
	j.want(t, `refused 2 "2.0.0" "p" "h" "/d é" "1.19.0"`, `refused 0 "" "" "" "" "1.1.53"`)
}

func TestHub_EventsComeInOrderAndFarewellEndsTheLink(t *testing.T) {
	j := newJournal(t, link.Config{})
	l := j.open(t, hello("i", "p", "/d"))
	path := "/v1/link/" + l.ID() + "/events"
	if w := j.do(t.Context(), "POST", path, `{"events":[{"type":"a"},{"type":"b","properties":{}}]}`); w.Code != 204 {
		t.Errorf("events gave %d", w.Code)
	}
	if w := j.do(t.Context(), "POST", path, `{"events":[{"type":"c"},{"type":"hermes.closed"},{"type":"d"}]}`); w.Code != 204 {
		t.Errorf("the farewell gave %d", w.Code)
	}
	if w := j.do(t.Context(), "POST", path, `{"events":[{"type":"e"}]}`); w.Code != 410 {
		t.Errorf("events after the farewell gave %d", w.Code)
	}
	j.want(t, "opened i", `event {"type":"a"}`, `event {"type":"b","properties":{}}`, `event {"type":"c"}`, "closed i disposed")
}

func TestHub_AClosedHubRefuses(t *testing.T) {
	j := newJournal(t, link.Config{})
	j.open(t, hello("i", "p", "/d"))
	j.Close()
	j.want(t, "opened i", "closed i stopping")
	if w := j.do(t.Context(), "POST", "/v1/link", hello("j", "p", "/d")); w.Code != 503 {
		t.Errorf("opening gave %d", w.Code)
	}
}
