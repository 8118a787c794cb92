package opencode

import (
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/v1"
)

// told is what the event stream of a server tells of its turns. A nil one tells nothing.
type told struct {
	turns *v1.Turns
	// whole reports whether all that has come of the stream by now was heard; nil: that is
	// never certain, and the stream proves nothing.
	whole func() bool
}

// waits reports whether it is certain that an ask waits. That it does not says nothing.
func (t *told) waits(r question.Request) bool {
	// In this order: what Waits says is then true of a moment at which all was heard.
	return t != nil && t.whole != nil && hasTurns(r) && t.whole() && t.turns.Waits(r)
}

// spend forgets what is certain of an ask for which an answer is sent: another one needs a
// look.
func (t *told) spend(r question.Request) {
	if t != nil {
		t.turns.Doubt(r)
	}
}

// agent is who asks; empty: it was not told.
func (t *told) agent(r question.Request) string {
	if t == nil || !hasTurns(r) {
		return ""
	}
	return t.turns.Agent(r)
}

// looking is called before a look; it gives what is to be called with each finding of it.
func (t *told) looking() (found func(question.Request, event.Finding)) {
	if t == nil {
		return func(question.Request, event.Finding) {}
	}
	mark := t.turns.Mark()
	return func(r question.Request, f event.Finding) {
		if f.Kind == event.FoundOpen && hasTurns(r) {
			t.turns.Seen(mark, r)
		}
	}
}

// hasTurns reports whether an ask belongs to an ordinary session of 1.x: of no other is it
// known what its events promise.
func hasTurns(r question.Request) bool { return protocolOf(r).Name() == session.V1 }
