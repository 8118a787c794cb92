package v1

import (
	"encoding/json"
	"strings"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/wire"
)

// Hear reads the events that say something of an ask, or of what a session does.
func (d *Driver) Hear(e wire.Event) (said []event.Event, known bool) {
	switch e.Type {
	case "question.asked":
		return wire.Asked[questionAsk](e, session.V1), true
	case "question.replied":
		return e.QuestionReplied(), true
	case "question.rejected":
		return e.QuestionRejected(), true
	case "permission.asked":
		return wire.Asked[permissionAsk](e, session.V1), true
	case "permission.replied":
		return e.PermissionReplied(), true
	case "session.idle", "session.error", "session.status":
		return hearState(e), true
	case "session.deleted":
		return []event.Event{{Kind: event.Finished, Session: PropertiesOf(e).Session()}}, true
	case "tool.execute.before":
		return hearCall(e), true
	}
	return nil, false
}

// hearCall reads a question tool call that is about to run, as the plugin tells it. Its message is not known then, nor its
// request's id.
func hearCall(e wire.Event) []event.Event {
	var p struct {
		SessionID string `json:"sessionID"`
		CallID    string `json:"callID"`
		Tool      any    `json:"tool"`
		Args      struct {
			Questions []oneQuestion `json:"questions"`
		} `json:"args"`
	}
	_ = json.Unmarshal(e.Properties, &p) // what does not fit stays empty
	if p.Tool != "question" || p.SessionID == "" || p.CallID == "" {
		return nil
	}
	r := question.Request{
		Protocol: session.V1, Session: session.ID(p.SessionID), Call: question.CallID(p.CallID), Items: itemsOf(p.Args.Questions),
	}
	return []event.Event{{Kind: event.Captured, Session: r.Session, Asks: []event.Ask{{Request: r}}}}
}

// hearState reads what a session says of itself. Both versions say idle twice at
// the end of a turn, and busy at the beginning of every step.
func hearState(e wire.Event) []event.Event {
	p := PropertiesOf(e)
	id := p.Session()
	touched := event.Event{Kind: event.Touched, Session: id}
	worked := event.Event{Kind: event.Worked, Session: id}
	switch {
	case e.Type == "session.error" && p.Error.IsAbort():
		return []event.Event{touched}
	case e.Type == "session.error":
		first, _, _ := strings.Cut(p.Error.String(), "\n") // 1.18.33 says it again with a stack trace
		return onlyOfSessions(touched, event.Event{Kind: event.Failed, Session: id, Text: first})
	case e.Type == "session.idle" || p.Status.Type == "idle":
		return onlyOfSessions(touched, event.Event{Kind: event.Rested, Session: id})
	case p.Status.Type == "busy":
		return onlyOfSessions(worked)
	case p.Status.Type == "retry":
		return onlyOfSessions(worked, event.Event{Kind: event.Retried, Session: id, Text: p.Status.Message})
	}
	return nil
}

// onlyOfSessions leaves out states that are of no session; a reason to look may be of all.
func onlyOfSessions(events ...event.Event) (said []event.Event) {
	for _, e := range events {
		if e.Session != "" || e.Kind == event.Touched {
			said = append(said, e)
		}
	}
	return said
}

// Properties is what hermes reads of the events of ordinary sessions that are not about
// an ask.
type Properties struct {
	SessionID string      `json:"sessionID"`
	Info      SessionInfo `json:"info"`
	Part      Part        `json:"part"`
	Error     Failure     `json:"error"`
	Status    struct {
		Type    string `json:"type"`
		Message string `json:"message"` // of a retry
	} `json:"status"`
}

// PropertiesOf reads an event. What does not fit stays empty.
func PropertiesOf(e wire.Event) Properties {
	var p Properties
	_ = json.Unmarshal(e.Properties, &p)
	return p
}

// Session is the session an event speaks of. 1.1.53 names a deleted session in
// info only, and a part's session in the part.
func (p Properties) Session() session.ID {
	if p.SessionID != "" {
		return session.ID(p.SessionID)
	}
	if p.Info.ID != "" {
		return session.ID(p.Info.ID)
	}
	return session.ID(p.Part.SessionID)
}
