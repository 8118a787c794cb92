package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	opencode "hermes/internal/simulate/opencodesim"
)

// pluginDouble plays the plugin inside an OpenCode: the requests of one link.
type pluginDouble struct {
	r     *rig
	token secret
	id    string
	dir   string
	stop  context.CancelFunc
	done  sync.WaitGroup

	mu    sync.Mutex
	calls []linkCall // that hermes made
}

// linkCall is a call as hermes hands it out.
type linkCall struct {
	ID, Method, Path string
	Query            map[string]string
	Body             json.RawMessage
}

// plug opens a link of this process, with a token of its own. Each call is carried out by
// answer.
func (r *rig) plug(process, dir string, answer func(linkCall) (int, string)) *pluginDouble {
	r.t.Helper()
	hello := fmt.Sprintf(`{"protocol":1,"instance":%q,"process":%q,"directory":%q,"host":"laptop","version":%q,"complete":true}`,
		process, process, dir, r.opencode.Version())
	token, err := r.links().add(r.t.Context(), process)
	if err != nil {
		r.t.Fatal(err)
	}
	code, text := r.as(token, "POST", "/v1/link", hello)
	var opened struct{ Link string }
	if err := json.Unmarshal([]byte(text), &opened); err != nil || code != http.StatusOK {
		r.t.Fatalf("the link of %s was answered with %d %s", process, code, text)
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &pluginDouble{r: r, token: token, id: opened.Link, dir: dir, stop: stop}
	p.done.Go(func() { p.poll(ctx, answer) })
	return p
}

// unplug ends it without a word.
func (p *pluginDouble) unplug() {
	p.stop()
	p.done.Wait()
}

func (p *pluginDouble) do(ctx context.Context, method, path, body string) (int, []byte) {
	req, _ := http.NewRequestWithContext(ctx, method, "http://hermes.test/v1/link/"+p.id+path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+p.token.Reveal())
	res, err := p.r.roundTrip(req)
	if err != nil {
		return 0, nil
	}
	defer res.Body.Close()
	raw, _ := io.ReadAll(res.Body)
	return res.StatusCode, raw
}

func (p *pluginDouble) poll(ctx context.Context, answer func(linkCall) (int, string)) {
	after := "0"
	for ctx.Err() == nil {
		status, raw := p.do(ctx, "GET", "/calls?after="+after, "")
		var got struct{ Calls []linkCall }
		if status != http.StatusNoContent && (status != http.StatusOK || json.Unmarshal(raw, &got) != nil) {
			return
		}
		for _, call := range got.Calls {
			after = call.ID
			p.mu.Lock()
			p.calls = append(p.calls, call)
			p.mu.Unlock()
			p.done.Go(func() {
				code, body := answer(call)
				result, _ := json.Marshal(map[string]any{"id": call.ID, "status": code, "type": "application/json", "body": body})
				p.do(ctx, "POST", "/results", string(result))
			})
		}
	}
}

// posts are the paths that hermes posted to.
func (p *pluginDouble) posts() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []string
	for _, c := range p.calls {
		if c.Method == http.MethodPost {
			list = append(list, c.Path+" "+string(c.Body))
		}
	}
	return list
}

// tell sends an event with these properties.
func (p *pluginDouble) tell(kind, properties string) {
	p.r.t.Helper()
	if code, text := p.do(context.Background(), "POST", "/events", fmt.Sprintf(`{"events":[{"type":%q,"properties":%s}]}`, kind, properties)); code != http.StatusNoContent {
		p.r.t.Errorf("%s was answered with %d %s", kind, code, text)
	}
}

// plugSimulator links the stand-in: its calls are carried out there, and its events are
// forwarded.
func (r *rig) plugSimulator(process string, s *opencode.Simulator, dir string) *pluginDouble {
	p := r.plug(process, dir, func(c linkCall) (int, string) {
		query := url.Values{}
		for name, value := range c.Query {
			query.Set(name, value)
		}
		query.Set("directory", dir)
		req := httptest.NewRequest(c.Method, "http://opencode"+c.Path+"?"+query.Encode(), strings.NewReader(string(c.Body)))
		req.Header.Set("Content-Type", "application/json")
		req.SetBasicAuth("opencode", password)
		res, err := s.Transport().RoundTrip(req)
		if err != nil {
			return http.StatusBadGateway, "{}"
		}
		defer res.Body.Close()
		raw, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(raw)
	})
	ctx, stop := context.WithCancel(context.Background())
	first := p.stop
	p.stop = func() { first(); stop() }
	p.done.Go(func() { p.forward(ctx, s) })
	return p
}

// forward tells hermes what the stand-in tells its streams.
func (p *pluginDouble) forward(ctx context.Context, s *opencode.Simulator) {
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://opencode/global/event", nil)
	req.SetBasicAuth("opencode", password)
	res, err := s.Transport().RoundTrip(req)
	if err != nil {
		return
	}
	defer res.Body.Close()
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		var e struct {
			Directory string
			Payload   struct {
				Type       string
				Properties json.RawMessage
			}
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if ok && json.Unmarshal([]byte(data), &e) == nil && e.Directory == p.dir && e.Payload.Type != "sync" {
			p.do(ctx, "POST", "/events", fmt.Sprintf(`{"events":[{"type":%q,"properties":%s}]}`, e.Payload.Type, e.Payload.Properties))
		}
	}
}

// Keep the double honest: a question over a link is shown, answered and received.
func TestAQuestionOverALink(t *testing.T) {
	play(t, func(c *config) { c.OpenCodeURLs = nil }, func(r *rig) {
		p := r.plugSimulator("a", r.opencode, r.opencode.Directory())
		defer p.unplug()
		_, call := r.ask(database())
		r.screen("Which database should this feature use?")
		r.tap("1. SQLite")
		r.wait(waitFor)
		r.got(call, []string{"SQLite"})
		r.screen("✅", "Ada")
	})
}
