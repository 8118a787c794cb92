package v2

import (
	"context"
	"encoding/json"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/wire"
)

// message is a message of a session. Besides those of people and agents there are notes of
// OpenCode, which hermes does not read.
type message struct {
	ID      session.MessageID `json:"id"`
	Type    string            `json:"type"` // user, assistant, synthetic, system, shell, …
	Agent   string            `json:"agent"`
	Model   modelRef          `json:"model"`
	Text    string            `json:"text"` // of a prompt
	Content []content         `json:"content"`
	Finish  string            `json:"finish"` // of a step that has ended: stop, tool-calls, error, …
	Error   failure           `json:"error"`
	Cost    float64           `json:"cost"` // US dollars
	Tokens  tokenCounts       `json:"tokens"`
	Time    struct {
		Created   float64 `json:"created"` // milliseconds
		Completed float64 `json:"completed"`
	} `json:"time"`
	Snapshot struct {
		Files []string `json:"files"` // that the step changed
	} `json:"snapshot"`
}

// content is a part of an agent's message.
type content struct {
	Type  string          `json:"type"` // text, reasoning or tool
	Text  string          `json:"text"`
	ID    question.CallID `json:"id"`
	Name  string          `json:"name"`
	State toolState       `json:"state"`
}

// toolState is how far a tool call has come.
type toolState struct {
	Status     string          `json:"status"` // streaming, running, completed, error
	Input      json.RawMessage `json:"input"`  // a text while it streams, else an object
	Error      json.RawMessage `json:"error"`
	Structured answered        `json:"structured"` // the preview
	Metadata   answered        `json:"metadata"`   // the release
}

// answered is what a question's tool call was answered with.
type answered struct {
	Answers question.Answers `json:"answers"`
}

// UnmarshalJSON reads what is of that form; other tools write what they want.
func (a *answered) UnmarshalJSON(raw []byte) error {
	var said struct {
		Answers json.RawMessage `json:"answers"`
	}
	if json.Unmarshal(raw, &said) == nil {
		_ = json.Unmarshal(said.Answers, &a.Answers) // of another form: it is no question's
	}
	return nil
}

// failure is why a step, a turn or a tool call failed.
type failure struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// abortedType is the type of what failed as its turn was stopped: by a person, by the
// dismissal of a question, by the refusal of a permission, or by the end of the service.
const abortedType = "aborted"

func (f failure) isAbort() bool { return f.Type == abortedType }

// String is the failure's message, or its type if it has none.
func (f failure) String() string {
	if f.Message != "" {
		return f.Message
	}
	return f.Type
}

type modelRef struct {
	Provider string `json:"providerID"`
	ID       string `json:"id"`
}

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

func (m message) isAnswer() bool { return m.Type == "assistant" }
func (m message) isPrompt() bool { return m.Type == "user" }

func (m message) toWire() wire.Message {
	found := wire.Message{ID: m.ID, Mine: m.isAnswer(), Agent: m.Agent}
	for _, c := range m.Content {
		if c.Type == "tool" {
			found.Calls = append(found.Calls, c.call())
		}
	}
	return found
}

func (c content) call() wire.ToolCall {
	t := wire.ToolCall{ID: c.ID, Status: c.State.Status, Failure: failureIn(c.State.Error), Answers: c.State.Structured.Answers}
	if t.Answers == nil {
		t.Answers = c.State.Metadata.Answers
	}
	if t.Status == "streaming" {
		t.Status = "pending" // its input is not whole
	}
	_ = json.Unmarshal(c.State.Input, &t.Input) // while it streams: none
	return t
}

// failureIn is why a call failed. The type of an abort is put before its text, as that alone
// says nothing.
func failureIn(raw json.RawMessage) string {
	var f failure
	if json.Unmarshal(raw, &f) == nil && f.isAbort() {
		return abortedType + ": " + f.Message
	}
	return wire.FailureText(raw)
}

// Message reads the message that an ask's tool call is in.
func (d *Driver) Message(ctx context.Context, r question.Request) (wire.Message, error) {
	var m struct{ Data message }
	err := d.Endpoint.Get(ctx, "message", messagePath(r.Session, r.Message), nil, &m)
	return m.Data.toWire(), err
}

// lastFew is how many messages are read to find what followed an ask.
const lastFew = 20

// spokenIn are the messages of people and agents.
func spokenIn(list []message) (found []wire.Message) {
	for _, m := range list {
		if m.isAnswer() || m.isPrompt() {
			found = append(found, m.toWire())
		}
	}
	return found
}
