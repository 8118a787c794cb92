package contract

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hermes/internal/simulate/probe"
)

// prober is one check's view of the target.
type prober struct {
	*probe.Probe
	Target
}

func newProber(t *testing.T, target Target) *prober {
	return &prober{probe.New(t, target.URL, target.Transport, "opencode", target.Password), target}
}

// pick is what is expected of the target's shape.
func pick[T any](p *prober, preview, release T) T {
	if p.Release {
		return release
	}
	return preview
}

// get reads the "data" of a 200.
func (p *prober) get(path string, into any) {
	p.Helper()
	p.data(p.Send(http.MethodGet, path, "", ""), into)
}

func (p *prober) data(a probe.Answer, into any) {
	p.Helper()
	p.Decode(a, &struct {
		Data any `json:"data"`
	}{into})
}

// in is a path with the directory that it is about.
func in(path, dir string) string { return path + "?location%5Bdirectory%5D=" + url.QueryEscape(dir) }

// wantTag compares the status of an answer and the name of its error.
func (p *prober) wantTag(what string, a probe.Answer, status int, tag string) {
	p.Helper()
	p.WantStatus(what, a, status)
	if !strings.Contains(a.Body, `"_tag":"`+tag+`"`) {
		p.Errorf("%s: %s, want %s", what, a.Body, tag)
	}
}

// frame is one frame of the event stream.
type frame struct {
	ID       string
	Type     string
	Location *struct{ Directory string }
	Data     struct {
		ID        string
		SessionID string
		RequestID string
		Reason    string
		Reply     string
		Answer    map[string]any
		Form      form
		Source    struct{ CallID, ID string }
	}
}

func parseFrame(data string) (f frame, err error) {
	return f, json.Unmarshal([]byte(data), &f)
}

func (f frame) session() string {
	if f.Data.Form.SessionID != "" {
		return f.Data.Form.SessionID
	}
	return f.Data.SessionID
}

// events is the open event stream.
type events struct{ *probe.Stream[frame] }

// listen opens the stream and waits for its first frame.
func (p *prober) listen() *events {
	p.Helper()
	e := &events{probe.Open(p.Probe, "/api/event", parseFrame)}
	if first := e.await(p, "the first frame", func(frame) bool { return true }); first.Type != "server.connected" {
		p.Fatalf("the first frame is %s", first.Type)
	}
	return e
}

func (e *events) await(p *prober, what string, match func(frame) bool) frame {
	p.Helper()
	return e.Await(p.Probe, what, match, func(frames []frame) string { return kinds(frames, "") })
}

// awaitEnd waits for the nth end of a session's turns, and gives how and why.
func (e *events) awaitEnd(p *prober, session string, nth int) (how, reason string) {
	p.Helper()
	e.await(p, "the end of the turn", func(f frame) bool {
		kind, is := strings.CutPrefix(f.Type, "session.execution.")
		if !is || kind == "started" || f.session() != session {
			return false
		}
		how, reason = kind, f.Data.Reason
		nth--
		return nth == 0
	})
	return how, reason
}

func (e *events) awaitType(p *prober, session, kind string) frame {
	p.Helper()
	return e.await(p, kind, func(f frame) bool { return f.Type == kind && f.session() == session })
}

// kinds are the types of a session's events, without those that have no fixed place.
func kinds(frames []frame, session string) string {
	var list []string
	for _, f := range frames {
		switch f.Type {
		case "session.usage.updated", "session.renamed", "session.text.delta", "session.tool.input.delta":
			continue
		}
		if session == "" || f.session() == session {
			list = append(list, f.Type)
		}
	}
	return strings.Join(list, " ")
}

func (e *events) wantOrder(p *prober, session, want string) {
	p.Helper()
	frames, _, _ := e.State()
	if got := kinds(frames, session); got != want {
		p.Errorf("the events came as\n  %s\nwant\n  %s", got, want)
	}
}
