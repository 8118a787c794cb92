package botapi

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/secret"
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
	TooLong      Reason = "too-long"     // the text: it has to come in smaller parts
	TooLarge     Reason = "too-large"    // the file: for the Bot API, or for who wants it
	FileGone     Reason = "file-gone"    // there is no such file, or none that can be got from here
	Frozen       Reason = "frozen"       // Telegram has frozen the bot
	LoggedOut    Reason = "logged-out"   // of this Bot API server: it was moved to another one
	Refused      Reason = "refused"      // any other 4xx: a bug here or news there
	Stopping     Reason = "stopping"     // the Bot was closed before the call
	Full         Reason = "full"         // not sent: too many answers wait in the chat
	Store        Reason = "store"        // not Telegram: the store failed
)

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
	case BadToken, LoggedOut, Flood, Conflict, Network, Server, Stopping, Store:
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
	case Blocked, ChatNotFound, NoRights, TopicGone, Frozen, LoggedOut:
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

// classify reads an error answer. What is matched of a description is in words.
func classify(code int, description string) Reason {
	switch {
	case code == 429:
		return Flood
	case code == 401:
		return BadToken
	case code == 404 && !strings.Contains(description, "method"):
		return BadToken
	case code == 409:
		return Conflict
	case code >= 500:
		return Server
	}
	text := strings.ToLower(description)
	for _, w := range knownDescriptions() {
		if strings.Contains(text, w.part) {
			return w.reason
		}
	}
	if code == 403 {
		return Blocked
	}
	return Refused
}

// wording is a part of descriptions, in lower case, and what it means.
type wording struct {
	part   string
	reason Reason
}

// knownDescriptions are those of the Bot API server and of TDLib in it, which put their own texts for
// some of MTProto's errors and pass the names of all others on. The test has each of
// them whole, with its source. The first that fits counts.
func knownDescriptions() []wording {
	return []wording{
		{"logged out", LoggedOut},
		{"frozen_method_invalid", Frozen},
		{"message is not modified", Unchanged},
		{"topic_not_modified", Unchanged},
		{"can't parse entities", Markup},
		{"inline keyboard button url", ButtonURL},
		{"button_url_invalid", ButtonURL},
		{"query is too old", TooOld},
		{"message is too long", TooLong},
		{"message_too_long", TooLong},
		{"file is too big", TooLarge},
		{"file is temporarily unavailable", Server},
		{"invalid file_id", FileGone},
		{"message to edit not found", MessageGone},
		{"message not found", MessageGone},
		{"message to delete not found", MessageGone},
		{"message can't be edited", MessageGone},
		{"no text in the message to edit", NoText},
		{"no caption in the message to edit", NoText},
		{"reply_message_id_invalid", NoReply},
		{"message_id_invalid", MessageGone},
		{"message to be replied not found", NoReply},
		{"message thread not found", TopicGone},
		{"topic_deleted", TopicGone},
		{"topic_closed", TopicGone},
		{"topic_id_invalid", TopicGone},
		{"not a forum", NoTopics},
		{"not a supergroup forum", NoTopics},
		{"bot_forum_create_forbidden", NoTopics},
		{"chat not found", ChatNotFound},
		{"peer_id_invalid", ChatNotFound},
		{"channel_private", Blocked},
		{"user_banned_in_channel", Blocked},
		{"not enough rights", NoRights},
		{"have no write access", NoRights},
		{"need administrator rights", NoRights},
		{"chat_write_forbidden", NoRights},
		{"chat_restricted", NoRights},
		{"chat_admin_required", NoRights},
		{"chat_send_plain_forbidden", NoRights},
		{"chat_send_docs_forbidden", NoRights},
		{"chat_send_media_forbidden", NoRights},
	}
}

// newRedactor returns a function that takes the secrets out of a text, as they are and as
// URLs spell them, and the part of the token after its colon.
func newRedactor(token secret.Text, secrets ...secret.Text) func(string) string {
	var forms []string
	_, key, _ := strings.Cut(token.Reveal(), ":")
	for _, s := range append([]secret.Text{token, secret.Text(key)}, secrets...) {
		raw := s.Reveal()
		forms = append(forms, raw, url.PathEscape(raw), url.QueryEscape(raw))
	}
	forms = slices.DeleteFunc(forms, func(form string) bool { return form == "" })
	// The longest first: a replacer takes the first that fits.
	slices.SortStableFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, form := range slices.Compact(forms) {
		pairs = append(pairs, form, "***")
	}
	return strings.NewReplacer(pairs...).Replace
}
