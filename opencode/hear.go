package opencode

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"hermes/internal/question"
	"hermes/opencode/v1"
	"hermes/opencode/wire"
)

// disposeGap is how long nothing is asked for a directory after its instance was disposed.
// What it is asked for that directory while it still puts the instance away can be cut off in
// the middle of making it anew, and then that part of it (questions, agents, prompts)
// answers 503, or nothing comes of it, until the next dispose or restart. Measured on
// 1.18.33 on a busy machine, some milliseconds after server.instance.disposed, the end of
// /event and the answer to the dispose: one of fifteen times.
const disposeGap = 2 * time.Second

// eventProperties is what hermes reads of the events that are not about an ask.
type eventProperties struct {
	SessionID string         `json:"sessionID"`
	Info      v1.SessionInfo `json:"info"`
	Part      v1.Part        `json:"part"`
	Error     v1.Failure     `json:"error"`
	Status    struct {
		Type    string `json:"type"`
		Message string `json:"message"` // of a retry
	} `json:"status"`
	CallID string `json:"callID"`
	Tool   any    `json:"tool"`
	Args   struct {
		Questions []wire.Question `json:"questions"`
	} `json:"args"`
}

func propertiesOf(e wire.Event) eventProperties {
	var p eventProperties
	_ = json.Unmarshal(e.Properties, &p) // what does not fit stays empty
	return p
}

// session is the session an event speaks of. 1.1.53 names a deleted session in
// info only, and a part's session in the part.
func (p eventProperties) session() question.SessionID {
	if p.SessionID != "" {
		return question.SessionID(p.SessionID)
	}
	if p.Info.ID != "" {
		return question.SessionID(p.Info.ID)
	}
	return question.SessionID(p.Part.SessionID)
}

// hear acts on one event. What it does not know, it passes over. An event is a
// reason to look, and proof only where it carries the answers itself.
func (i *instance) hear(ctx context.Context, e wire.Event) {
	for _, p := range protocols() {
		if said, known := p.Hear(e); known {
			i.hearAsk(ctx, said)
			return
		}
	}
	i.hearSession(ctx, e)
}

// hearAsk acts on what a protocol says of an ask.
func (i *instance) hearAsk(ctx context.Context, said question.Event) {
	switch said.Kind {
	case question.Asked:
		i.emitAsk(ctx, said.Asks[0].Request)
	case question.Replied, question.Rejected:
		i.emitEnd(said)
	case question.Touched:
		i.emitTouched(said.Session)
	}
}

// hearSession acts on what may name a session or end its asks, without a word about the
// asks themselves.
func (i *instance) hearSession(ctx context.Context, e wire.Event) {
	switch e.Type {
	case "session.created", "session.updated":
		s := propertiesOf(e).Info
		i.learnName(ctx, s)
		if s.Time.Archived != 0 {
			i.emitFinished(question.SessionID(s.ID))
		}
	case "session.deleted":
		i.emitFinished(propertiesOf(e).session())
	case "session.idle", "session.error", "session.status":
		i.hearState(e)
	case "message.part.updated":
		if p := propertiesOf(e); p.Part.HasEnded() && !i.asks.isEmpty() {
			i.emitTouched(p.session())
		}
	case "server.instance.disposed":
		i.client.pause(disposeGap)
		i.emitTouched("")
	case "hermes.spoke":
		i.hearSpoken(e)
	case "tool.execute.before":
		i.hearCall(propertiesOf(e))
	}
}

// hearState acts on what a session says of itself. Both versions say idle twice at
// the end of a turn, and busy at the begin of every step.
func (i *instance) hearState(e wire.Event) {
	p := propertiesOf(e)
	emit := func(kind question.EventKind, text string) {
		if p.session() == "" {
			return
		}
		i.emitInOrder(question.Event{Kind: kind, Session: p.session(), Text: text})
	}
	switch {
	case e.Type == "session.error":
		i.emitTouched(p.session())
		if !p.Error.IsAbort() {
			first, _, _ := strings.Cut(p.Error.String(), "\n") // 1.18.33 says it again with a stack trace
			emit(question.Failed, first)
		}
	case e.Type == "session.idle" || p.Status.Type == "idle":
		i.emitTouched(p.session())
		emit(question.Rested, "")
	case p.Status.Type == "busy":
		emit(question.Worked, "")
	case p.Status.Type == "retry":
		emit(question.Worked, "")
		emit(question.Retried, p.Status.Message)
	}
}

// hearCall tells a question tool call that is about to run. Its message is not
// known then, nor its request's id.
func (i *instance) hearCall(p eventProperties) {
	if p.Tool != "question" || p.SessionID == "" || p.CallID == "" {
		return
	}
	i.emit(question.Event{Kind: question.Captured, Origin: i.origin, Asks: []question.Ask{{
		Request: question.Request{
			Protocol: question.V1, Session: question.SessionID(p.SessionID),
			Call: question.CallID(p.CallID), Items: wire.Items(p.Args.Questions),
		},
	}}})
}
