package demo

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/internal/page"
	opencode "hermes/internal/simulate/opencodesim"
)

// agent is the agent's side of a try.
type agent interface {
	// advice is what the person has to do first, if anything.
	advice() []page.Line
	// openAsks is all that was asked, and what came of it.
	openAsks() []page.Ask
	// close ends it for good.
	close()
}

// scripted is the simulated OpenCode with its agent.
type scripted struct {
	server *opencode.Simulator

	mu   sync.Mutex
	list []scriptedAsk
}

type scriptedAsk struct {
	request, call string
	at            time.Time
	step          tourStep
}

const (
	projectDir  = "/home/ada/src/shop-api"
	scriptedURL = "http://ada-laptop:4096"
)

func newScripted() *scripted {
	s := &scripted{server: opencode.New(opencode.Options{Directory: projectDir})}
	s.server.NewSession(projectDir, "README") // one to drive, even if nothing was asked before
	return s
}

func (s *scripted) advice() []page.Line { return nil }

func (s *scripted) close() { s.server.Stop() }

// ask makes the agent ask a step of the tour.
func (s *scripted) ask(step tourStep) {
	session := s.server.NewSession(projectDir, step.session)
	if step.subagent {
		session = s.server.Task(projectDir, session, "payments", "Write the payment tests.")
	}
	request, call := s.raiseAsk(session, step)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, scriptedAsk{request, call, time.Now(), step})
}

// raiseAsk makes the agent ask. What was always allowed before it does at once.
func (s *scripted) raiseAsk(session string, step tourStep) (request, call string) {
	if step.call.tool != "" {
		return s.server.AskTool(projectDir, session, step.call.tool, step.call.input)
	}
	return s.server.Ask(projectDir, session, step.questions...)
}

// answerInTerminal answers a request with its first choices, or dismisses it, as somebody at OpenCode's own terminal does.
func (s *scripted) answerInTerminal(id string, dismiss bool) error {
	a, ok := s.findAsk(id)
	switch leave := a.step.call.tool != ""; {
	case !ok:
	case leave && dismiss:
		ok = s.server.DecideAtTUI(id, "reject")
	case leave:
		ok = s.server.DecideAtTUI(id, "once")
	case dismiss:
		ok = s.server.RejectAtTUI(id)
	default:
		ok = s.server.AnswerAtTUI(id, firstChoices(a.step.questions))
	}
	if !ok {
		return errors.New("the agent does not wait for that any more")
	}
	return nil
}

func (s *scripted) findAsk(id string) (scriptedAsk, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.list, func(a scriptedAsk) bool { return a.request == id })
	if i < 0 {
		return scriptedAsk{}, false
	}
	return s.list[i], true
}

// firstChoices answers each question with its first option, or with a text
// where it has none.
func firstChoices(questions []opencode.Question) [][]string {
	answers := make([][]string, 0, len(questions))
	for _, q := range questions {
		answer := "typed at the terminal"
		if len(q.Options) > 0 {
			answer = q.Options[0].Label
		}
		answers = append(answers, []string{answer})
	}
	return answers
}

func (s *scripted) openAsks() []page.Ask {
	waiting := s.server.Pending(projectDir)
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]page.Ask, 0, len(s.list))
	for _, a := range s.list {
		list = append(list, s.pageAsk(a, waiting))
	}
	return list
}

// newestAsk is a step's newest ask, in whichever language it was asked.
func (s *scripted) newestAsk(step string) page.Ask {
	waiting := s.server.Pending(projectDir)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range slices.Backward(s.list) {
		if a.step.id == step {
			return s.pageAsk(a, waiting)
		}
	}
	return page.Ask{}
}

func (s *scripted) pageAsk(a scriptedAsk, waiting []string) page.Ask {
	waits := slices.Contains(waiting, a.request)
	v := page.Ask{ID: a.request, Title: a.step.session, At: a.at, State: askGone, Terminal: waits, Items: []page.Item{}}
	for _, q := range a.step.questions {
		item := page.Item{Header: q.Header, Text: q.Question, Options: []string{}}
		for _, o := range q.Options {
			item.Options = append(item.Options, o.Label)
		}
		v.Items = append(v.Items, item)
	}
	if a.step.call.tool != "" {
		v.Items = append(v.Items, page.Item{Header: a.step.call.tool, Text: a.step.call.inWords(), Options: []string{}})
	}
	answers, received := s.server.Received(a.call)
	output, ended := s.server.Output(a.call)
	switch {
	case a.step.call.tool != "" && ended:
		v.State, v.Received = askReceived, output
	case received:
		v.State, v.Received = askReceived, inJSON(answers)
	case ended:
		v.State, v.Received = askDismissed, output
	case waits:
		v.State = askWaiting
	}
	return v
}

// How a request stands on the agent's side.
const (
	askWaiting   = "waiting"
	askReceived  = "received"
	askDismissed = "dismissed"
	askGone      = "gone" // OpenCode was restarted and has forgotten it
)

// inJSON writes the answers as characters: < is not \u003c, as nothing here is markup.
func inJSON(answers [][]string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(answers); err != nil {
		return err.Error() // no list of texts can do that
	}
	return strings.TrimSuffix(b.String(), "\n")
}
