package preview

import (
	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/opencode/wire"
)

// Hear reads the events that say something of an ask.
func (p Protocol) Hear(e wire.Event) (said []event.Event, known bool) {
	switch e.Type {
	case "question.v2.asked":
		return wire.Asked[wire.QuestionAsk](e, session.Preview), true
	case "question.v2.replied":
		return e.QuestionReplied(), true
	case "question.v2.rejected":
		return e.QuestionRejected(), true
	case "permission.v2.asked":
		return wire.Asked[permissionAsk](e, session.Preview), true
	case "permission.v2.replied":
		return e.PermissionReplied(), true
	case "session.next.tool.failed": // all that an interrupt says
		return e.Touched(), true
	}
	return nil, false
}
