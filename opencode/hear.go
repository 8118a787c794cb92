package opencode

import (
	"context"
	"encoding/json"
	"strings"

	"hermes/internal/question"
)

// wireEvent is one event of OpenCode, or of the plugin.
type wireEvent struct {
	Type       string          `json:"type"`
	Properties json.RawMessage `json:"properties"`
}

// wireAny is what hermes reads of the events' properties.
type wireAny struct {
	SessionID string           `json:"sessionID"`
	RequestID string           `json:"requestID"`
	Answers   question.Answers `json:"answers"`
	Reply     string           `json:"reply"` // to a permission ask: once, always or reject
	Info      wireSession      `json:"info"`
	Part      wirePart         `json:"part"`
	Error     wireError        `json:"error"`
	Status    struct {
		Type    string `json:"type"`
		Message string `json:"message"` // of a retry
	} `json:"status"`
	CallID string `json:"callID"`
	Tool   any    `json:"tool"`
	Args   struct {
		Questions []wireQuestion `json:"questions"`
	} `json:"args"`
}

// hear acts on one event. What it does not know, it passes over. An event is a
// reason to look, and proof only where it carries the answers itself.
func (i *instance) hear(ctx context.Context, e wireEvent) {
	switch e.Type {
	case "question.asked":
		i.hearAsked(ctx, e, question.V1)
	case "question.v2.asked":
		i.hearAsked(ctx, e, question.V2)
	case "question.replied", "question.v2.replied":
		p := e.properties()
		i.settled(question.Event{
			Kind: question.Replied, ID: question.RequestID(p.RequestID),
			Session: question.SessionID(p.SessionID), Answers: p.Answers,
		})
	case "question.rejected", "question.v2.rejected":
		p := e.properties()
		i.settled(question.Event{
			Kind: question.Rejected, ID: question.RequestID(p.RequestID), Session: question.SessionID(p.SessionID),
		})
	case "permission.asked":
		i.hearPermission(ctx, e, question.V1)
	case "permission.v2.asked":
		i.hearPermission(ctx, e, question.V2)
	case "permission.replied", "permission.v2.replied":
		i.hearDecided(e.properties())
	case "session.created", "session.updated":
		s := e.properties().Info
		i.named(ctx, s)
		if s.Time.Archived != 0 {
			i.finished(question.SessionID(s.ID))
		}
	default:
		i.hearEnd(e)
	}
}

func (i *instance) hearAsked(ctx context.Context, e wireEvent, p question.Protocol) {
	var w wireRequest
	if json.Unmarshal(e.Properties, &w) == nil && w.ID != "" {
		i.asked(ctx, w.request(p))
	}
}

func (i *instance) hearPermission(ctx context.Context, e wireEvent, p question.Protocol) {
	var w wirePermission
	if json.Unmarshal(e.Properties, &w) == nil && w.ID != "" {
		i.asked(ctx, w.request(p))
	}
}

// hearDecided takes in the end of a permission ask. A word that is none of the three
// proves nothing.
func (i *instance) hearDecided(p wireAny) {
	e := question.Event{ID: question.RequestID(p.RequestID), Session: question.SessionID(p.SessionID)}
	switch p.Reply {
	case question.Once, question.Always:
		e.Kind, e.Answers = question.Replied, question.Answers{{p.Reply}}
	case "reject":
		e.Kind = question.Rejected
	default:
		i.touched(e.Session)
		return
	}
	i.settled(e)
}

// hearEnd acts on what may end a request without a word about the request.
func (i *instance) hearEnd(e wireEvent) {
	switch e.Type {
	case "session.deleted":
		i.finished(e.properties().session())
	case "session.idle", "session.error", "session.status":
		i.hearState(e)
	case "session.next.tool.failed":
		i.touched(e.properties().session())
	case "message.part.updated":
		p := e.properties()
		if s := p.Part.State.Status; p.Part.Type == "tool" && (s == "completed" || s == "error") && i.waiting() {
			i.touched(p.session())
		}
	case "server.instance.disposed":
		i.client.rest.begin(i.client.Directory, disposeGap)
		i.touched("")
	case "hermes.spoke":
		i.hearSpoken(e)
	case "tool.execute.before":
		i.captured(e.properties())
	}
}

// hearState acts on what a session says of itself. Both versions say idle twice at
// the end of a turn, and busy at the begin of every step.
func (i *instance) hearState(e wireEvent) {
	p := e.properties()
	say := func(kind question.EventKind, text string) {
		if p.session() == "" {
			return
		}
		i.say(question.Event{Kind: kind, Session: p.session(), Text: text})
	}
	switch {
	case e.Type == "session.error":
		i.touched(p.session())
		if p.Error.Name != "MessageAbortedError" {
			first, _, _ := strings.Cut(p.Error.String(), "\n") // 1.18.33 says it again with a stack trace
			say(question.Failed, first)
		}
	case e.Type == "session.idle" || p.Status.Type == "idle":
		i.touched(p.session())
		say(question.Rested, "")
	case p.Status.Type == "busy":
		say(question.Worked, "")
	case p.Status.Type == "retry":
		say(question.Worked, "")
		say(question.Retried, p.Status.Message)
	}
}

// captured tells a question tool call that is about to run. Its message is not
// known then, nor its request's id.
func (i *instance) captured(p wireAny) {
	if p.Tool != "question" || p.SessionID == "" || p.CallID == "" {
		return
	}
	i.emit(question.Event{Kind: question.Captured, Origin: i.origin, Asks: []question.Ask{{
		Request: question.Request{
			Protocol: question.V1, Session: question.SessionID(p.SessionID),
			Call: question.CallID(p.CallID), Items: items(p.Args.Questions),
		},
	}}})
}

func (e wireEvent) properties() wireAny {
	var p wireAny
	_ = json.Unmarshal(e.Properties, &p) // what does not fit stays empty
	return p
}

// session is the session an event speaks of. 1.1.53 names a deleted session in
// info only, and a part's session in the part.
func (p wireAny) session() question.SessionID {
	if p.SessionID != "" {
		return question.SessionID(p.SessionID)
	}
	if p.Info.ID != "" {
		return question.SessionID(p.Info.ID)
	}
	return question.SessionID(p.Part.SessionID)
}
