package sessions

import (
	"errors"
	"slices"
	"time"

	"hermes/internal/pace"
	"hermes/internal/question"
)

// How often one person is answered who only wants to be told something: so many times at
// once, and once more after each while. Prompts and what changes something have no such
// limit.
const (
	replyBurst = 10
	replyEvery = 6 * time.Second
	// refuseEvery is the same for being told that something does not count.
	refuseEvery = time.Minute
)

// errNotHome says that a chat is none in which anything is told of sessions.
var errNotHome = errors.New("hermes is not set up for this chat")

// asksOnly reports whether a command changes nothing.
func asksOnly(in question.Input) bool {
	some := arguments(in.Text) != ""
	switch in.Command {
	case "new", "abort", "follow":
		return false
	case "use":
		return !some && in.ReplyTo == 0
	case "agent", "model", "run", "noreply", "level", "mute":
		return !some
	}
	return true
}

// mayReply reports whether a person may be told one more thing. If not, the input is let
// go of, and they are told once that some of it is left out.
func (d *Desk) mayReply(in question.Input) bool {
	verdict := d.replies.Take(int64(in.User.ID), time.Now())
	if verdict == pace.Yes {
		return true
	}
	if d.finish(in, question.Change{}) == nil && verdict == pace.Last {
		d.say(in, question.Telling{Kind: question.TellPaced})
	}
	if d.config.Skipped != nil {
		d.config.Skipped()
	}
	return false
}

// mayRefuse reports whether a person may be told once more that something does not count.
func (d *Desk) mayRefuse(in question.Input) bool {
	return d.refusals.Take(int64(in.User.ID), time.Now()) == pace.Yes
}

// unfit is why an input does not count, whoever it is from; "": it may. It is called beside
// the loop.
func (d *Desk) unfit(in question.Input) question.TellingKind {
	switch {
	case in.Forwarded:
		return question.TellForward
	case !d.setUp(in.Chat):
		return question.TellNotHere
	}
	return ""
}

// passOver lets go of an input that does not count, and says so.
func (d *Desk) passOver(in question.Input, why question.TellingKind) {
	if d.finish(in, question.Change{}) != nil {
		return
	}
	switch {
	case in.Kind == question.Tapped:
		d.config.Chat.Answer(in.Callback, question.Alert{Kind: question.AlertNotHere}, in.User.Lang)
	case d.mayRefuse(in):
		d.say(in, question.Telling{Kind: why})
	}
}

// silent reports whether a message must not be told in its chat: anything about sessions
// where hermes is not set up, whatever was settled there before.
func (d *Desk) silent(t question.Telling) bool {
	return t.Kind != question.TellNotHere && t.Kind != question.TellForward && !d.setUp(t.Chat)
}

// setUp reports whether hermes is set up for a chat, or for the group that it was: the desk
// may hear first, from what it sends there, that a group has become another one. It may be
// called beside the loop.
func (d *Desk) setUp(chat question.ChatID) bool {
	return d.config.Home(chat) || slices.ContainsFunc(d.moves.into(chat), d.config.Home)
}
