package intake

import (
	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// facts are all that the decision looks at.
type facts struct {
	in        inbound.Input
	asks      inbound.Found
	steers    bool // there are sessions that people steer
	sessions  inbound.Steering
	cards     bool // cards are on their way to the chat
	messages  bool // messages about sessions are
	hasWaited bool // it has waited for those
	answer    bool // its writer has said that it is an answer, though it begins like a command
}

// decide says whom an input is for. It is the one place that does; the cases are tried from
// top to bottom.
func decide(f facts) inbound.Recipient {
	switch f.in.Kind {
	case inbound.Tapped:
		return f.ofTap()
	case inbound.Typed:
		if f.in.Forwarded {
			return f.ofForwarded()
		}
		return f.ofText()
	case inbound.Attached:
		if f.in.Forwarded {
			return f.ofForwarded()
		}
		return f.ofFile()
	case inbound.Unsigned:
		return inbound.ForUnsigned
	case inbound.Moved, inbound.Blocked, inbound.Unblocked:
		return inbound.ForChat
	case inbound.Ignored:
	}
	return inbound.ForNothing
}

// ofTap decides about a tap. One that says what a text in doubt is needs no role to say that
// it is an answer, nor does one that says whether what was heard is one.
func (f facts) ofTap() inbound.Recipient {
	meaning := f.in.Button.Kind == inbound.ButtonAnswer || f.in.Button.Kind == inbound.ButtonCommand && f.asks.Drives
	switch session := f.ofSessions(); {
	case !f.asks.Known:
		return inbound.ForStranger
	case session == inbound.ForSession && meaning && f.sessions.Home:
		return inbound.ForMeaning
	case f.asks.Late && f.asks.Drives && f.maySteer():
		return inbound.ForSession
	case f.steers && f.sessions.About && f.sessions.Home && (f.in.Button.Kind == inbound.ButtonSay || f.in.Button.Kind == inbound.ButtonUnsay):
		return inbound.ForHeard
	case session != "":
		return session
	}
	return inbound.ForCard
}

// ofText decides about a text.
func (f facts) ofText() inbound.Recipient {
	session, standing, command := f.ofSessions(), f.asks.Standing, f.in.Command != ""
	cardComes := f.cards && !f.hasWaited && standing != inbound.StandsEnded && !f.sessions.Reply // it may be for that card
	switch {
	case f.asks.Link:
		return inbound.ForLink
	case !f.asks.Known:
		return inbound.ForStranger
	case standing == inbound.StandsOpen && f.asks.Either && !f.answer:
		return f.ofEither()
	case standing == inbound.StandsOpen:
		return inbound.ForCard
	case f.in.Command == "start" && f.in.Private:
		return inbound.ForGreeting
	case f.in.WantsLink():
		return inbound.ForMachine
	case cardComes && !command:
		return inbound.ForLater
	case command && session != "":
		return session
	case standing == inbound.StandsEnded:
		return f.ofEnded()
	case standing == inbound.StandsNoBox:
		return inbound.ForNoBox
	case f.in.ReplyTo != 0 && session != "":
		return session
	case standing == inbound.StandsUnclear:
		return inbound.ForUnclear
	case session != "":
		return session
	case f.in.Private && !command && f.asks.Drives && f.maySteer():
		return inbound.ForSession // which asks for which one it is
	}
	return inbound.ForNobody
}

// ofEnded decides about a reply to an ask that has ended: it is a prompt to the session that
// asked, from who may drive.
func (f facts) ofEnded() inbound.Recipient {
	switch {
	case !f.asks.Prompts || !f.sessions.Reply || !f.maySteer():
		return inbound.ForEnded
	case !f.asks.Drives:
		return inbound.ForNoDriver
	}
	return inbound.ForSession
}

// maySteer reports whether sessions can have what is not about them by itself.
func (f facts) maySteer() bool {
	return f.steers && f.sessions.Home && !f.answer
}

// ofEither decides about a text that can be the answer to an ask, and a command. Where words
// were asked for, or the command is none of hermes', the writer is asked, if they may use
// commands at all. Any other command stands for itself.
func (f facts) ofEither() inbound.Recipient {
	session := f.ofSessions()
	switch {
	case !f.steers:
		return inbound.ForCard
	case (f.asks.Words || !f.sessions.Command) && f.asks.Drives && f.sessions.Home:
		return inbound.ForDoubt
	case !f.asks.Words && f.sessions.Command && session != "":
		return session
	}
	return inbound.ForCard
}

// ofFile decides about a message that is no text. None answers an ask but what is said in a voice
// message, once who spoke has seen it.
func (f facts) ofFile() inbound.Recipient {
	session := f.ofSessions()
	switch {
	case !f.asks.Known:
		return inbound.ForStranger
	case f.asks.Standing == inbound.StandsOpen && f.in.What == chat.Voice && f.sessions.Hears && f.maySteer():
		return inbound.ForVoice
	case f.asks.Standing == inbound.StandsOpen:
		return inbound.ForNoFile
	case f.asks.Standing == inbound.StandsEnded:
		return f.ofEnded()
	case session != "":
		return session
	case f.asks.Standing == inbound.StandsUnclear:
		return inbound.ForNoFile
	case f.in.Private && f.asks.Drives && f.maySteer():
		return inbound.ForSession // which asks for which one it is
	}
	return inbound.ForNobody
}

// ofForwarded decides about what a person did not write themselves. Where it is clear that
// hermes was meant, they are told.
func (f facts) ofForwarded() inbound.Recipient {
	aboutAsk := f.asks.Standing == inbound.StandsOpen || f.asks.Standing == inbound.StandsEnded
	session := f.ofSessions()
	switch {
	case !f.asks.Known:
		return inbound.ForStranger
	case f.in.Private, f.in.ReplyTo != 0 && aboutAsk:
		return inbound.ForNotOwn
	case f.in.ReplyTo != 0 && session != "":
		return session
	}
	return inbound.ForNothing
}

// ofSessions is what an input is for that no ask wants: ForSession, or ForLater if it is about a message that may be one of
// a session's and on its way: a reply to it, or a tap that sends what it keeps; "": neither.
func (f facts) ofSessions() inbound.Recipient {
	written := f.in.Kind == inbound.Typed || f.in.Kind == inbound.Attached
	switch {
	case !f.steers || f.answer:
		return ""
	case f.messages && !f.hasWaited && (written && f.in.ReplyTo != 0 && !f.sessions.Reply || f.in.Button.Kind == inbound.ButtonSend):
		return inbound.ForLater
	case f.sessions.About:
		return inbound.ForSession
	}
	return ""
}
