package updates

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/telegram/callback"
	"hermes/telegram/markup"
)

// The parts of a Bot API update that hermes reads. They are few on purpose: a
// kind of attachment that is new tomorrow cannot make an update unreadable.
type (
	wireUpdate struct {
		ID      chat.UpdateID `json:"update_id"`
		Message *wireMessage  `json:"message"`
		Tap     *wireTap      `json:"callback_query"`
		Member  *wireMember   `json:"my_chat_member"`
	}
	wireMessage struct {
		ID        chat.MessageID  `json:"message_id"`
		Topic     int             `json:"message_thread_id"`
		InTopic   bool            `json:"is_topic_message"`
		Date      int64           `json:"date"`
		Chat      wireChat        `json:"chat"`
		From      *wireUser       `json:"from"`
		Sender    *wireChat       `json:"sender_chat"`
		Reply     *wireRef        `json:"reply_to_message"`
		Text      string          `json:"text"`
		Forward   json.RawMessage `json:"forward_origin"`
		Forwarded int64           `json:"forward_date"` // before Bot API 7.0
		Via       json.RawMessage `json:"via_bot"`
		MigrateTo chat.ID         `json:"migrate_to_chat_id"`
		Caption   string          `json:"caption"`
		Album     string          `json:"media_group_id"`
		wireContent
	}
	wireRef struct {
		ID     chat.MessageID `json:"message_id"`
		From   *wireUser      `json:"from"`
		Sender *wireChat      `json:"sender_chat"`
		Text   string         `json:"text"`
	}
	wireChat struct {
		ID    chat.ID `json:"id"`
		Type  string  `json:"type"`
		Title string  `json:"title"`
		Forum bool    `json:"is_forum"`
	}
	wireUser struct {
		ID    chat.UserID `json:"id"`
		Bot   bool        `json:"is_bot"`
		First string      `json:"first_name"`
		Last  string      `json:"last_name"`
		Nick  string      `json:"username"`
		Lang  string      `json:"language_code"`
	}
	wireTap struct {
		ID      string       `json:"id"`
		From    wireUser     `json:"from"`
		Message *wireMessage `json:"message"` // or an InaccessibleMessage, with date 0
		Data    string       `json:"data"`
	}
	wireMember struct {
		Chat wireChat `json:"chat"`
		From wireUser `json:"from"`
		New  struct {
			Status  string `json:"status"`
			Member  bool   `json:"is_member"`
			CanSend bool   `json:"can_send_messages"`
		} `json:"new_chat_member"`
	}
)

// Users that stand for somebody else: Telegram itself, an anonymous group
// admin, and a channel that posts in a group. Anyone could act under them.
const (
	serviceUser = 777000
	groupAdmin  = 1087968824
	channelUser = 136817688
)

// Decode decodes one update that was sent to the bot. Whatever is nothing for hermes becomes Ignored; an
// error, also in place of a panic, means that it cannot be decoded.
func Decode(u chat.Update, bot chat.UserID) (in inbound.Input, err error) {
	defer func() {
		if p := recover(); p != nil {
			in, err = inbound.Input{}, errors.New("decoding panics")
		}
	}()
	var w wireUpdate
	if err := json.Unmarshal(u.Raw, &w); err != nil {
		return inbound.Input{}, fmt.Errorf("not readable as a Bot API update: %s", kindOf(err))
	}
	in = w.input(bot)
	in.Update = u.ID
	return in, nil
}

// kindOf names the error without the update's text.
func kindOf(err error) string {
	var field *json.UnmarshalTypeError
	if errors.As(err, &field) {
		return "field " + field.Field + " is of another type"
	}
	return "no JSON object"
}

func (w wireUpdate) input(bot chat.UserID) inbound.Input {
	switch {
	case w.Tap != nil:
		return w.Tap.input()
	case w.Message != nil:
		return w.Message.input(bot)
	case w.Member != nil:
		return w.Member.input()
	}
	return inbound.Input{Kind: inbound.Ignored}
}

func (t *wireTap) input() inbound.Input {
	if t.Message == nil || t.Message.Chat.ID == 0 || !t.From.isPerson() {
		return inbound.Input{Kind: inbound.Ignored} // an inline message: hermes sends none
	}
	in := t.Message.baseInput(inbound.Tapped, &t.From)
	in.Callback = t.ID
	if id, move, ok := callback.DecodeMove(t.Data); ok {
		in.Thread, in.Move = id, move
	} else if order, ok := callback.DecodeOrder(t.Data); ok {
		in.Button, in.Thread = order, order.Thread
	}
	return in
}

func (m *wireMessage) input(bot chat.UserID) inbound.Input {
	switch {
	case m.MigrateTo != 0:
		in := m.baseInput(inbound.Moved, m.From)
		in.NewChat = m.MigrateTo
		return in
	case m.Text == "":
		return m.mediaInput(bot)
	case m.Chat.ID == 0 || m.From == nil:
		return m.baseInput(inbound.Ignored, m.From)
	case m.Sender != nil || m.From.ID == groupAdmin || m.From.ID == channelUser:
		in := m.baseInput(inbound.Unsigned, nil)
		in.ReplyTo = m.repliedTo()
		return in
	case !m.From.isPerson():
		return m.baseInput(inbound.Ignored, m.From)
	}
	return m.textInput(inbound.Typed, m.Text, bot)
}

// textInput is what a person wrote.
func (m *wireMessage) textInput(kind inbound.InputKind, text string, bot chat.UserID) inbound.Input {
	in := m.baseInput(kind, m.From)
	in.Text, in.Sent, in.Command = text, time.Unix(m.Date, 0), commandIn(text)
	in.ReplyTo = m.repliedTo()
	in.ToBox = in.ReplyTo != 0 && m.Reply.opensBox(bot, m.Chat.ID)
	in.Forwarded = isPresent(m.Forward) || m.Forwarded != 0 || isPresent(m.Via)
	return in
}

func isPresent(field json.RawMessage) bool { return len(field) > 0 && string(field) != "null" }

// repliedTo is the message that this one replies to, 0 for none. In a topic of a supergroup every
// message that replies to none replies to the topic's first (Client.cpp:18382-18403). In a private chat none does, and topics are
// numbered apart from messages.
func (m *wireMessage) repliedTo() chat.MessageID {
	if m.Reply == nil || m.InTopic && m.Chat.Type != "private" && int(m.Reply.ID) == m.Topic {
		return 0
	}
	return m.Reply.ID
}

func (m *wireMessage) baseInput(kind inbound.InputKind, from *wireUser) inbound.Input {
	in := inbound.Input{Kind: kind, Chat: m.Chat.ID, Private: m.Chat.Type == "private", Title: markup.OneLine(m.Chat.Title), Forum: m.Chat.Forum, Message: m.ID}
	if m.InTopic {
		in.Topic = m.Topic
	}
	if from != nil {
		in.User = from.user()
	}
	return in
}

func (m *wireMember) input() inbound.Input {
	in := inbound.Input{Kind: inbound.Ignored, Chat: m.Chat.ID, Private: m.Chat.Type == "private", User: m.From.user()}
	switch m.New.Status {
	case "kicked", "left":
		in.Kind = inbound.Blocked
	case "member", "administrator", "creator":
		in.Kind = inbound.Unblocked
	case "restricted":
		in.Kind = inbound.Blocked
		if m.New.Member && m.New.CanSend {
			in.Kind = inbound.Unblocked
		}
	}
	return in
}

func (u *wireUser) isPerson() bool {
	return !u.Bot && u.ID > 0 && u.ID != serviceUser && u.ID != groupAdmin && u.ID != channelUser
}

func (u *wireUser) user() chat.User {
	name := strings.TrimSpace(u.First + " " + u.Last)
	return chat.User{ID: u.ID, Name: markup.OneLine(name), Username: u.Nick, Lang: u.Lang}
}

var commandForm = regexp.MustCompile(`^/([A-Za-z0-9_]{1,32})(@[A-Za-z0-9_]+)?(\s|$)`)

// commandIn returns the bot command that a text begins with: "start" for /start
// and /start@bot, "" for /etc/hosts.
func commandIn(text string) string {
	if m := commandForm.FindStringSubmatch(text); m != nil {
		return strings.ToLower(m[1])
	}
	return ""
}

// opensBox reports whether a message that somebody replies to looks like a reply box of the bot's own. A bot that is an anonymous
// administrator of a supergroup writes in the group's name (Bot API Message.sender_chat).
func (r *wireRef) opensBox(bot chat.UserID, in chat.ID) bool {
	anonymous := r.From != nil && r.From.ID == groupAdmin && r.Sender != nil && r.Sender.ID == in
	return r.From != nil && r.From.Bot && (r.From.ID == bot || anonymous) && strings.HasPrefix(r.Text, callback.ReplyBoxSign+" ")
}
