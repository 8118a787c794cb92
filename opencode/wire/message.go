package wire

import (
	"encoding/json"
	"slices"

	"hermes/internal/question"
	"hermes/internal/session"
)

// Message is what hermes reads of a message to learn of an ask: whose it is and which
// tools it calls.
type Message struct {
	ID    session.MessageID
	Mine  bool   // the agent wrote it; else it is a prompt
	Agent string // who speaks or is asked; empty: it does not say
	Calls []ToolCall
}

// ToolCall is a tool call in a message. A zero one is not in its message yet.
type ToolCall struct {
	ID      question.CallID
	Status  string                     // pending, running, completed, error
	Input   map[string]json.RawMessage // empty while pending
	Failure string                     // why it failed
	Answers question.Answers           // of a question that was answered
}

// Call finds the last call of that id, as providers use ids again.
func Call(calls []ToolCall, id question.CallID) ToolCall {
	for _, call := range slices.Backward(calls) {
		if id != "" && call.ID == id {
			return call
		}
	}
	return ToolCall{}
}

// HasInput reports whether the call's input is known. It may be empty.
func (c ToolCall) HasInput() bool {
	return len(c.Input) > 0 || c.Status != "" && c.Status != "pending"
}

// HasEnded reports whether the call was carried out, or failed.
func (c ToolCall) HasEnded() bool { return IsEnd(c.Status) }

// IsEnd reports whether a tool call of this status has ended.
func IsEnd(status string) bool { return status == "completed" || status == "error" }

// FailureText is why a call failed: a text, or an object with one.
func FailureText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var object struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal(raw, &object) // of any other form: it says nothing
	return object.Message
}
