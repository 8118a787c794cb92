package inbound

import (
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
)

// Input is something that a person did in a chat, or that Telegram says of a chat.
type Input struct {
	Kind    InputKind
	Update  chat.UpdateID
	Chat    chat.ID
	Topic   int
	Private bool           // the chat is between the bot and one person
	Title   string         // of a group
	Forum   bool           // the group has topics
	Message chat.MessageID // tapped, or the typed or attached message itself
	User    chat.User
	Sent    time.Time // of a typed or attached message, by Telegram's clock

	Callback string               // Tapped: to be acknowledged by this name
	Thread   question.ID          // Tapped: from the button; empty if the button is not hermes'
	Move     question.WizardInput // Tapped: from the button
	Button   Button               // Tapped: from a button about sessions; else zero

	Text    string         // Typed; Attached: the caption, which may be empty
	ReplyTo chat.MessageID // Typed, Attached: 0 when it is no reply
	ToBox   bool           // Typed, Attached: what it replies to is the bot's, and looks like a ReplyBox
	Command string         // Typed, Attached: "start" for /start; empty when it is no command

	What  chat.Media // Attached: what was sent
	File  chat.File  // Attached: its ID is empty when there is nothing to fetch
	Album string     // Attached: the same for all messages that are shown as one; empty: it stands alone

	// Step: Attached, and the text that is made of a voice message: the step of the ask at which it was said, from 1; 0: any.
	Step int

	// Forwarded: Typed, Attached: the person has passed it on from elsewhere, or had another
	// bot write it. It is not what they say, and none of it is an answer, a command or a prompt.
	Forwarded bool

	NewChat chat.ID // Moved

	// Rest: Typed, Attached: the messages that its sender's client sent with it, as the rest of
	// a text, or as files that are shown as one. A text is whole then, in Text.
	Rest []Input

	// Late: it is an answer to an ask that has ended, or may have been meant as one, and the session that asked takes
	// prompts: its writer is asked whether it is to be one.
	Late bool
}

// Author is who did it, as the journal names people.
func (in Input) Author() question.Actor {
	return question.Actor{Kind: question.Person, User: in.User.ID, Name: in.User.Name, Chat: in.Chat}
}

// Updates are the updates that the input came in.
func (in Input) Updates() []chat.UpdateID {
	ids := []chat.UpdateID{in.Update}
	for _, more := range in.Rest {
		ids = append(ids, more.Update)
	}
	return ids
}

// Messages are the messages that the input came in.
func (in Input) Messages() []chat.MessageID {
	ids := []chat.MessageID{in.Message}
	for _, more := range in.Rest {
		ids = append(ids, more.Message)
	}
	return ids
}

// InputKind is the closed set of inputs.
type InputKind string

const (
	Tapped    InputKind = "tapped"    // a button
	Typed     InputKind = "typed"     // a text message
	Attached  InputKind = "attached"  // a message that is no text: What it is, perhaps with a File and a caption
	Unsigned  InputKind = "unsigned"  // a text of an anonymous admin, or in a channel's name: nobody can tell whose
	Moved     InputKind = "moved"     // the group became the supergroup NewChat
	Blocked   InputKind = "blocked"   // the bot can write there no more
	Unblocked InputKind = "unblocked" // it can again
	Ignored   InputKind = "ignored"   // nothing for hermes, which only consumes the update
)

// WantsLink reports whether it is /link and nothing else, which is never an answer: like /start it is not for the ask of a chat.
func (in Input) WantsLink() bool {
	return in.Kind == Typed && in.Command == "link" && in.ReplyTo == 0 && len(strings.Fields(in.Text)) == 1
}
