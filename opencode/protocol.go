package opencode

import (
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/call"
	v1 "hermes/opencode/v1"
	v2 "hermes/opencode/v2"
	"hermes/opencode/wire"
)

// protocol is one of OpenCode's protocols: how its asks are listed, heard, answered and
// looked up. It only says what to call and what the answers mean; a Client calls.
type protocol interface {
	Name() session.Protocol
	In(version string) bool // an OpenCode of this version has it
	routes
	messages
	evidence

	// Hear reads the events that say something of an ask, or of what a session does. Other
	// events are not known. Of one that makes no sense nothing is said.
	Hear(e wire.Event) (said []event.Event, known bool)
}

// routes are where a protocol's asks are listed and answered.
type routes interface {
	Questions(directory string) call.Reading[[]question.Request]
	Permissions(directory string) call.Reading[[]question.Request]
	Reply(directory string, r question.Request, answers question.Answers) call.Call
	Reject(directory string, r question.Request, note string) call.Call
}

// messages are where the tool call of an ask is.
type messages interface {
	// Message reads the message that the ask's tool call is in.
	Message(directory string, r question.Request) call.Reading[wire.Message]
	// LastMessages reads the messages in which a call may be of which no message is known;
	// false: no such call can be found.
	LastMessages(directory string, id session.ID) (call.Reading[[]wire.Message], bool)
}

// evidence is what proves the end of an ask.
type evidence interface {
	// ListedWaits reports whether an agent waits for every ask that is listed. Else the
	// status of sessions, and LastMessages, tell.
	ListedWaits() bool
	// Active reads which sessions work; false: the status of sessions says it.
	Active() (call.Reading[map[session.ID]bool], bool)
	// Failed is what became of an ask whose tool call failed with this text.
	Failed(r question.Request, text string) event.Finding
}

// keeper is a protocol whose OpenCode keeps what became of an ask; without it, the lists and
// the tool call tell.
type keeper interface {
	protocol
	// State reads what is kept of an ask. That is conclusive, but for event.FoundCancelled. The
	// error is NotFound for what is gone. False: the ask has no id yet.
	State(directory string, r question.Request) (call.Reading[event.Finding], bool)
	// Gone is what became of an ask that by its State was cancelled or is gone. since are the
	// session's messages from the one that asked, the newest last; without that one if it is not
	// there, and with an empty one for those that were not read. works: the session does.
	Gone(r question.Request, cancelled bool, since []wire.Message, works bool) event.Finding
}

// protocols are all that hermes speaks. The first is that of ordinary sessions of OpenCode 1.x.
func protocols() []protocol { return []protocol{v1.Protocol{}, v2.Protocol{}} }

// protocolOf is the protocol of an ask; the first, if it names none.
func protocolOf(r question.Request) protocol {
	all := protocols()
	for _, p := range all {
		if p.Name() == r.Protocol {
			return p
		}
	}
	return all[0]
}

// protocolsOf are those that a version has. The first of them has every ordinary session.
func protocolsOf(version string) []protocol {
	var list []protocol
	for _, p := range protocols() {
		if p.In(version) {
			list = append(list, p)
		}
	}
	return list
}
