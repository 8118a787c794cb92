package sessions

import (
	"slices"

	"hermes/internal/inbound"
	"hermes/internal/remote"
)

// subjects finds out what inputs are about. Its methods may be called from anywhere.
type subjects struct {
	*services
	choices *pendingChoices
	hears   bool // voices can be written down
}

// recognize says what sessions know of an input.
func (s *subjects) recognize(in inbound.Input) inbound.Steering {
	_, about := s.targetOf(in)
	_, reply := s.repliedTo(in)
	return inbound.Steering{
		About: about, Reply: reply, Command: in.Kind == inbound.Typed && isCommand(in.Command), Home: s.chats.isSetUp(in.Chat), Hears: s.hears,
	}
}

// unfitReason is why an input does not count, whoever it is from; "": it may.
func (s *subjects) unfitReason(in inbound.Input) remote.MessageKind {
	switch {
	case in.Forwarded:
		return remote.TellForward
	case !s.chats.isSetUp(in.Chat):
		return remote.TellNotHere
	}
	return ""
}

// targetOf says what an input is about; false: nothing of sessions. What a choice decides that
// is not made yet is about whichever session the chat uses then.
func (s *subjects) targetOf(in inbound.Input) (target, bool) {
	open := in.Private && isPlain(in) && s.choices.isOpen(in.Chat) // looked at first: what ends meanwhile has changed the settings by then
	to, ok := s.namedBy(in)
	if open {
		return target{}, true
	}
	return to, ok
}

// namedBy is targetOf by what the input says and the chat uses now. In groups other bots have
// commands too, so there only those of sessions are taken.
func (s *subjects) namedBy(in inbound.Input) (target, bool) {
	switch {
	case in.Kind == inbound.Tapped:
		return target{}, in.Button.Kind != ""
	case in.Kind != inbound.Attached && (in.Kind != inbound.Typed || in.Command == "start"):
		return target{}, false
	}
	to, isReply := s.repliedTo(in)
	chat := s.chats.settings(in.Chat)
	command := in.Kind == inbound.Typed && in.Command != "" // a caption's needs a session
	switch {
	case isReply, command && isCommand(in.Command), command && in.Private && in.ReplyTo == 0:
		return to, true
	case in.Private && chat.Session != "":
		return sessionInUse(chat), true
	}
	return target{}, false
}

// repliedTo is the session that the message belongs to which the input replies to. What
// is to begin nothing is no answer to a question there, as that begins a turn; nor is a file that
// replies to a card.
func (s *subjects) repliedTo(in inbound.Input) (target, bool) {
	if in.ReplyTo == 0 {
		return target{}, false
	}
	to, found := s.store.sessionOf(in.Chat, in.ReplyTo)
	if in.Command == "noreply" || in.Kind == inbound.Attached && to.asked {
		to.answers = ""
	}
	return to, found
}

// isCommand reports whether a command is one of Commands.
func isCommand(name string) bool { return slices.Contains(Commands(), name) }
