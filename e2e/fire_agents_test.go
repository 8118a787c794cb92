//go:build e2e

package e2e_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/opencodesim/model"
)

// fireProjects are the names of the folders that the agents work in.
var fireProjects = []string{"shop-api"}

// realFire is the newest real OpenCode, as a server with the plugin.
type realFire struct {
	window *window
	seen   int                 // requests that are read
	told   map[string][]string // results of questions, by the question's text
	heard  map[string]int      // prompts
}

func newRealFire(b *testing.B, _ *phone, h *hermes) burning {
	e := entry{newest, linkedServe}
	return &realFire{window: openWindow(b, e, fireProjects[0], h)}
}

func (r *realFire) newSession(title string) string { return r.window.NewSession(title) }

func (r *realFire) ask(q item) { r.window.Prompt(r.newSession("asks under fire"), call(q)) }

func (r *realFire) deploy(name string) {
	r.window.Prompt(r.newSession("deploys under fire"), run(deployCommand(name)))
}

func (r *realFire) deploys(name string) int { return strings.Count(r.window.read(name), "ran\n") }

// read goes through all that the model was told, if it was told something since.
func (r *realFire) read() {
	requests := r.window.Model.Requests()
	if len(requests) == r.seen {
		return
	}
	r.seen = len(requests)
	r.told, r.heard = map[string][]string{}, map[string]int{}
	calls, seen := map[string]string{}, map[string]bool{}
	for _, req := range requests {
		for _, m := range req.Messages {
			for _, c := range m.ToolCalls {
				var in struct{ Questions []item }
				if json.Unmarshal([]byte(c.Arguments), &in) == nil && len(in.Questions) > 0 {
					calls[c.ID] = in.Questions[0].Question
				}
			}
			if q := calls[m.ToolCallID]; m.Role == "tool" && q != "" && !seen[m.ToolCallID+m.Text] {
				seen[m.ToolCallID+m.Text] = true
				r.told[q] = append(r.told[q], m.Text)
			}
		}
		r.hear(req)
	}
}

// hear counts the prompts of a request, which has all of its session. In either form it is the same prompt.
func (r *realFire) hear(req model.Request) {
	heard := map[string]int{}
	for _, m := range req.Messages {
		if m.Role == "user" {
			heard[plain(m.Text)]++
		}
	}
	for text, n := range heard {
		r.heard[text] = max(r.heard[text], n)
	}
}

func (r *realFire) answers(q item, label string) (right, all int) {
	r.read()
	for _, text := range r.told[q.Question] {
		if text == answered(q.Question, label) {
			right++
		}
	}
	return right, len(r.told[q.Question])
}

func (r *realFire) prompts(text string) int {
	r.read()
	return r.heard[text]
}

// plain is a prompt as it was written, where OpenCode gives it to the model as one that came while it worked.
func plain(text string) string {
	before, after, _ := strings.Cut(amid("\x00"), "\x00")
	if rest, ok := strings.CutPrefix(text, before); ok {
		text = strings.TrimSuffix(rest, after)
	}
	return text
}

// standInFire is the stand-in for OpenCode behind a socket.
type standInFire struct {
	sim *opencodesim.Simulator

	mu    sync.Mutex
	asked map[string]standInCall // by question, and by name of a deployment
}

type standInCall struct{ request, call string }

func newStandInFire(b *testing.B, _ *phone, h *hermes) burning {
	sim := opencodesim.New(opencodesim.Options{Directory: "/home/ada/src/" + fireProjects[0], Password: password})
	server := httptest.NewServer(sim)
	b.Cleanup(func() { sim.Stop(); server.CloseClientConnections(); server.Close() })
	h.env["HERMES_OPENCODE_URLS"], h.env["HERMES_OPENCODE_PASSWORD"] = server.URL, password
	return &standInFire{sim: sim, asked: map[string]standInCall{}}
}

func (s *standInFire) newSession(title string) string {
	return s.sim.NewSession(s.sim.Directory(), title)
}

func (s *standInFire) ask(q item) {
	asks := opencodesim.Question{Question: q.Question, Header: q.Header}
	for _, o := range q.Options {
		asks.Options = append(asks.Options, opencodesim.Option{Label: o.Label, Description: o.Description})
	}
	request, call := s.sim.Ask(s.sim.Directory(), s.newSession("asks under fire"), asks)
	s.note(q.Question, standInCall{request, call})
}

func (s *standInFire) deploy(name string) {
	request, call := s.sim.AskTool(s.sim.Directory(), s.newSession("deploys under fire"), "bash",
		map[string]any{"command": deployCommand(name), "description": "d"})
	s.note(name, standInCall{request, call})
}

func (s *standInFire) note(name string, c standInCall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[name] = c
}

func (s *standInFire) answers(q item, label string) (right, all int) {
	c := s.asked[q.Question]
	if got, ok := s.sim.Received(c.call); ok && len(got) == 1 && len(got[0]) == 1 && got[0][0] == label {
		right = 1
	}
	return right, s.sim.Replies(c.request)
}

func (s *standInFire) deploys(name string) int {
	if c := s.asked[name]; s.sim.Ran(c.call) {
		return s.sim.Replies(c.request)
	}
	return 0
}

func (s *standInFire) prompts(text string) (n int) {
	for _, p := range s.sim.Prompts() {
		if strings.TrimSpace(p.Text) == text {
			n++
		}
	}
	return n
}
