package preview

import (
	"encoding/json"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/wire"
)

// message is a message as GET /api/session/…/message/… gives it.
type message struct {
	Data struct {
		ID      session.MessageID `json:"id"`
		Agent   string            `json:"agent"`
		Content []toolCall        `json:"content"`
	} `json:"data"`
}

// toolCall is a part of a message; one of any other type than tool has no call.
type toolCall struct {
	Type  string          `json:"type"`
	ID    question.CallID `json:"id"`
	State struct {
		Status     string                     `json:"status"`
		Error      json.RawMessage            `json:"error"`
		Input      map[string]json.RawMessage `json:"input"`
		Structured struct {
			Answers question.Answers `json:"answers"`
		} `json:"structured"`
	} `json:"state"`
}

func decodeMessage(body []byte) (wire.Message, error) {
	var m message
	err := json.Unmarshal(body, &m)
	found := wire.Message{ID: m.Data.ID, Agent: m.Data.Agent}
	for _, c := range m.Data.Content {
		if c.Type == "tool" {
			found.Calls = append(found.Calls, wire.ToolCall{
				ID: c.ID, Status: c.State.Status, Input: c.State.Input, Failure: wire.FailureText(c.State.Error), Answers: c.State.Structured.Answers,
			})
		}
	}
	return found, err
}
