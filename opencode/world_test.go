package opencode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
)

// The directories of these tests. The server's own is proj.
const (
	proj = "/home/ada/proj"
	shop = "/home/ada/shop"
)

var (
	colour = opencodesim.Question{Question: "Which colour?", Header: "Colour", Options: []opencodesim.Option{
		{Label: "Red", Description: "warm"},
		{Label: " Blue, \"dark\" ", Description: "cold"},
	}}
	sizes = opencodesim.Question{
		Question: "Which sizes?", Header: "Sizes", Multiple: true,
		Options: []opencodesim.Option{{Label: "S"}, {Label: "L"}},
	}
)

// bothVersions runs a test with each version, in a bubble of its own.
func bothVersions(t *testing.T, test func(t *testing.T, s *opencodesim.Simulator)) {
	t.Helper()
	for _, version := range []string{opencodesim.VersionOld, opencodesim.VersionNew} {
		t.Run(version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test(t, opencodesim.New(opencodesim.Options{Version: version}))
			})
		})
	}
}

// clientOf reaches a simulator in proj.
func clientOf(s *opencodesim.Simulator) *Client {
	return NewClient(call.Endpoint{Transport: s.Transport(), Base: "http://opencode", Directory: proj}, s.Version(), 0)
}

// versionOf asks an OpenCode 1.x for its version.
func versionOf(ctx context.Context, c *Client) (string, error) {
	i, err := identityAt(ctx, c.Endpoint, "/global/health", func(i Identity) bool { return i.Version != "" })
	return i.Version, err
}

// listed is a pending request as OpenCode lists it.
func listed(t *testing.T, c *Client, id string) question.Request {
	t.Helper()
	list, err := c.Questions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.ID == question.RequestID(id) {
			return r
		}
	}
	t.Fatalf("%s is not among the %d requests that are listed", id, len(list))
	return question.Request{}
}

// ask asks in proj, in a session of its own if none is named.
func ask(t *testing.T, s *opencodesim.Simulator, session string, questions ...opencodesim.Question) question.Request {
	t.Helper()
	id, _ := s.Ask(proj, session, questions...)
	return listed(t, clientOf(s), id)
}

// send posts what only a person at OpenCode's own screen would.
func send(t *testing.T, s *opencodesim.Simulator, path string, body, into any) {
	t.Helper()
	err := clientOf(s).Endpoint.Decode(t.Context(), call.Post("test", path, nil, body), func(answer []byte) error {
		if into == nil {
			return nil
		}
		return json.Unmarshal(answer, into)
	})
	if err != nil {
		t.Fatalf("POST %s: %v", path, err)
	}
}

// roundTrip is a server in one function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// nobody is a server that is not there.
var nobody = roundTrip(func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") })

// respond is an answer; kind is its content type.
func respond(status int, kind string, body io.Reader) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {kind}, "Location": {"http://elsewhere/"}},
		Body: io.NopCloser(body),
	}
}

// pages is a server of fixed JSON, by path; what it does not have is 404.
type pages map[string]string

func (p pages) RoundTrip(r *http.Request) (*http.Response, error) {
	if text, ok := p[r.URL.Path]; ok {
		return respond(http.StatusOK, "application/json; charset=utf-8", strings.NewReader(text)), nil
	}
	return respond(http.StatusNotFound, "application/json", strings.NewReader(`{"name":"NotFoundError"}`)), nil
}

// tap writes down what passes on the way to a server: method, address, content
// type and body. Safe for concurrent use.
type tap struct {
	to http.RoundTripper

	mu   sync.Mutex
	seen []string
}

func (p *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	body := ""
	if r.Body != nil {
		raw, _ := io.ReadAll(r.Body)
		body = string(raw)
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(strings.NewReader(body))
	}
	line := fmt.Sprintf("%s %s %s %s", r.Method, r.URL, r.Header.Get("Content-Type"), body)
	p.mu.Lock()
	p.seen = append(p.seen, strings.TrimSpace(line))
	p.mu.Unlock()
	return p.to.RoundTrip(r)
}

func answerRed(s *opencodesim.Simulator, r question.Request) {
	s.AnswerAtTUI(string(r.ID), [][]string{{"Red"}})
}
func abort(s *opencodesim.Simulator, r question.Request)  { s.Abort(string(r.Session)) }
func remove(s *opencodesim.Simulator, r question.Request) { s.Delete(string(r.Session)) }

// leaving1 is a permission ask of a tool call.
var leaving1 = question.Request{
	ID: "per_1", Session: "ses_1", Message: "msg_1", Call: "call_1", Permission: &question.Permission{Kind: "bash"},
}

// prompt has a session work on a text in the simulator's script language.
func prompt(t *testing.T, s *opencodesim.Simulator, session, text string) {
	t.Helper()
	parts := []map[string]string{{"type": "text", "text": text}}
	send(t, s, "/session/"+session+"/prompt_async", map[string]any{"parts": parts}, nil)
}

const serverURL = "http://opencode:4096"

// watched is a running Gateway whose events are written down.
type watched struct {
	*Gateway

	mu     sync.Mutex
	events []event.Event
}

// watch runs a Gateway until the test ends. It is for a bubble.
func watch(t *testing.T, c Config) *watched {
	t.Helper()
	w := &watched{}
	c.Events = w.add
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	w.Gateway = NewGateway(c)
	go w.Run(t.Context())
	t.Cleanup(w.Close)
	return w
}

// watchServer watches a simulator as a server that listens, and lets it connect.
func watchServer(t *testing.T, s *opencodesim.Simulator) *watched {
	t.Helper()
	w := watch(t, Config{Servers: []Server{{URL: serverURL, Transport: s.Transport()}}})
	wait(2 * time.Second)
	return w
}

// wait lets time pass, and everything that it sets off come to rest.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (w *watched) add(e event.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
}

// take gives the events of some kinds, and forgets all that there were.
func (w *watched) take(kinds ...event.Kind) []event.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []event.Event
	for _, e := range w.events {
		if slices.Contains(kinds, e.Kind) {
			list = append(list, e)
		}
	}
	w.events = nil
	return list
}

// told is take in one word for an event: "asked proj Colour". Several Opened of
// one origin that say the same are one.
func (w *watched) told(kinds ...event.Kind) string {
	var words []string
	for _, e := range w.take(kinds...) {
		word := string(e.Kind) + " " + path.Base(e.Origin.Directory)
		for _, a := range e.Asks {
			for _, item := range a.Request.Items {
				word += " " + item.Header
			}
		}
		if e.Kind != event.Opened || !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

var reach = []event.Kind{event.Opened, event.Asked, event.Lost, event.Closed}

func (w *watched) wantTold(t *testing.T, want string, kinds ...event.Kind) {
	t.Helper()
	if got := w.told(kinds...); got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}
