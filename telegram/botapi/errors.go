package botapi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/session"
)

// Error is a Bot API call that failed. Its text holds no secret.
type Error struct {
	Op         string // the Bot API method
	Reason     Reason
	Code       int           // as the Bot API gave it; 0: there was no answer that is one
	RetryAfter time.Duration // Flood: not before
	Unknown    bool          // the request may have been carried out
	MovedTo    chat.ID       // Moved
	Detail     string        // what Telegram or the network said, redacted
	cause      error         // context.Canceled, context.DeadlineExceeded or nil
}

// Reason is why a call failed. The set is closed; it is a metric label.
type Reason string

const (
	Flood        Reason = "flood"    // 429
	BadToken     Reason = "token"    // 401, or 404 for the whole path
	Conflict     Reason = "conflict" // 409: another poller, or a webhook
	Network      Reason = "network"  // no answer
	Server       Reason = "server"   // 5xx, or an answer that is not the Bot API's
	Blocked      Reason = "blocked"  // the bot was blocked, kicked, or never started
	ChatNotFound Reason = "chat-not-found"
	NoRights     Reason = "no-rights"
	TopicGone    Reason = "topic-gone"
	NoTopics     Reason = "no-topics"    // to make one: the chat is no forum
	Moved        Reason = "moved"        // the group became a supergroup
	MessageGone  Reason = "message-gone" // to edit: deleted, or not editable
	NoReply      Reason = "no-reply"     // the message to be replied to is gone
	NoText       Reason = "no-text"      // to edit: the message is a file, or has no caption either
	Unchanged    Reason = "unchanged"    // edited to what it was: a success
	Markup       Reason = "markup"       // the HTML was not understood
	ButtonURL    Reason = "button-url"   // the address of a button was not taken
	TooOld       Reason = "too-old"      // the callback query: a success
	TooLarge     Reason = "too-large"    // the file: for the Bot API, or for who wants it
	FileGone     Reason = "file-gone"    // there is no such file, or none that can be got from here
	Refused      Reason = "refused"      // any other 4xx: a bug here or news there
	Stopping     Reason = "stopping"     // the Bot was closed before the call
	Full         Reason = "full"         // not sent: too many answers wait in the chat
	Store        Reason = "store"        // not Telegram: the inbox failed
)

// Reasons are all reasons.
func Reasons() []Reason {
	return []Reason{
		Flood, BadToken, Conflict, Network, Server, Blocked, ChatNotFound, NoRights,
		TopicGone, NoTopics, Moved, MessageGone, NoReply, NoText, Unchanged, Markup, ButtonURL, TooOld, TooLarge, FileGone, Refused, Stopping, Full, Store,
	}
}

func (e *Error) Error() string {
	text := fmt.Sprintf("telegram %s: %s", e.Op, e.Reason)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// Unwrap is the context's error, if that ended the call.
func (e *Error) Unwrap() error { return e.cause }

// Is makes what has a name in the domain known to those who know no Telegram.
func (e *Error) Is(target error) bool {
	return target == outbound.ErrTopicGone && e.Reason == TopicGone || target == session.ErrTooLarge && e.Reason == TooLarge
}

// Successor is the supergroup that the chat has become; 0: none.
func (e *Error) Successor() chat.ID { return e.MovedTo }

// Temporary reports whether the same call may succeed later. So may one that was refused for the token: a Bot API
// server answers 401 also of a good one, while it makes itself a new session (Client.cpp:16271-16298).
func (e *Error) Temporary() bool {
	switch e.Reason {
	case BadToken, Flood, Conflict, Network, Server, Stopping, Store:
		return true
	}
	return false
}

// Said is what Telegram or the network said, for a sentence that names the rest.
func (e *Error) Said() string {
	if e.Code == 0 {
		return e.Detail
	}
	return strings.TrimSpace(strconv.Itoa(e.Code) + " " + e.Detail)
}

// Refused is why nothing can be shown in the chat now, or "". Few of the causes end with an update that says so:
// none comes when somebody presses Start for the first time, when the members of a group may write again (Client.cpp:8975),
// or after a passing "chat not found", which stands for every refusal of getChat (Client.cpp:6571, telegram-bot-api 01a3679).
func (e *Error) Refused() string {
	switch e.Reason {
	case Blocked, ChatNotFound, NoRights, TopicGone:
		return string(e.Reason)
	}
	return ""
}

// AsError finds the [*Error] in what a call failed with. Anything else counts as an answer that cannot be read.
func (c *Client) AsError(op string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Op: op, Reason: Server, Unknown: true, Detail: c.Redact(err.Error())}
}

// ReasonOf returns the reason of any error: Network for one that is not an *Error.
func ReasonOf(err error) Reason {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return Network
}
