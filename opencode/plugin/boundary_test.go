package plugin_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/opencode/link"
)

// Of what OpenCode answers, just what hermes reads crosses the link.
func TestBoundary_OnlyWhatHermesReadsCrosses(t *testing.T) {
	h := serve(t, hermesThat(true))
	a := startAgent(t, h.URL)
	a.do("list", "/question")
	a.do("list", "/permission")
	a.do("init")
	l := receive(t, h.opened)
	const (
		session = `{"id":"ses_1","parentID":"ses_0","title":"T","directory":"/d","time":{"updated":2}}`
		info    = `{"id":"msg_2","role":"%s","parentID":"msg_1","agent":"build","mode":"build","providerID":"p","modelID":"m",` +
			`"model":{"providerID":"p","modelID":"m"},"time":{"created":1,"completed":2},"error":{"name":"E","data":{"message":"why"}},"cost":0.5,` +
			`"tokens":{"input":1,"output":2,"reasoning":3,"cache":{"read":4,"write":5}},"summary":%s}`
		tool     = `{"id":"prt_1","sessionID":"ses_1","callID":"call_1","type":"tool","tool":"bash","state":{"status":"error","error":"refused","metadata":{"answers":[["yes"]]}}}`
		about    = `"tool":{"messageID":"msg_2","callID":"call_1"}`
		question = `{"id":"que_1","sessionID":"ses_1","questions":[{"question":"Q","header":"H","options":[{"label":"L","description":"D"}],"multiple":true,"custom":false}],` + about + `}`
	)
	of := func(role, summary string) string { return fmt.Sprintf(info, role, summary) }
	for call, want := range map[string]string{
		"GET /global/health":  `{"healthy":true,"version":"1.18.33"}`,
		"GET /session/status": `{"ses_1":{"type":"retry"}}`,
		"GET /session/ses_1":  session,
		"GET /session":        "[" + session + "]",
		"POST /session {}":    session,
		"GET /session/ses_1/message": `[{"info":` + of("user", `{"diffs":[{"file":"f","additions":1,"deletions":2,"patch":"@@"}]}`) +
			`,"parts":[{"type":"text"},{"type":"reasoning"},{"type":"file"},` + tool + `]},{"info":` + of("assistant", "true") +
			`,"parts":[{"type":"text","text":"words","synthetic":false},{"type":"reasoning"},{"type":"file"},` + tool + `]}]`,
		"GET /session/ses_1/message/msg_1": `{"info":` + of("assistant", "true") + `,"parts":[{"type":"text"},{"type":"reasoning"},{"type":"file"},` +
			strings.Replace(tool, `"answers":[["yes"]]}`, `"answers":[["yes"]]},"input":{"command":"ls"}`, 1) + `]}`,
		"GET /question": `[` + question + `]`,
		"GET /permission": `[{"id":"per_1","sessionID":"ses_1","permission":"bash","patterns":["ls"],"always":["ls *"],` + about +
			`,"metadata":{"command":"ls","nested":{"a":[1]}}}]`,
		"GET /session/ses_1/todo": `[{"content":"do","status":"pending"}]`,
		"GET /agent":              `[{"name":"build","mode":"primary","hidden":false}]`,
		"GET /command": `[{"name":"say","text":true},{"name":"plain","text":true},{"name":"shell","text":false},{"name":"shells","text":false},{"name":"file","text":false},` +
			`{"name":"any","text":false},{"name":"home","text":false},{"name":"mcp","text":false},{"name":"fixed","text":true}]`,
		"GET /config/providers":                   `{"providers":[{"id":"p","models":{"m":{},"constructor":{}}}]}`,
		command(`"command":"say","arguments":""`): "null",
		"GET /session/ses_gone":                   "",
		"POST /question/que_gone/reject":          "",
		"POST /question/que_1/reject":             "true",
	} {
		method, rest, _ := strings.Cut(call, " ")
		path, body, _ := strings.Cut(rest, " ")
		_, got, err := roundTrip(t, l, method, path, strings.NewReader(body))
		if got != want || err != nil {
			t.Errorf("%s gave %s %v, want %s", call, got, err, want)
		}
	}
	a.exits()
}

// What waits is listed at every link that is opened.
func TestBoundary_OnlyWhatHermesReadsIsListed(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("list", "/question", []any{map[string]any{"id": "que_1", "more": "SECRET"}})
	a.do("list", "/permission", []any{map[string]any{"id": "per_1", "more": "SECRET"}, "SECRET"})
	a.do("init")
	l := receive(t, h.opened)
	if questions, permissions := listed(t, l, "/question"), listed(t, l, "/permission"); questions != `[{"id":"que_1"}]` || permissions != `[{"id":"per_1"},null]` {
		t.Errorf("the plugin listed %s and %s", questions, permissions)
	}
	a.exits()
}

// flood is a hub that answers polls with many calls at once, until all of them have arrived.
type flood struct {
	calls   int
	results atomic.Int64
	done    chan bool
}

func (f *flood) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/link"):
		_, _ = w.Write([]byte(`{"link":"x","poll":25}`))
	case r.Method == http.MethodPost:
		_, _ = io.Copy(io.Discard, r.Body)
		if strings.HasSuffix(r.URL.Path, "/results") && f.results.Add(1) == int64(f.calls) {
			close(f.done)
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		var after int
		_, _ = fmt.Sscan(r.URL.Query().Get("after"), &after)
		_, _ = w.Write(f.answer(after))
	}
}

// answer is as many calls as an answer can have.
func (f *flood) answer(after int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"calls":[`)
	for id := after + 1; id <= min(f.calls, after+3000); id++ {
		if id > after+1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"%d","method":"GET","path":"/session/ses_1/message"}`, id)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// However many calls a hub hands out, few run at a time, and what OpenCode does besides does not wait. Each is carried out once.
func TestBoundary_AFloodOfCallsIsCarriedOutLittleByLittle(t *testing.T) {
	f := &flood{calls: 400, done: make(chan bool)}
	a := startAgent(t, newServer(t, f.ServeHTTP).URL)
	a.do("mode", "slow")
	a.do("init")
	select {
	case <-f.done:
	case <-time.After(patience):
		t.Fatalf("%d of %d calls were carried out", f.results.Load(), f.calls)
	}
	held, most := a.strain()
	if most > 8 || most < 2 {
		t.Errorf("%d calls ran at a time", most)
	}
	if held > 250*time.Millisecond {
		t.Errorf("other work had to wait for %v of work", held)
	}
	if n := len(a.requests()); n > f.calls+10 {
		t.Errorf("OpenCode was asked %d times for %d calls", n, f.calls)
	}
	a.exits()
}

// An answer that would take long to decode, or much memory, is not decoded.
func TestBoundary_AnAnswerWithTooManyValuesIsNotDecoded(t *testing.T) {
	for name, body := range map[string]string{
		"calls":  `{"calls":[` + strings.TrimSuffix(strings.Repeat(`{"id":"1","method":"GET","path":"/session/status"},`, 600_000), ",") + `]}`,
		"lists":  `{"calls":[],"x":` + strings.Repeat("[", 12<<20) + strings.Repeat("]", 12<<20) + `}`,
		"quotes": `{"calls":[],"x":["` + strings.Repeat(`\"`, 5<<20) + `"` + strings.Repeat(`,"\\"`, 1<<20) + `]}`,
		"blanks": `{"calls":[],` + strings.Repeat(" ", 12<<20) + `"x":[` + strings.Repeat("0,", 1<<17) + `0]}`,
	} {
		t.Run(name, func(t *testing.T) {
			polls := make(chan bool, 1000)
			s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					polls <- true
					_, _ = io.WriteString(w, body)
					return
				}
				_, _ = w.Write([]byte(`{"link":"x","poll":25}`))
			})
			a := startAgent(t, s.URL)
			a.do("init")
			for range 3 {
				receive(t, polls)
			}
			if held, _ := a.strain(); held > 600*time.Millisecond {
				t.Errorf("other work had to wait for %v of work", held)
			}
			for _, r := range a.requests() {
				if r.URL == "/session/status" {
					t.Errorf("OpenCode was asked %+v", r)
				}
			}
			a.exits()
		})
	}
}

// A text with many signs, which a prompt may have, is no answer with many values.
func TestBoundary_ALongTextPasses(t *testing.T) {
	h := serve(t, hermesThat(true))
	a := startAgent(t, h.URL)
	a.do("init")
	text := strings.Repeat(`[{\"a\":1,\\},`, 1<<16)
	status, _, err := roundTrip(t, receive(t, h.opened), "POST", "/session/ses_1/prompt_async",
		strings.NewReader(`{"messageID":"msg_1","parts":[{"type":"text","text":"`+text+`"}]}`))
	if status != http.StatusNoContent || err != nil {
		t.Errorf("gave %d %v", status, err)
	}
	a.exits()
}

// An OpenCode that answers nothing any more keeps its link: calls beyond those that it holds are given back unsent.
func TestBoundary_AStuckOpenCodeKeepsItsLink(t *testing.T) {
	h := startHermes(t)
	t.Parallel()
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	a.do("mode", "hang")
	unsent := make(chan error, 12)
	for range 12 {
		go func() {
			_, _, err := roundTrip(t, l, "GET", "/session/ses_1/message", nil)
			unsent <- err
		}()
	}
	for range 4 {
		var call *link.CallError
		if err := receive(t, unsent); !errors.As(err, &call) || call.Sent || call.Refused {
			t.Errorf("a call beyond those that are stuck gave %v", err)
		}
	}
	if l.Reason() != link.Open {
		t.Errorf("the link has ended: %v", l.Reason())
	}
}
