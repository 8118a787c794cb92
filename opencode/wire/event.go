package wire

import (
	"encoding/json"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
)

// Event is one event of OpenCode 1.x, or of the plugin.
type Event struct {
	Type       string          `json:"type"`
	Properties json.RawMessage `json:"properties"`
}

// settledAsk is the properties of an event that reports how an ask was settled.
type settledAsk struct {
	SessionID string           `json:"sessionID"`
	RequestID string           `json:"requestID"`
	Answers   question.Answers `json:"answers"`
	Reply     string           `json:"reply"` // to a permission ask: once, always or reject
}

func (e Event) settledAsk() settledAsk {
	var s settledAsk
	_ = json.Unmarshal(e.Properties, &s) // what does not fit stays empty
	return s
}

func (s settledAsk) event(kind event.Kind, answers question.Answers) []event.Event {
	return []event.Event{{
		Kind: kind, ID: question.RequestID(s.RequestID), Session: session.ID(s.SessionID), Answers: answers,
	}}
}

// Asked is a new ask, of type A; nothing for an event that is not of that form.
func Asked[A Ask](e Event, p session.Protocol) []event.Event {
	var ask A
	if json.Unmarshal(e.Properties, &ask) != nil {
		return nil
	}
	r := ask.Request(p)
	if r.ID == "" {
		return nil
	}
	return []event.Event{{Kind: event.Asked, Session: r.Session, Asks: []event.Ask{{Request: r}}}}
}

// QuestionReplied is the end of a question that was answered.
func (e Event) QuestionReplied() []event.Event {
	s := e.settledAsk()
	return s.event(event.Replied, s.Answers)
}

// QuestionRejected is the end of a question that was dismissed.
func (e Event) QuestionRejected() []event.Event {
	return e.settledAsk().event(event.Rejected, nil)
}

// PermissionReplied is the end of a permission ask. A word that is not one of the three
// proves nothing: it is a reason to look.
func (e Event) PermissionReplied() []event.Event {
	switch s := e.settledAsk(); s.Reply {
	case question.Once, question.Always:
		return s.event(event.Replied, question.Answers{{s.Reply}})
	case RejectDecision:
		return s.event(event.Rejected, nil)
	default:
		return []event.Event{{Kind: event.Touched, Session: session.ID(s.SessionID)}}
	}
}

// Touched is a reason to look at the session that the event is of.
func (e Event) Touched() []event.Event {
	return []event.Event{{Kind: event.Touched, Session: session.ID(e.settledAsk().SessionID)}}
}
