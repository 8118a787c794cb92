package wire

import (
	"encoding/json"
	"strings"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
)

// Ask is an ask as a protocol writes it.
type Ask interface {
	// Request is the ask in the domain's form.
	Request(p session.Protocol) question.Request
}

// QuestionAsk is a question ask as OpenCode 1.x writes it, in lists and in events.
type QuestionAsk struct {
	ID        string     `json:"id"`
	SessionID string     `json:"sessionID"`
	Questions []Question `json:"questions"`
	Tool      ToolRef    `json:"tool"`
}

// ToolRef names the tool call that an ask belongs to.
type ToolRef struct {
	MessageID string `json:"messageID"`
	CallID    string `json:"callID"`
}

// Question is one question of an ask.
type Question struct {
	Question string `json:"question"`
	Header   string `json:"header"`
	Options  []struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	} `json:"options"`
	Multiple bool  `json:"multiple"`
	Custom   *bool `json:"custom"` // absent: allowed
}

// Request is the ask in the domain's form.
func (a QuestionAsk) Request(p session.Protocol) question.Request {
	return question.Request{
		ID: question.RequestID(a.ID), Protocol: p, Session: session.ID(a.SessionID),
		Message: session.MessageID(a.Tool.MessageID), Call: question.CallID(a.Tool.CallID),
		Items: Items(a.Questions),
	}
}

// Items are questions in the domain's form.
func Items(questions []Question) []question.Item {
	list := make([]question.Item, 0, len(questions))
	for _, q := range questions {
		item := question.Item{
			Header: q.Header, Text: q.Question, Multiple: q.Multiple, Custom: q.Custom == nil || *q.Custom,
		}
		for _, o := range q.Options {
			item.Options = append(item.Options, question.Option{Label: o.Label, Description: o.Description})
		}
		list = append(list, item)
	}
	return list
}

// FailedQuestion is what became of a question whose call failed with this text. The
// texts are OpenCode's, the same in 1.1.53 and 1.18.33; 1.2.27 tells the error's name.
func FailedQuestion(r question.Request, text string) event.Finding {
	switch {
	case strings.Contains(text, "dismissed this question"), strings.HasPrefix(text, "QuestionRejectedError("):
		return event.Finding{Kind: event.FoundDismissed}
	case r.ID == "" && !strings.Contains(text, "abort"):
		return event.Finding{Kind: event.FoundVoid}
	}
	return event.Finding{Kind: event.FoundStopped}
}

// Requests brings a list of asks into the domain's form. One without an id, which nothing could be
// sent to, is left out, as it is of events.
func Requests[A Ask](asks []A, p session.Protocol) []question.Request {
	list := make([]question.Request, 0, len(asks))
	for _, a := range asks {
		if r := a.Request(p); r.ID != "" {
			list = append(list, r)
		}
	}
	return list
}

// Text is a JSON value as text: a text as it is, and any other value as JSON; nothing
// for null and for what is empty.
func Text(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	if v := strings.TrimSpace(string(raw)); v != "null" && v != "{}" && v != "[]" {
		return v
	}
	return ""
}
