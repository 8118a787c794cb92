package opencode2sim_test

import (
	"strings"
	"testing"

	"hermes/internal/simulate/opencode2sim"
)

const question = `CALL question {"questions":[{"question":"Which color?","header":"Color","options":[{"label":"red","description":"warm"}]}]}`

func (c client) newSession() string {
	c.Helper()
	made, _ := c.want(200, "POST", "/api/session", map[string]any{"location": map[string]any{"directory": "/home/ada/a"}}).(map[string]any)
	id, _ := made["id"].(string)
	return id
}

func (c client) prompt(session, text string) {
	c.Helper()
	c.want(200, "POST", "/api/session/"+session+"/prompt", map[string]any{"text": text})
}

// onlyForm is the id of the one form of a session.
func (c client) onlyForm(session string) string {
	c.Helper()
	forms, _ := c.want(200, "GET", "/api/session/"+session+"/form", nil).([]any)
	if len(forms) != 1 {
		c.Fatalf("the session has %d forms", len(forms))
	}
	form, _ := forms[0].(map[string]any)
	id, _ := form["id"].(string)
	return id
}

func TestQuestionTurn(t *testing.T) {
	for shape, want := range map[opencode2sim.Shape]string{
		opencode2sim.Preview: "session.input.admitted session.execution.started session.instructions.updated session.input.promoted",
		opencode2sim.Release: "session.inbox.enqueued session.execution.started session.instructions.updated session.inbox.delivered",
	} {
		playOne(t, opencode2sim.Options{Shape: shape}, func(c client) {
			stream := c.listen()
			ses := c.newSession()
			c.prompt(ses, question)
			c.want(204, "POST", "/api/session/"+ses+"/form/"+c.onlyForm(ses)+"/reply", map[string]any{"answer": map[string]any{"q0": "blue"}})
			types, _ := stream.until("session.execution.succeeded")
			want := "server.connected session.created " + want + " session.step.started session.tool.input.started " +
				"session.tool.input.delta session.tool.input.ended session.tool.called form.created form.replied session.tool.success " +
				"session.step.ended session.usage.updated session.step.started session.text.started session.text.delta " +
				"session.text.ended session.step.ended session.usage.updated session.execution.succeeded"
			if got := strings.Join(types, " "); got != want {
				t.Errorf("the events came as\n  %s\nwant\n  %s", got, want)
			}
		})
	}
}
