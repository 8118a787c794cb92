package opencode

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/link"
)

// plugin plays the plugin inside an OpenCode: it keeps a link, and carries out
// the calls that come over it at a opencodesim.
type plugin struct {
	t    *testing.T
	hub  http.Handler
	sim  *opencodesim.Simulator
	id   string
	dir  string
	quit chan struct{} // closed: it polls no more, without a word
	done chan struct{} // closed when it polls no more

	unsure atomic.Bool // it is certain of no ask
	mu     sync.Mutex
	calls  []carried
}

// carried gives the calls that came since it was asked last.
func (p *plugin) carried() []carried {
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := p.calls
	p.calls = nil
	return calls
}

// plug opens a link and serves it until it ends or the test does.
func plug(t *testing.T, w *watched, s *opencodesim.Simulator, hello link.Hello) *plugin {
	t.Helper()
	hello.Protocol, hello.Instance, hello.Version = link.Protocol, "instance", cmp.Or(hello.Version, s.Version())
	p := &plugin{t: t, hub: w.Handler(), sim: s, dir: hello.Directory, quit: make(chan struct{}), done: make(chan struct{})}
	status, answer := p.do(http.MethodPost, "/v1/link", hello)
	var opened struct{ Link string }
	if err := json.Unmarshal(answer, &opened); err != nil || status != http.StatusOK {
		t.Fatalf("open: %d %s", status, answer)
	}
	p.id = opened.Link
	go p.serve()
	t.Cleanup(func() { w.Close(); <-p.done })
	return p
}

func (p *plugin) do(method, path string, body any) (int, []byte) {
	raw, _ := json.Marshal(body)
	w := httptest.NewRecorder()
	p.hub.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(string(raw))))
	return w.Code, w.Body.Bytes()
}

func (p *plugin) serve() {
	defer close(p.done)
	after := "0"
	for {
		select {
		case <-p.quit:
			return
		default:
		}
		status, answer := p.do(http.MethodGet, "/v1/link/"+p.id+"/calls?after="+after, nil)
		var got struct{ Calls []carried }
		switch {
		case status == http.StatusNoContent:
		case status != http.StatusOK || json.Unmarshal(answer, &got) != nil:
			return
		}
		for _, call := range got.Calls {
			after = call.ID
			go p.carry(call)
		}
	}
}

// carried is a call on its way to OpenCode.
type carried struct {
	ID, Method, Path string
	Query            map[string]string
	Body             json.RawMessage
	Waits            *link.Ask
}

// carry carries a call out, with the directory that only the plugin knows for sure.
func (p *plugin) carry(call carried) {
	p.mu.Lock()
	p.calls = append(p.calls, call)
	p.mu.Unlock()
	if call.Waits != nil && p.unsure.Load() {
		p.do(http.MethodPost, "/v1/link/"+p.id+"/results", map[string]any{"id": call.ID, "error": "not certain", "unsent": true, "doubt": true})
		return
	}
	query := url.Values{}
	for name, value := range call.Query {
		query.Set(name, value)
	}
	query.Set("directory", p.dir)
	r := httptest.NewRequest(call.Method, "http://opencode"+call.Path+"?"+query.Encode(), strings.NewReader(string(call.Body)))
	r.Header.Set("Content-Type", "application/json")
	result := map[string]any{"id": call.ID}
	if res, err := p.sim.Transport().RoundTrip(r); err != nil {
		result["error"] = err.Error()
	} else {
		body, _ := io.ReadAll(res.Body)
		result["status"], result["type"], result["body"] = res.StatusCode, res.Header.Get("Content-Type"), string(body)
	}
	p.do(http.MethodPost, "/v1/link/"+p.id+"/results", result)
}

// tell forwards an event with these properties.
func (p *plugin) tell(kind, properties string) {
	p.t.Helper()
	event := json.RawMessage(fmt.Sprintf(`{"type":%q,"properties":%s}`, kind, properties))
	if status, answer := p.do(http.MethodPost, "/v1/link/"+p.id+"/events", map[string]any{"events": []any{event}}); status != http.StatusNoContent {
		p.t.Errorf("event %s: %d %s", kind, status, answer)
	}
}
