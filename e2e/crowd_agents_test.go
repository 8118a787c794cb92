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

// crowdProjects are the names of the folders that the agents work in.
var crowdProjects = []string{"shop-api"}

// crowdAgents are the agents that a crowd can work with, by name.
func crowdAgents() map[string]func(testing.TB, reached) burning {
	return map[string]func(testing.TB, reached) burning{"opencode": newRealAgent, "stand-in": newStandInAgent}
}

// realAgent is the newest real OpenCode, as a server with the plugin.
type realAgent struct {
	window *window
	seen   int                 // requests that are read
	told   map[string][]string // results of questions, by the question's text
	heard  map[string]int      // prompts
}

func newRealAgent(t testing.TB, to reached) burning {
	return &realAgent{window: openWindow(t, entry{newest, linkedServe}, crowdProjects[0], to)}
}

func (r *realAgent) newSession(title string) string { return r.window.NewSession(title) }

func (r *realAgent) ask(q item) { r.window.Prompt(r.newSession("asks in unrest"), call(q)) }

func (r *realAgent) deploy(name string) {
	r.window.Prompt(r.newSession("deploys in unrest"), run(deployCommand(name)))
}

func (r *realAgent) deploys(name string) int { return strings.Count(r.window.read(name), "ran\n") }

// read goes through all that the model was told, if it was told something since.
func (r *realAgent) read() {
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
func (r *realAgent) hear(req model.Request) {
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

func (r *realAgent) answers(q item, label string) (right, all int) {
	r.read()
	for _, text := range r.told[q.Question] {
		if text == answered(q.Question, label) {
			right++
		}
	}
	return right, len(r.told[q.Question])
}

func (r *realAgent) prompts(text string) int {
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

// standInAgent is the stand-in for OpenCode behind a socket.
type standInAgent struct {
	sim *opencodesim.Simulator

	mu    sync.Mutex
	asked map[string]standInCall // by question, and by name of a deployment
}

type standInCall struct{ request, call string }

func newStandInAgent(t testing.TB, to reached) burning {
	sim := opencodesim.New(opencodesim.Options{Directory: "/home/ada/src/" + crowdProjects[0], Password: password})
	server := httptest.NewServer(sim)
	t.Cleanup(func() { sim.Stop(); server.CloseClientConnections(); server.Close() })
	to.serves(server.URL)
	return &standInAgent{sim: sim, asked: map[string]standInCall{}}
}

func (s *standInAgent) newSession(title string) string {
	return s.sim.NewSession(s.sim.Directory(), title)
}

func (s *standInAgent) ask(q item) {
	asks := opencodesim.Question{Question: q.Question, Header: q.Header}
	for _, o := range q.Options {
		asks.Options = append(asks.Options, opencodesim.Option{Label: o.Label, Description: o.Description})
	}
	request, call := s.sim.Ask(s.sim.Directory(), s.newSession("asks in unrest"), asks)
	s.note(q.Question, standInCall{request, call})
}

func (s *standInAgent) deploy(name string) {
	request, call := s.sim.AskTool(s.sim.Directory(), s.newSession("deploys in unrest"), "bash",
		map[string]any{"command": deployCommand(name), "description": "d"})
	s.note(name, standInCall{request, call})
}

func (s *standInAgent) note(name string, c standInCall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[name] = c
}

func (s *standInAgent) answers(q item, label string) (right, all int) {
	c := s.asked[q.Question]
	if got, ok := s.sim.Received(c.call); ok && len(got) == 1 && len(got[0]) == 1 && got[0][0] == label {
		right = 1
	}
	return right, s.sim.Replies(c.request)
}

func (s *standInAgent) deploys(name string) int {
	if c := s.asked[name]; s.sim.Ran(c.call) {
		return s.sim.Replies(c.request)
	}
	return 0
}

func (s *standInAgent) prompts(text string) (n int) {
	for _, p := range s.sim.Prompts() {
		if strings.TrimSpace(p.Text) == text {
			n++
		}
	}
	return n
}
