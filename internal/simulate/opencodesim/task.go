package opencodesim

import (
	"fmt"

	"hermes/internal/simulate/opencodesim/model"
)

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
