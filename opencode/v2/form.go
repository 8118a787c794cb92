package v2

import (
	"encoding/json"
	"slices"

	"hermes/internal/question"
	"hermes/internal/session"
)

// Form is something that OpenCode wants to be filled in: the questions of an agent, what an
// MCP server wants to know, or what any other client made.
type Form struct {
	ID        string   `json:"id"`
	SessionID string   `json:"sessionID"` // of an MCP server's: global
	Title     string   `json:"title"`
	Metadata  Metadata `json:"metadata"`
	Fields    []Field  `json:"fields"`
}

// Metadata says what a form is for.
type Metadata struct {
	Kind    string  `json:"kind"`
	Tool    toolRef `json:"tool"`    // of a question
	Server  string  `json:"server"`  // of an MCP server's
	Message string  `json:"message"` // of an MCP server's
}

// UnmarshalJSON reads what is of that form; other clients write what they want.
func (m *Metadata) UnmarshalJSON(raw []byte) error {
	type plain Metadata
	_ = json.Unmarshal(raw, (*plain)(m)) // what does not fit stays empty
	return nil
}

// toolRef names the tool call that an ask belongs to: callID in the preview, id in the
// release.
type toolRef struct {
	MessageID string `json:"messageID"`
	CallID    string `json:"callID"`
	ID        string `json:"id"`
}

func (t toolRef) call() question.CallID {
	if t.CallID != "" {
		return question.CallID(t.CallID)
	}
	return question.CallID(t.ID)
}

// The kinds of forms that OpenCode makes itself.
const (
	KindQuestion    = "question"
	KindElicitation = "mcp-elicitation"
)

// IsQuestion reports whether it has the questions of an agent, which are texts and choices alone.
// Any client may call its form so, and what takes other values cannot be answered as a question.
func (f Form) IsQuestion() bool {
	return f.Metadata.Kind == KindQuestion && !slices.ContainsFunc(f.Fields, func(f Field) bool { return f.Type != String && f.Type != Multiselect })
}

// Request is the form in the domain's form: the questions of an agent, or the fields of what others ask.
func (f Form) Request(p session.Protocol) question.Request {
	if !f.IsQuestion() {
		return f.Elicitation(p)
	}
	r := question.Request{
		ID: question.RequestID(f.ID), Protocol: p, Session: session.ID(f.SessionID),
		Message: session.MessageID(f.Metadata.Tool.MessageID), Call: f.Metadata.Tool.call(),
		Items: make([]question.Item, 0, len(f.Fields)),
	}
	for _, field := range f.Fields {
		r.Items = append(r.Items, field.item())
	}
	return r
}

// FieldType is the closed set of what a field takes.
type FieldType string

const (
	String      FieldType = "string"      // a text
	Number      FieldType = "number"      // a JSON number
	Integer     FieldType = "integer"     // a JSON number without a fraction
	Boolean     FieldType = "boolean"     // true or false
	Multiselect FieldType = "multiselect" // a list of texts
	External    FieldType = "external"    // true, when the person has done it at URL
)

// Field is one field of a form. What a type does not have stays empty.
type Field struct {
	Key         string          `json:"key"`
	Type        FieldType       `json:"type"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Required    bool            `json:"required"`
	When        []When          `json:"when"`    // all must hold, or the field must not be sent
	Default     json.RawMessage `json:"default"` // a value of the field's type; empty: none
	Placeholder string          `json:"placeholder"`

	Options []Option `json:"options"`
	Custom  *bool    `json:"custom"` // a value that is no option is taken; nil: it does not say

	Format    string `json:"format"` // of a text: email, uri, date, date-time
	Pattern   string `json:"pattern"`
	MinLength *int   `json:"minLength"`
	MaxLength *int   `json:"maxLength"`

	Minimum *Bound `json:"minimum"` // of a number
	Maximum *Bound `json:"maximum"`

	MinItems *int `json:"minItems"` // of a list
	MaxItems *int `json:"maxItems"`

	URL string `json:"url"` // of an external one
}

// UnmarshalJSON reads a field. One that cannot be read is of no known type, and keeps no form from
// being read.
func (f *Field) UnmarshalJSON(raw []byte) error {
	type plain Field
	if json.Unmarshal(raw, (*plain)(f)) != nil {
		f.Type = ""
	}
	return nil
}

// Option is one choice. Its value is the answer.
type Option struct {
	Value       string `json:"value"`
	Label       string `json:"label"`
	Description string `json:"description"`
}

// When is a condition on another field.
type When struct {
	Key   string          `json:"key"`
	Op    string          `json:"op"` // eq or neq
	Value json.RawMessage `json:"value"`
}

// Bound is the least or the most that a number may be, as OpenCode writes it. JSON has no
// number for what is not finite: OpenCode writes a text then, which bounds nothing.
type Bound struct {
	Number json.Number // empty: it bounds nothing
}

// UnmarshalJSON reads a number, or a text that bounds nothing.
func (b *Bound) UnmarshalJSON(raw []byte) error {
	var word string
	if json.Unmarshal(raw, &word) == nil {
		return nil
	}
	return json.Unmarshal(raw, &b.Number)
}

// item is a question of an agent. Its title is the header and its description the question,
// and a value is the label.
func (f Field) item() question.Item {
	i := question.Item{
		ID: f.Key, Header: f.Title, Text: f.Description, Multiple: f.Type == Multiselect, Custom: f.Custom == nil || *f.Custom,
	}
	for _, o := range f.Options {
		i.Options = append(i.Options, question.Option{Label: o.Value, Description: o.Description})
	}
	return i
}
