package opencode2sim

import (
	"encoding/json"
	"fmt"

	"hermes/internal/simulate/opencodesim/model"
)

// Question is one question of a call, as the question tool takes it.
type Question = model.Question

// Option is one choice of a Question.
type Option = model.Option

// NewSession makes a session in dir and returns its id. An empty title is
// OpenCode's own, which the first turn replaces.
func (s *Simulator) NewSession(dir, title string) string {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.create(newSession{dir: dir, title: title}).info.ID
}

// Ask makes the agent ask with the question tool and returns the ids of the form
// and of the tool call. An empty session means a new one in dir. A session that is at
// work asks in the step that it is in (parallel calls); an idle one starts a turn.
// It panics if the session does not exist or is between two steps.
func (s *Simulator) Ask(dir, session string, questions ...Question) (form, call string) {
	raw, _ := json.Marshal(map[string]any{"questions": questions})
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	c := s.begin(dir, session, "CALL question "+string(raw), model.Action{Tool: "question", Args: raw})
	if f := s.runQuestion(c, raw); f != nil {
		return f.id, c.part.call
	}
	return "", c.part.call
}

// AskTool makes the agent call a tool with this input, which asks for leave as
// OpenCode's own does (shell, edit, write, read, webfetch), and any other tool for everything.
func (s *Simulator) AskTool(dir, session, tool string, in map[string]any) (request, call string) {
	raw, err := json.Marshal(in)
	if err != nil {
		panic("simulator: a tool's input must be JSON: " + err.Error())
	}
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	a := model.Action{Tool: tool, Args: raw}
	c := s.begin(dir, session, "CALL "+tool+" "+string(raw), a)
	var given toolInput
	_ = json.Unmarshal(raw, &given) // what is not there is empty
	if given.Path == "" {
		given.Path = given.FilePath
	}
	return s.permitted(c, s.wants(c.turn.ses.dir(), a, given), given)
}

// AskBash is AskTool for a command of the shell tool.
func (s *Simulator) AskBash(dir, session, command string) (request, call string) {
	return s.AskTool(dir, session, "shell", map[string]any{"command": command})
}

// AskEdit is AskTool for replacing a text in a file.
func (s *Simulator) AskEdit(dir, session, file, before, after string) (request, call string) {
	return s.AskTool(dir, session, "edit", map[string]any{"path": file, "oldString": before, "newString": after})
}

func (s *Simulator) permitted(c *call, wants []permit, in toolInput) (request, call string) {
	if l := s.runPermitted(c, wants, func() { s.carryOut(c, in) }); l != nil {
		return l.id, c.part.call
	}
	return "", c.part.call
}

// begin makes a tool call in the step of a session's turn.
func (s *Simulator) begin(dir, session, prompt string, a model.Action) *call {
	t := s.turnFor(dir, session, prompt)
	c := s.draft(t, a)
	s.announce(c, a.Args)
	return c
}

// turnFor is the turn of a session that is at work, or a new one.
func (s *Simulator) turnFor(dir, id, prompt string) *turn {
	if s.life == nil {
		panic("simulator: the agent works only while the process runs; call Start first")
	}
	if id == "" {
		id = s.create(newSession{dir: dir}).info.ID
	}
	ses := s.disk.sessions[id]
	if ses == nil {
		panic(fmt.Sprintf("simulator: there is no session %q", id))
	}
	t := s.active[id]
	if t == nil {
		s.admit(ses, &input{
			id: s.disk.mint.Ascending("msg"), kind: "user", delivery: "steer", payload: data{"text": prompt}, held: true,
		})
		t = s.wake(ses)
	}
	if t.step == nil {
		panic(fmt.Sprintf("simulator: session %q is between two steps", id))
	}
	return t
}

// Elicit makes an MCP server ask in a directory without a tool call. The reply is what
// the server got; it comes with the answer or the dismissal, or never.
func (s *Simulator) Elicit(dir, server string, want Elicited) (form string, reply <-chan map[string]any) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	got := make(chan map[string]any, 1)
	f := s.elicit(dir, server, want, func(v any) {
		o, _ := v.(data)
		got <- o
	})
	return f.id, got
}

// Task makes the agent start a subagent in its step, and returns the session of the
// subagent, which has done what its prompt says.
func (s *Simulator) Task(dir, session, agent, prompt string) (child string) {
	raw, _ := json.Marshal(map[string]string{"agent": agent, "description": model.TaskDescription, "prompt": prompt})
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	c := s.begin(dir, session, "TASK "+agent+" "+prompt, model.Action{Tool: "subagent", Args: raw})
	return s.runSubagent(c, toolInput{Agent: agent, Description: model.TaskDescription, Prompt: prompt}).info.ID
}

// Say ends the turn of a session with a text of the agent; an idle one does it in a
// turn of its own. It panics if the session waits for an answer.
func (s *Simulator) Say(session, text string) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	t := s.turnFor("", session, "Say it.")
	if t.open > 0 {
		panic(fmt.Sprintf("simulator: session %q waits for an answer", session))
	}
	s.say(t, text)
}

// Speak adds a piece to the text that the agent is saying; Say ends it.
func (s *Simulator) Speak(session, piece string) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.speak(s.turnFor("", session, "Say it."), piece)
}

// AnswerAtTUI answers a pending form of questions as a person at OpenCode's own
// terminal does, one list for each question. It reports whether the form was pending.
func (s *Simulator) AnswerAtTUI(id string, answers [][]string) bool {
	return s.withForm(id, func(f *form) { s.forms.reply(f, formAnswer(f.fields, answers)) })
}

// RejectAtTUI dismisses a pending form at OpenCode's own terminal.
func (s *Simulator) RejectAtTUI(id string) bool {
	return s.withForm(id, func(f *form) { s.forms.cancel(f, "") })
}

// DecideAtTUI settles a pending permission request (once, always or reject) at
// OpenCode's own terminal.
func (s *Simulator) DecideAtTUI(id, reply string) bool {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	l := s.leaves.any(id)
	if l == nil {
		return false
	}
	s.leaves.decide(l, reply, "")
	return true
}

func (s *Simulator) withForm(id string, act func(*form)) bool {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	for _, f := range s.forms.all {
		if f.id == id && f.status == "pending" {
			act(f)
			return true
		}
	}
	return false
}

// formAnswer is a list for each question as the answer of its form.
func formAnswer(fields []data, answers [][]string) data {
	answer := data{}
	for i, given := range answers {
		if i >= len(fields) || len(given) == 0 {
			continue
		}
		key, _ := fields[i]["key"].(string)
		if fields[i]["type"] != "multiselect" {
			answer[key] = given[0]
			continue
		}
		items := []any{}
		for _, text := range given {
			items = append(items, text)
		}
		answer[key] = items
	}
	return answer
}

// Abort stops a session's turn as POST …/interrupt does.
func (s *Simulator) Abort(id string) {
	s.onSession(id, s.interrupt)
}

// Reload unloads all directories as POST /api/location/reload does (section 10).
func (s *Simulator) Reload() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.reload()
}

// Delete deletes a session as DELETE /api/session/{id} does.
func (s *Simulator) Delete(id string) { s.onSession(id, s.delete) }

func (s *Simulator) onSession(id string, do func(*session)) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if ses := s.disk.sessions[id]; ses != nil {
		do(ses)
	}
}
