package opencode

import (
	"cmp"
	"encoding/json"

	"hermes/internal/question"
)

type wireMessage struct {
	Info  wireInfo   `json:"info"`
	Parts []wirePart `json:"parts"` // ordinary sessions
	Data  struct {
		Agent   string     `json:"agent"`
		Content []wirePart `json:"content"` // sessions under /api
	} `json:"data"`
}

type wireInfo struct {
	ID       string     `json:"id"`
	Role     string     `json:"role"`
	ParentID string     `json:"parentID"` // of an answer: the prompt
	Agent    string     `json:"agent"`
	Mode     string     `json:"mode"` // the agent's older name
	Provider string     `json:"providerID"`
	Model    string     `json:"modelID"`
	Asked    *wireModel `json:"model"` // of a prompt
	Time     struct {
		Created   float64 `json:"created"` // milliseconds
		Completed float64 `json:"completed"`
	} `json:"time"`
	Error   wireError       `json:"error"`
	Cost    float64         `json:"cost"` // US dollars
	Tokens  wireTokens      `json:"tokens"`
	Summary json.RawMessage `json:"summary"` // of a prompt: its diffs; of an answer: true if it sums up the session
}

// unfinished reports whether an answer has no end yet. OpenCode writes down that a turn
// was stopped only a moment after the session rests (1.18.33), or when the ask that it
// leaves behind is settled (1.1.53); killed with its turn, it never does.
func (i wireInfo) unfinished() bool { return i.Time.Completed == 0 && i.Error == wireError{} }

type wireError struct {
	Name string `json:"name"`
	Data struct {
		Message string `json:"message"`
	} `json:"data"`
}

func (e wireError) String() string { return cmp.Or(e.Data.Message, e.Name) }

type wireTokens struct {
	Input     float64 `json:"input"`
	Output    float64 `json:"output"`
	Reasoning float64 `json:"reasoning"`
	Cache     struct {
		Read  float64 `json:"read"`
		Write float64 `json:"write"`
	} `json:"cache"`
}

func (t wireTokens) sum() int {
	return int(t.Input + t.Output + t.Reasoning + t.Cache.Read + t.Cache.Write)
}

// agent is who speaks, or who is asked, in an ordinary session.
func (m wireMessage) agent() string { return cmp.Or(m.Info.Agent, m.Info.Mode) }

// wirePart is a tool call as a message holds it. The call's id is callID in
// ordinary sessions and id under /api.
type wirePart struct {
	ID        string `json:"id"`
	SessionID string `json:"sessionID"`
	CallID    string `json:"callID"`
	Type      string `json:"type"`
	Tool      string `json:"tool"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"` // OpenCode's own text
	State     struct {
		Status   string                     `json:"status"` // pending, running, completed, error
		Error    json.RawMessage            `json:"error"`  // text, or an object under /api
		Input    map[string]json.RawMessage `json:"input"`  // empty while pending
		Metadata struct {
			Answers question.Answers `json:"answers"`
		} `json:"metadata"`
		Structured struct {
			Answers question.Answers `json:"answers"`
		} `json:"structured"`
	} `json:"state"`
}

func (p wirePart) is(call question.CallID) bool {
	return p.Type == "tool" && (p.CallID == string(call) || p.CallID == "" && p.ID == string(call))
}

// failure is why the call failed, as text.
func (p wirePart) failure() string {
	var text string
	if json.Unmarshal(p.State.Error, &text) == nil {
		return text
	}
	var object struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal(p.State.Error, &object) // of any other form: it says nothing
	return object.Message
}

func (p wirePart) answers() question.Answers {
	if p.State.Metadata.Answers != nil {
		return p.State.Metadata.Answers
	}
	return p.State.Structured.Answers
}
