package opencodesim

import (
	"encoding/json"
	"fmt"
	"net/http"

	"hermes/internal/simulate/opencodesim/model"
)

// Ask makes the agent ask questions with the question tool and returns the
// request's id and the tool call's id. An empty session means a new one in dir.
// A session that is at work asks in the step it is in (parallel calls); an idle
// one starts a turn. It panics if the session does not exist.
func (s *Simulator) Ask(dir, session string, questions ...Question) (requestID, callID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.ask(s.turnFor(dir, session, model.Ask(questions...)), questions)
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
	return s.leave(t, s.is.useOf(model.Action{Tool: tool, Args: args}, t.inst.dir))
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
		s.use(t, s.is.useOf(a, t.inst.dir))
	}
}

// doQuestion makes the question call of a script. As in OpenCode, arguments
// that lack a required field fail the call before there is a request.
func (s *Simulator) doQuestion(t *turn, args json.RawMessage) {
	questions, ok := model.ReadQuestions(args)
	if !ok {
		s.fail(s.openCall(t, "question", args, func(*call) {}), "The question tool was called with invalid arguments: SchemaError(Missing key).\n"+
			"Please rewrite the input so it satisfies the expected schema.")
		return
	}
	s.ask(t, questions)
}

type taskInput struct {
	Description string `json:"description"`
	Prompt      string `json:"prompt"`
	Agent       string `json:"subagent_type"`
}

// startTask makes the agent start a subagent: a task call in its own session
// and a child session with a turn of its own.
func (s *Simulator) startTask(t *turn, in taskInput) *turn {
	c := s.openCall(t, "task", in, func(*call) {})
	s.show(c)
	child := s.newSession(t.inst, fmt.Sprintf("%s (@%s subagent)", in.Description, in.Agent), t.ses.info.ID)
	child.info.Agent = in.Agent
	child.parent = c
	c.part.State.Metadata = map[string]any{"sessionId": child.info.ID}
	s.publishPart(t.inst, c.part)
	return s.beginTurn(child, t.inst, s.storePrompt(child, t.inst, textPrompt(child, t.inst, in.Prompt)))
}

// endTask hands the end of a subagent's turn to the task call of its parent,
// which goes on in any case. A subagent whose question was dismissed or whose
// permission was rejected ends with nothing on 1.1.53 and with an error on newer
// versions.
func (s *Simulator) endTask(c *call, child *turn) {
	if child.blocked != "" && s.is.modern {
		s.fail(c, fmt.Sprintf("Subagent failed (task_id: %s): %s", child.ses.info.ID, child.blocked))
		return
	}
	s.complete(c, model.TaskDescription, s.is.taskOutput(child), c.part.State.Metadata)
}

func (is behaviour) taskOutput(child *turn) string {
	id := child.ses.info.ID
	if is.modern {
		return fmt.Sprintf("<task id=%q state=\"completed\">\n<task_result>\n%s\n</task_result>\n</task>", id, child.said)
	}
	return fmt.Sprintf("task_id: %s (for resuming to continue this task if needed)\n\n<task_result>\n%s\n</task_result>", id, child.said)
}

func textPrompt(ses *session, inst *instance, text string) Prompt {
	return Prompt{
		Session: ses.info.ID, Directory: inst.dir, Text: text,
		parts: []part{{Type: "text", Text: text}},
	}
}

// doTodos makes the todowrite call of a script, which asks for nothing.
func (s *Simulator) doTodos(t *turn, args json.RawMessage) {
	var in struct {
		Todos []map[string]any `json:"todos"`
	}
	_ = json.Unmarshal(args, &in) // what is not there is empty
	t.ses.todos = in.Todos
	c := s.openCall(t, "todowrite", args, func(*call) {})
	s.bus.publish(t.inst.dir, "todo.updated", map[string]any{"sessionID": t.ses.info.ID, "todos": in.Todos})
	raw, _ := json.MarshalIndent(in.Todos, "", "  ")
	s.complete(c, fmt.Sprintf("%d todos", len(in.Todos)), string(raw), map[string]any{"todos": in.Todos})
}

// listTodos: of a session that does not exist 1.1.53 gives an empty list.
func (s *Simulator) listTodos(r *http.Request) answer {
	id := r.PathValue("session")
	list := []map[string]any{}
	ses := s.reachable(id, s.instanceFor(r))
	if ses == nil && s.is.modern {
		return s.is.sessionNotFound(id)
	}
	if ses != nil {
		list = append(list, ses.todos...)
	}
	return ok(list)
}

// diffsOf is what a call that was carried out changed.
func (is behaviour) diffsOf(c *call, u toolUse) []fileDiff {
	if u.tool != "edit" && u.tool != "write" || len(u.makes) == 0 {
		return nil
	}
	gone, come := linesOf(u.before), linesOf(u.after)
	d := fileDiff{
		File: relative(c.turn.inst.dir, u.makes[0]), Additions: len(come), Deletions: len(gone), Status: "modified",
	}
	if u.before == "" {
		d.Status = "added"
	}
	if is.modern {
		d.Patch = diff(d.File, u.before, u.after)
	} else {
		d.Before, d.After = &u.before, &u.after
	}
	return []fileDiff{d}
}
