package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/secret"
	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode"
	"hermes/opencode/link"
	"hermes/opencode/service"
)

const canary = "hermes_link_canary-0123456789abcdefghijklmnopqrstuvwxyz"

// hub plays hermes: it hands out what it is told to, and writes down what it is told.
type hub struct {
	mu      sync.Mutex
	refuse  func(*http.Request) (status int, body string) // nil or 0: the request is served
	hellos  []link.Hello
	calls   []link.Call // handed out again and again
	results []link.Result
	events  []string // types, by link
}

// RoundTrip implements http.RoundTripper.
func (h *hub) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer "+canary || r.URL.Host != "hermes.test" || strings.Contains(r.URL.String(), "canary") {
		return nil, errors.New("the wrong address or token")
	}
	if h.refuse != nil {
		if status, text := h.refuse(r); status != 0 {
			return says(status, text), nil
		}
	}
	switch what := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]; what {
	case "link":
		var hello link.Hello
		_ = json.Unmarshal(body, &hello)
		h.hellos = append(h.hellos, hello)
		return says(200, fmt.Sprintf(`{"link":"L%d","poll":5,"remote":true}`, len(h.hellos))), nil
	case "calls":
		return h.poll(r.Context())
	case "results":
		var one link.Result
		_ = json.Unmarshal(body, &one)
		h.results = append(h.results, one)
	case "events":
		var batch struct{ Events []struct{ Type string } }
		_ = json.Unmarshal(body, &batch)
		for _, e := range batch.Events {
			h.events = append(h.events, strings.Split(r.URL.Path, "/")[3]+" "+e.Type)
		}
	}
	return says(204, ""), nil
}

// poll hands out all calls at once, and is held while there are none.
func (h *hub) poll(ctx context.Context) (*http.Response, error) {
	if len(h.calls) > 0 {
		h.mu.Unlock()
		time.Sleep(time.Second)
		h.mu.Lock()
		text, _ := json.Marshal(link.Handed{Calls: h.calls})
		return says(200, string(text)), nil
	}
	h.mu.Unlock()
	defer h.mu.Lock()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(5 * time.Second):
		return says(204, ""), nil
	}
}

func says(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader([]byte(body)))}
}

// do changes what the hub does, and reads what it was told.
func (h *hub) do(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
}

// world is a service, the process beside it, and a hermes.
type world struct {
	*testing.T
	service *opencode2sim.Simulator
	hub     *hub
	log     *lockedLog
}

type lockedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func play(t *testing.T, h *hub, test func(world)) {
	t.Helper()
	playAt(t, h, h, test, "https://hermes.test/")
}

// playAt plays with a way to hermes, which is at one of the URLs.
func playAt(t *testing.T, h *hub, way http.RoundTripper, test func(world), urls ...string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "opencode", "service.json")
		s := opencode2sim.New(opencode2sim.Options{Registration: file, Password: "password-canary"})
		s.NewSession(proj, "one")
		w := world{t, s, h, &lockedLog{}}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		r := New(Config{
			Address: func() (Address, error) { return Address{URLs: urls, Token: secret.Text(canary)}, nil },
			Hermes:  way, Version: "v1.2.3", Host: "laptop", Log: slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
			Service: opencode.Service{File: service.File{Path: file, IsRunning: func(pid int) bool { return s.Running() && pid == s.PID() }}, Transport: s.Transport()},
		})
		go func() {
			defer close(ended)
			r.Run(ctx)
		}()
		w.wait(2 * time.Second)
		test(w)
		stop()
		<-ended
		s.Stop()
		if s.Disowned() || strings.Contains(w.log.String(), "canary") {
			t.Errorf("the file was touched, or a secret is shown:\n%s", w.log.String())
		}
	})
}

func (w world) wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestRelay_Hello(t *testing.T) {
	h := &hub{}
	play(t, h, func(w world) {
		w.service.Restart()
		w.wait(10 * time.Second)
		h.do(func() {
			if len(h.hellos) != 2 {
				t.Fatalf("%d hellos\n%s", len(h.hellos), w.log)
			}
			a, b := h.hellos[0], h.hellos[1]
			if a.Kind != link.Service || a.Protocol != 2 || a.Host != "laptop" || a.Plugin != "v1.2.3" || a.Version != w.service.Version() || a.Directory != "" {
				t.Errorf("it says %+v", a)
			}
			if a.Process != b.Process {
				t.Errorf("then it says %+v", b)
			}
			if got := strings.Join(h.events, ", "); !strings.HasPrefix(got, "L1 hermes.alive, L1 server.connected, L1 hermes.disconnected, L2 hermes.alive, L2 server.connected") {
				t.Errorf("it tells %s", got)
			}
		})
	})
}

// A call that is handed out again, as the answer to a poll was lost, is made once. Another link numbers anew.
func TestRelay_EachCallOnce(t *testing.T) {
	h := &hub{}
	play(t, h, func(w world) {
		session := w.service.NewSession(proj, "two")
		form, _ := w.service.Ask(proj, session, opencode2sim.Question{Question: "Which?", Header: "W", Options: []opencode2sim.Option{{Label: "A", Description: "a"}}})
		h.do(func() {
			h.calls = []link.Call{{ID: "1", Method: "POST", Path: "/api/session/" + session + "/form/" + form + "/reply", Body: json.RawMessage(`{"answer":{"q0":"A"}}`)}}
		})
		w.wait(20 * time.Second)
		h.do(func() { h.calls = nil })
		w.wait(10 * time.Second)
		if n := w.service.Attempts(form); n != 1 {
			t.Errorf("%d attempts, %+v of %q %q", n, h.results, form, session)
		}
	})
}

// Events that hermes did not take end the link: what it does not know it lists when the next one begins.
func TestRelay_LostEventsEndTheLink(t *testing.T) {
	h := &hub{}
	play(t, h, func(w world) {
		h.do(func() {
			h.refuse = func(r *http.Request) (int, string) {
				if strings.HasSuffix(r.URL.Path, "L1/events") {
					return 500, ""
				}
				return 0, ""
			}
		})
		w.service.NewSession(proj, "two")
		w.wait(5 * time.Second)
		h.do(func() {
			if len(h.hellos) != 2 || !strings.Contains(strings.Join(h.events, ", "), "L2 server.connected") {
				t.Errorf("%d hellos, told %q\n%s", len(h.hellos), h.events, w.log)
			}
		})
	})
}

// What hermes answers to the hello is said in words that lead on, and it is tried again.
func TestRelay_Refused(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		body, says string
	}{
		"an older hermes":   {426, `{"error":"this hermes speaks link protocol 1, the plugin 2; run hermes plugin install and restart OpenCode"}`, "update hermes there"},
		"a newer hermes":    {426, `{"error":"x","protocol":3}`, "update hermes on this machine"},
		"another token":     {401, `{}`, "it was revoked or is wrong"},
		"the API's token":   {403, `{}`, "it is none of a link"},
		"too many":          {429, `{}`, "give each machine a token of its own"},
		"not hermes":        {404, `<html>`, "there is no hermes at the URL"},
		"not hermes either": {200, `<html>`, "there is no hermes at the URL"},
		"a redirect":        {302, ``, "hermes answered 302"},
	} {
		t.Run(name, func(t *testing.T) {
			h := &hub{refuse: func(*http.Request) (int, string) { return c.status, c.body }}
			play(t, h, func(w world) {
				if !strings.Contains(w.log.String(), c.says) {
					t.Errorf("it says\n%s", w.log)
				}
				h.do(func() { h.refuse = nil })
				w.wait(time.Minute)
				h.do(func() {
					if len(h.hellos) != 1 || strings.Count(w.log.String(), c.says) != 1 {
						t.Errorf("%d hellos\n%s", len(h.hellos), w.log)
					}
				})
			})
		})
	}
}

// A hub that hands out more calls than the service answers keeps nothing waiting for long.
func TestRelay_TooManyCalls(t *testing.T) {
	h := &hub{}
	play(t, h, func(w world) {
		w.service.SetFault(func(r *http.Request) inprocess.Fault {
			if r.URL.Path == "/api/session/active" {
				return inprocess.Hang
			}
			return inprocess.NoFault
		})
		h.do(func() {
			for n := range 100 {
				h.calls = append(h.calls, link.Call{ID: fmt.Sprint(n + 1), Method: "GET", Path: "/api/session/active"})
			}
		})
		w.wait(28 * time.Second)
		h.do(func() {
			unsent := 0
			for _, one := range h.results {
				if one.Unsent && one.Error == "OpenCode is busy with other calls" {
					unsent++
				}
			}
			if unsent != 100-callsAtOnce {
				t.Errorf("%d of %d are given up", unsent, len(h.results))
			}
			h.calls = nil
		})
		w.wait(time.Minute)
	})
}

// A file that leads to nobody is no reason to dial hermes, and the stream is that of the process that the file names.
func TestRelay_NoService(t *testing.T) {
	h := &hub{}
	play(t, h, func(w world) {
		w.service.Kill()
		w.wait(time.Minute)
		h.do(func() {
			if got := strings.Join(h.events, ", "); len(h.hellos) != 1 || !strings.HasSuffix(got, "L1 hermes.disconnected, L1 hermes.closed") {
				t.Errorf("%d hellos, told %s", len(h.hellos), got)
			}
		})
		w.service.Start()
		w.wait(20 * time.Second)
		h.do(func() {
			if len(h.hellos) != 2 {
				t.Errorf("%d hellos", len(h.hellos))
			}
		})
	})
}
