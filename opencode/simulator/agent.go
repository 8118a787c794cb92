package simulator

import (
	"encoding/json"
	"fmt"

	"hermes/opencode/simulator/model"
)

// Ask makes the agent ask questions with the question tool and returns the
// request's id and the tool call's id. An empty session means a new one in dir.
// A session that is at work asks in the step it is in (parallel calls); an idle
// one starts a turn. It panics if the session does not exist.
func (s *Simulator) Ask(dir, session string, questions ...Question) (requestID, callID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	script, _ := json.Marshal(map[string]any{"questions": questions})
	p := s.ask(s.turnFor(dir, session, "CALL question "+string(script)), questions)
	return p.id, p.call.part.CallID
}

// AskPermission makes the agent ask for leave to run a tool, else as Ask.
func (s *Simulator) AskPermission(dir, session string, want Permission) (requestID, callID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.turnFor(dir, session, "Do it.")
	p := s.askPermission(t, want.Permission, want.Metadata, want)
	return p.id, p.call.part.CallID
}

// Task makes the agent of a session (empty: a new one in dir) start a subagent
// and returns the subagent's session, which is busy until it asked and was
// answered, or until Say.
func (s *Simulator) Task(dir, session, agent, prompt string) (child string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.turnFor(dir, session, "TASK "+agent+" "+prompt)
	return s.startTask(t, taskInput{model.TaskDescription, prompt, agent}).ses.info.ID
}

// Say ends the turn of a session with a text of the agent. It panics if the
// session is idle or waits for an answer.
func (s *Simulator) Say(session, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ses := s.sessions[session]
	if ses == nil || ses.turn == nil || ses.turn.open > 0 {
		panic(fmt.Sprintf("simulator: session %q has no turn that could end with a text", session))
	}
	s.say(ses.turn, text)
}

func (s *Simulator) turnFor(dir, id, prompt string) *turn {
	if s.life == nil {
		panic("simulator: the agent works only while the process runs; call Start first")
	}
	inst := s.instance(dir)
	if id == "" {
		id = s.newSession(inst, "", "").info.ID
	}
	ses := s.sessions[id]
	if ses == nil {
		panic(fmt.Sprintf("simulator: there is no session %q", id))
	}
	if ses.turn != nil {
		return ses.turn
	}
	return s.beginTurn(ses, inst, s.storePrompt(ses, inst, textPrompt(ses, inst, prompt)))
}

// AnswerAtTUI answers a pending question as a person at OpenCode's own
// terminal does. It reports whether the request was pending.
func (s *Simulator) AnswerAtTUI(requestID string, answers [][]string) bool {
	return s.atTUI(requestID, func(p *pending) { s.answer(p, answers) })
}

// RejectAtTUI dismisses a pending question at OpenCode's own terminal.
func (s *Simulator) RejectAtTUI(requestID string) bool {
	return s.atTUI(requestID, s.reject)
}

// DecideAtTUI settles a pending permission request (once, always or reject) at
// OpenCode's own terminal.
func (s *Simulator) DecideAtTUI(requestID, reply string) bool {
	return s.atTUI(requestID, func(p *pending) { s.decide(p, reply, "") })
}

func (s *Simulator) atTUI(id string, act func(*pending)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.anywhere(id)
	if p == nil {
		return false
	}
	act(p)
	return true
}

// run does what the script in a prompt says.
func (s *Simulator) run(t *turn, prompt string) {
	for _, a := range model.Parse(prompt) {
		s.do(t, a)
	}
}

func (s *Simulator) do(t *turn, a model.Action) {
	switch a.Tool {
	case "":
		s.say(t, a.Text)
	case "question":
		s.doQuestion(t, a.Args)
	case "task":
		var in taskInput
		if json.Unmarshal(a.Args, &in) == nil {
			s.run(s.startTask(t, in), in.Prompt)
		}
	default:
		s.askPermission(t, a.Tool, a.Args, permissionFor(a))
	}
}

func permissionFor(a model.Action) Permission {
	var in struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(a.Args, &in) != nil || in.Command == "" {
		return Permission{Permission: a.Tool, Patterns: []string{"*"}, Always: []string{"*"}}
	}
	return Permission{Permission: a.Tool, Patterns: []string{in.Command}, Always: []string{firstWord(in.Command) + " *"}}
}
