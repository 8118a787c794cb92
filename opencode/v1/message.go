package v1

import (
	"cmp"
	"encoding/json"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/wire"
)

// Message is a message of an ordinary session.
type Message struct {
	Info  MessageInfo `json:"info"`
	Parts []Part      `json:"parts"`
}

// MessageInfo is a message without its parts.
type MessageInfo struct {
	ID       string    `json:"id"`
	Role     string    `json:"role"`     // user or assistant
	ParentID string    `json:"parentID"` // of an answer: the prompt
	Agent    string    `json:"agent"`
	Mode     string    `json:"mode"` // the agent's older name
	Provider string    `json:"providerID"`
	Model    string    `json:"modelID"`
	Asked    *modelRef `json:"model"` // of a prompt
	Time     struct {
		Created   float64 `json:"created"` // milliseconds
		Completed float64 `json:"completed"`
	} `json:"time"`
	Error   Failure         `json:"error"`
	Cost    float64         `json:"cost"` // US dollars
	Tokens  tokenCounts     `json:"tokens"`
	Summary json.RawMessage `json:"summary"` // of a prompt: its diffs; of an answer: true if it sums up the session
}

// isUnfinished reports whether an answer has no end yet. OpenCode writes down that a turn
// was stopped only a moment after the session rests (1.18.33), or when the ask that it
// leaves behind is settled (1.1.53); killed with its turn, it never does.
func (i MessageInfo) isUnfinished() bool { return i.Time.Completed == 0 && i.Error == Failure{} }

// Failure is why a turn ended badly.
type Failure struct {
	Name string `json:"name"`
	Data struct {
		Message string `json:"message"`
	} `json:"data"`
}

// String is the failure's message, or its name if it has none.
func (f Failure) String() string { return cmp.Or(f.Data.Message, f.Name) }

// IsAbort reports whether somebody stopped the turn.
func (f Failure) IsAbort() bool { return f.Name == "MessageAbortedError" }

type tokenCounts struct {
	Input     float64 `json:"input"`
	Output    float64 `json:"output"`
	Reasoning float64 `json:"reasoning"`
	Cache     struct {
		Read  float64 `json:"read"`
		Write float64 `json:"write"`
	} `json:"cache"`
}

func (t tokenCounts) sum() int {
	return int(t.Input + t.Output + t.Reasoning + t.Cache.Read + t.Cache.Write)
}

// isAnswer reports whether the agent wrote it; else it is a prompt.
func (m Message) isAnswer() bool { return m.Info.Role == "assistant" }

// agent is who speaks, or who is asked.
func (m Message) agent() string { return cmp.Or(m.Info.Agent, m.Info.Mode) }

func (m Message) toWire() wire.Message {
	found := wire.Message{ID: session.MessageID(m.Info.ID), Mine: m.isAnswer(), Agent: m.agent()}
	for _, p := range m.Parts {
		if p.IsCall() {
			found.Calls = append(found.Calls, wire.ToolCall{
				ID: question.CallID(p.CallID), Status: p.State.Status, Input: p.State.Input,
				Failure: wire.FailureText(p.State.Error), Answers: p.State.Metadata.Answers,
			})
		}
	}
	return found
}

// Part is a part of a message: a text, a tool call, or what hermes does not read.
type Part struct {
	ID        string `json:"id"`
	SessionID string `json:"sessionID"`
	CallID    string `json:"callID"`
	Type      string `json:"type"`
	Tool      string `json:"tool"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"` // OpenCode's own text
	State     struct {
		Status   string                     `json:"status"` // pending, running, completed, error
		Error    json.RawMessage            `json:"error"`
		Input    map[string]json.RawMessage `json:"input"` // empty while pending
		Metadata struct {
			Answers question.Answers `json:"answers"`
		} `json:"metadata"`
	} `json:"state"`
}

// IsCall reports whether the part is a tool call.
func (p Part) IsCall() bool { return p.Type == "tool" }

// HasEnded reports whether the part is a tool call that was carried out, or failed.
func (p Part) HasEnded() bool { return p.IsCall() && wire.IsEnd(p.State.Status) }
