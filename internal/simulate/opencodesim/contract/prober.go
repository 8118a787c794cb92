package contract

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

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

func (p *prober) get(path string) probe.Answer {
	p.Helper()
	return p.send(http.MethodGet, path, p.Dir, "", "")
}

// post sends a JSON body, or none if it is nil, to directory Dir.
func (p *prober) post(path string, body any) probe.Answer {
	p.Helper()
	return p.postIn(p.Dir, path, body)
}

func (p *prober) postIn(dir, path string, body any) probe.Answer {
	p.Helper()
	return p.Post(path+query(path, dir), body)
}

func (p *prober) send(method, path, dir, kind, body string) probe.Answer {
	p.Helper()
	return p.Send(method, path+query(path, dir), kind, body)
}

func query(path, dir string) string {
	switch {
	case dir == "":
		return ""
	case strings.Contains(path, "?"):
		return "&directory=" + url.QueryEscape(dir)
	}
	return "?directory=" + url.QueryEscape(dir)
}

func (p *prober) wantTrue(what string, a probe.Answer) {
	p.Helper()
	p.WantJSON(what, a, http.StatusOK, "true")
}

// stream reads an event stream in the background.
type stream struct{ *probe.Stream[frame] }

// listen opens a stream and waits until it carries events. On 1.18.33 what
// happens in the first milliseconds after server.connected is lost, so events
// of Dir are made until one comes: the idle mark that follows the abort of a
// session that does not exist.
func (p *prober) listen() *stream {
	p.Helper()
	s := &stream{probe.Open(p.Probe, "/global/event", parseFrame)}
	s.await(p, "the first frame", func(frame) bool { return true })
	const nobody = "ses_000000000000AAAAAAAAAAAAAA"
	p.Eventually("the stream carries events", func() bool {
		_, more, _ := s.State()
		p.wantTrue("abort", p.post("/session/"+nobody+"/abort", nil))
		select {
		case <-more:
		case <-time.After(100 * time.Millisecond):
		}
		frames, _, _ := s.State()
		return strings.Contains(labels(frames, nobody), "session.idle")
	})
	return s
}

// await waits for a frame that matches, also among those read already.
func (s *stream) await(p *prober, what string, match func(frame) bool) frame {
	p.Helper()
	return s.Await(p.Probe, what, match, func(frames []frame) string { return labels(frames, "") })
}

func (s *stream) awaitLabel(p *prober, session, label string) frame {
	p.Helper()
	return s.await(p, label+" of "+session, func(f frame) bool { return f.session() == session && f.label() == label })
}

func (s *stream) wantOrder(p *prober, session, want string) {
	p.Helper()
	frames, _, _ := s.State()
	if got := labels(frames, session); got != want {
		p.Errorf("the events came as\n  %s\nwant\n  %s", got, want)
	}
}

// frame is one frame of an event stream.
type frame struct {
	Directory string
	Project   string
	ID        string
	Type      string
	Raw       string
	Props     struct {
		ID        string     `json:"id"`
		SessionID string     `json:"sessionID"`
		RequestID string     `json:"requestID"`
		Answers   [][]string `json:"answers"`
		Reply     string     `json:"reply"`
		Status    struct {
			Type string `json:"type"`
		} `json:"status"`
		Info struct {
			ID        string `json:"id"`
			SessionID string `json:"sessionID"`
		} `json:"info"`
		Part part `json:"part"`
	}
}

// session is the session that an event is about.
func (f frame) session() string {
	for _, id := range []string{f.Props.SessionID, f.Props.Part.SessionID, f.Props.Info.SessionID} {
		if id != "" {
			return id
		}
	}
	return f.Props.Info.ID
}

// label names what the order of events is checked by; empty for all else.
func (f frame) label() string {
	switch f.Type {
	case "session.status":
		return f.Props.Status.Type
	case "session.idle", "session.error", "question.asked", "question.replied", "question.rejected",
		"permission.asked", "permission.replied":
		return f.Type
	case "message.part.updated":
		if f.Props.Part.Type == "tool" {
			return f.Props.Part.Tool + " " + f.Props.Part.State.Status
		}
	}
	return ""
}

func parseFrame(data string) (frame, error) {
	f := frame{Raw: data}
	var env struct {
		Directory string          `json:"directory"`
		Project   string          `json:"project"`
		Payload   json.RawMessage `json:"payload"`
	}
	if err := json.Unmarshal([]byte(data), &env); err != nil {
		return f, err
	}
	f.Directory, f.Project = env.Directory, env.Project
	body := struct {
		ID         *string `json:"id"`
		Type       *string `json:"type"`
		Properties any     `json:"properties"`
	}{&f.ID, &f.Type, &f.Props}
	err := json.Unmarshal(env.Payload, &body)
	if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(err, &mismatch) {
		err = nil // an event of another shape, which no check looks at
	}
	return f, err
}

// labels is the order of a session's events: repeated busy marks are one.
func labels(frames []frame, session string) string {
	var list []string
	for _, f := range frames {
		l := f.label()
		if l == "" || session != "" && f.session() != session || l == "busy" && len(list) > 0 {
			continue
		}
		list = append(list, l)
	}
	return strings.Join(list, ", ")
}
