package opencodesim

import (
	"encoding/json"
	"fmt"

	"hermes/internal/simulate/opencodesim/model"
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

// AskPermission makes the agent ask for leave to run a tool, else as Ask. Further
// permissions are asked for the same call, each when the one before is granted.
// Where an earlier always covers it all, nothing is asked: the request's id is
// empty and the call is carried out.
func (s *Simulator) AskPermission(dir, session string, want Permission, further ...Permission) (requestID, callID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leave(s.turnFor(dir, session, "Do it."), toolUse{
		tool: want.Permission, input: want.Metadata, asks: append([]Permission{want}, further...), title: want.Permission, output: "done",
	})
}

// AskTool makes the agent call a tool with this input, which asks for leave as
// OpenCode's own does (bash, edit, write, webfetch), else as AskPermission. The
// whole input is in the call's part, as OpenCode has it: on 1.1.53 that is the only
// place where the command of bash can be read.
func (s *Simulator) AskTool(dir, session, tool string, input map[string]any) (requestID, callID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	args, err := json.Marshal(input)
	if err != nil {
		panic("simulator: a tool's input must be JSON: " + err.Error())
	}
	t := s.turnFor(dir, session, "CALL "+tool+" "+string(args))
	return s.leave(t, s.is.useFor(t, model.Action{Tool: tool, Args: args}))
}

// AskBash is AskTool for a shell command.
func (s *Simulator) AskBash(dir, session, command string) (requestID, callID string) {
	return s.AskTool(dir, session, "bash", map[string]any{"command": command, "description": "Runs " + firstWord(command)})
}

// AskEdit is AskTool for replacing a text in a file, named by its whole path.
func (s *Simulator) AskEdit(dir, session, file, before, after string) (requestID, callID string) {
	return s.AskTool(dir, session, "edit", map[string]any{"filePath": file, "oldString": before, "newString": after})
}

func (s *Simulator) leave(t *turn, u toolUse) (requestID, callID string) {
	p, c := s.use(t, u)
	if p != nil {
		requestID = p.id
	}
	return requestID, c.part.CallID
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

// run does what the script in a prompt says. The step ends when all its calls are
// settled, not before the last is made.
func (s *Simulator) run(t *turn, prompt string) {
	actions := model.Parse(prompt)
	if actions[0].Tool == "" {
		s.say(t, actions[0].Text)
		return
	}
	t.open++
	for _, a := range actions {
		s.do(t, a)
	}
	if t.open--; t.open == 0 {
		s.endStep(t)
	}
}

func (s *Simulator) do(t *turn, a model.Action) {
	switch a.Tool {
	case "question":
		s.doQuestion(t, a.Args)
	case "todowrite":
		s.doTodos(t, a.Args)
	case "task":
		var in taskInput
		if json.Unmarshal(a.Args, &in) == nil {
			s.run(s.startTask(t, in), in.Prompt)
		}
	default:
		s.use(t, s.is.useFor(t, a))
	}
}

// useFor is the tool call of an action as the turn's runner makes it.
func (is behaviour) useFor(t *turn, a model.Action) toolUse {
	u := is.useOf(a, t.inst.dir)
	if t.ses.v2 && len(u.asks) > 0 {
		var in toolInput
		_ = json.Unmarshal(a.Args, &in) // as useOf
		u.useV2(in)
	}
	return u
}
