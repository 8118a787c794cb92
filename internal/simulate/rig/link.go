package rig

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
	"testing/synctest"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/chat"
	"hermes/internal/secret"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// Links is the way to the links of the running hermes in the rig.
func (r *Rig) Links() apiclient.Links {
	c := r.Config
	c.HookToken = HookKey
	return apiclient.Links{Client: apiclient.New(c, RoundTripper(r.RoundTrip))}
}

// RequestAs is a request with another token than the API's.
func (r *Rig) RequestAs(token secret.Text, method, path, body string) (int, string) {
	r.T.Helper()
	return r.Request(method, path, body, "Authorization", "Bearer "+token.Reveal())
}

// GiveLink gives a link to a person.
func (r *Rig) GiveLink(name string, owner chat.UserID) {
	r.T.Helper()
	if err := r.Links().SetOwner(r.T.Context(), name, owner); err != nil {
		r.T.Fatal(err)
	}
}

// RenameLink gives a link another name.
func (r *Rig) RenameLink(name, next string) (rules []string) {
	r.T.Helper()
	rules, err := r.Links().Rename(r.T.Context(), name, next)
	if err != nil {
		r.T.Fatal(err)
	}
	return rules
}

// PluginDouble plays the plugin inside an OpenCode: the requests of one link.
type PluginDouble struct {
	r     *Rig
	token secret.Text
	id    string
	dir   string
	stop  context.CancelFunc
	done  sync.WaitGroup

	mu    sync.Mutex
	calls []LinkCall // that hermes made
}

// LinkCall is a call as hermes hands it out.
type LinkCall struct {
	ID, Method, Path string
	Query            map[string]string
	Body             json.RawMessage
}

// ConnectPlugin opens a link of this process, with a token of its own. Each call is carried out by
// answer.
func (r *Rig) ConnectPlugin(process, dir string, answer func(LinkCall) (int, string)) *PluginDouble {
	r.T.Helper()
	hello := fmt.Sprintf(`{"protocol":1,"instance":%q,"process":%q,"directory":%q,"host":"laptop","version":%q,"complete":true}`,
		process, process, dir, r.Opencode.Version())
	token, err := r.Links().Add(r.T.Context(), process, 0)
	if err != nil {
		r.T.Fatal(err)
	}
	code, text := r.RequestAs(token, "POST", "/v1/link", hello)
	var opened struct{ Link string }
	if err := json.Unmarshal([]byte(text), &opened); err != nil || code != http.StatusOK {
		r.T.Fatalf("the link of %s was answered with %d %s", process, code, text)
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &PluginDouble{r: r, token: token, id: opened.Link, dir: dir, stop: stop}
	p.done.Go(func() { p.poll(ctx, answer) })
	return p
}

// Disconnect ends it without a word.
func (p *PluginDouble) Disconnect() {
	p.stop()
	p.done.Wait()
}

func (p *PluginDouble) do(ctx context.Context, method, path, body string) (int, []byte) {
	req, _ := http.NewRequestWithContext(ctx, method, "http://hermes.test/v1/link/"+p.id+path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+p.token.Reveal())
	res, err := p.r.RoundTrip(req)
	if err != nil {
		return 0, nil
	}
	defer res.Body.Close()
	raw, _ := io.ReadAll(res.Body)
	return res.StatusCode, raw
}

func (p *PluginDouble) poll(ctx context.Context, answer func(LinkCall) (int, string)) {
	after := "0"
	for ctx.Err() == nil {
		status, raw := p.do(ctx, "GET", "/calls?after="+after, "")
		var got struct{ Calls []LinkCall }
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

// Posts are the paths that hermes posted to.
func (p *PluginDouble) Posts() []string {
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

// PostEvent sends an event with these properties.
func (p *PluginDouble) PostEvent(kind, properties string) {
	p.r.T.Helper()
	if code, text := p.do(context.Background(), "POST", "/events", fmt.Sprintf(`{"events":[{"type":%q,"properties":%s}]}`, kind, properties)); code != http.StatusNoContent {
		p.r.T.Errorf("%s was answered with %d %s", kind, code, text)
	}
}

// ConnectPluginTo links the stand-in: its calls are carried out there, and its events are
// forwarded.
func (r *Rig) ConnectPluginTo(process string, s *opencode.Simulator, dir string) *PluginDouble {
	p := r.ConnectPlugin(process, dir, func(c LinkCall) (int, string) {
		query := url.Values{}
		for name, value := range c.Query {
			query.Set(name, value)
		}
		query.Set("directory", dir)
		req := httptest.NewRequest(c.Method, "http://opencode"+c.Path+"?"+query.Encode(), strings.NewReader(string(c.Body)))
		req.Header.Set("Content-Type", "application/json")
		req.SetBasicAuth("opencode", Password)
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
	synctest.Wait() // by then it listens
	return p
}

// forward tells hermes what the stand-in tells its streams.
func (p *PluginDouble) forward(ctx context.Context, s *opencode.Simulator) {
	EachEvent(ctx, s, func(directory, batch string) {
		if directory == p.dir {
			p.do(ctx, "POST", "/events", batch)
		}
	})
}

// EachEvent reads the stand-in's event stream until that ends. A plugin in the directory would send the batch to hermes.
func EachEvent(ctx context.Context, s *opencode.Simulator, hear func(directory, batch string)) {
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://opencode/global/event", nil)
	req.SetBasicAuth("opencode", Password)
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
		if ok && json.Unmarshal([]byte(data), &e) == nil && e.Payload.Type != "sync" {
			hear(e.Directory, fmt.Sprintf(`{"events":[{"type":%q,"properties":%s}]}`, e.Payload.Type, e.Payload.Properties))
		}
	}
}

// WaitFor is how long effects are waited for.
const WaitFor = 3 * time.Second

// CardWith is Ada's newest message that has the text.
func (r *Rig) CardWith(text string) telegram.Message {
	r.T.Helper()
	var found telegram.Message
	for _, m := range r.Telegram.Messages(Ada) {
		if strings.Contains(m.Text, text) {
			found = m
		}
	}
	if found.ID == 0 {
		r.T.Fatalf("no message has %q:\n%s\n%s", text, r.Telegram.Transcript(Ada), r.Log.String())
	}
	return found
}

// TapOn is a tap of Ada's on a button of a message.
func (r *Rig) TapOn(m telegram.Message, label string) {
	r.T.Helper()
	if _, err := r.Telegram.Tap(Ada, Ada, m.ID, label); err != nil {
		r.T.Fatalf("tap %q: %v\n%s", label, err, r.Telegram.Transcript(Ada))
	}
	r.Wait(WaitFor)
}
