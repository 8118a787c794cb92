package telegram

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
	lru "github.com/hashicorp/golang-lru/v2"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/telegram/botapi"
	"hermes/telegram/markup"
	"hermes/telegram/outbox"
	"hermes/telegram/ui"
	"hermes/telegram/updates"
)

// message is one message to be sent or to be edited into.
type message struct {
	text   markup.Text
	keys   *models.InlineKeyboardMarkup
	silent bool
	topic  int
	reply  chat.MessageID
	box    *models.ForceReply // in place of keys: the message opens the reply box
}

// sender sends, edits and deletes messages, each in a job of its chat's queue. Its errors are
// *Error.
type sender struct {
	api    *botapi.Client
	log    *slog.Logger
	screen *screen
	files  *lru.Cache[chat.ID, time.Time] // until when chats that took no file are offered none
}

// send makes one attempt to send the message, and a second, plainer one when
// Telegram does not understand the markup, or does not take the address of a button.
func (s *sender) send(ctx context.Context, c *outbox.Chat, m message) (sentMessage, error) {
	params := &tg.SendMessageParams{
		ChatID: int64(c.ID()), MessageThreadID: botapi.Thread(m.topic), Text: m.text.HTML(), ParseMode: models.ParseModeHTML,
		LinkPreviewOptions: noPreview(), DisableNotification: m.silent, ReplyParameters: replyTo(m.reply),
	}
	switch {
	case m.box != nil:
		params.ReplyMarkup = m.box
	case m.keys != nil:
		params.ReplyMarkup = m.keys
	}
	var sent *models.Message
	try := func(ctx context.Context) (err error) {
		sent, err = s.api.SendMessage(ctx, params)
		return err
	}
	err := s.call(ctx, c, "sendMessage", try)
	if err != nil && botapi.ReasonOf(err) == botapi.NoReply { // allowed or not: TDLib knew the message that is gone (MessagesManager.cpp:28042)
		params.ReplyParameters = nil
		err = s.call(ctx, c, "sendMessage", try)
	}
	if keys := withoutLinks(m.keys); keys != nil && botapi.ReasonOf(err) == botapi.ButtonURL {
		params.ReplyMarkup = keys
		err = s.call(ctx, c, "sendMessage", try)
	}
	if botapi.ReasonOf(err) == botapi.Markup && err != nil {
		params.Text, params.ParseMode = m.text.Unmarked(), ""
		err = s.call(ctx, c, "sendMessage", try)
	}
	if err != nil {
		return sentMessage{}, err
	}
	id := chat.MessageID(sent.ID)
	s.screen.put(c.ID(), id, m)
	return sentMessage{id, time.Unix(int64(sent.Date), 0)}, nil
}

// sentMessage is a message as Telegram confirmed it.
type sentMessage struct {
	id chat.MessageID
	at time.Time // by Telegram's clock, in whole seconds
}

// edit makes the message be what it should be. It makes no call when it is so.
func (s *sender) edit(ctx context.Context, c *outbox.Chat, id chat.MessageID, m message) error {
	if s.screen.has(c.ID(), id, m) {
		return nil
	}
	params := &tg.EditMessageTextParams{
		ChatID: int64(c.ID()), MessageID: int(id), Text: m.text.HTML(), ParseMode: models.ParseModeHTML, LinkPreviewOptions: noPreview(),
	}
	if m.keys != nil {
		params.ReplyMarkup = m.keys
	}
	try := func(ctx context.Context) error { return s.api.EditMessageText(ctx, params) }
	s.screen.forget(c.ID(), id) // until the outcome is known
	err := s.call(ctx, c, "editMessageText", try)
	if keys := withoutLinks(m.keys); keys != nil && botapi.ReasonOf(err) == botapi.ButtonURL {
		params.ReplyMarkup = keys
		err = s.call(ctx, c, "editMessageText", try)
	}
	if err != nil && botapi.ReasonOf(err) == botapi.Markup {
		params.Text, params.ParseMode = m.text.Unmarked(), ""
		err = s.call(ctx, c, "editMessageText", try)
	}
	if err == nil || botapi.ReasonOf(err) == botapi.Unchanged {
		s.screen.put(c.ID(), id, m)
		return nil
	}
	return err
}

// remove deletes a message. One that cannot be deleted any more (Bot API deleteMessage: after 48
// hours) is edited instead.
func (s *sender) remove(ctx context.Context, c *outbox.Chat, id chat.MessageID, otherwise message) error {
	err := s.call(ctx, c, "deleteMessage", func(ctx context.Context) error {
		return s.api.DeleteMessage(ctx, &tg.DeleteMessageParams{ChatID: int64(c.ID()), MessageID: int(id)})
	})
	s.screen.forget(c.ID(), id)
	var e *Error
	if err == nil || errors.As(err, &e) && e.Temporary() {
		return err
	}
	return s.edit(ctx, c, id, otherwise)
}

// document is a text that is sent as a file.
type document struct {
	name, text, caption string
	topic               int
	reply               chat.MessageID
}

// sendFile sends a document. Where the right to is missing, the chat is offered no file for a while.
func (s *sender) sendFile(ctx context.Context, c *outbox.Chat, d document) (chat.MessageID, error) {
	var sent *models.Message
	err := s.call(ctx, c, "sendDocument", func(ctx context.Context) (err error) {
		sent, err = s.api.SendDocument(ctx, &tg.SendDocumentParams{
			ChatID: int64(c.ID()), MessageThreadID: botapi.Thread(d.topic), Caption: d.caption, DisableNotification: true, ReplyParameters: replyTo(d.reply),
			Document: &models.InputFileUpload{Filename: d.name, Data: strings.NewReader(d.text)},
		})
		return err
	})
	if err != nil && botapi.ReasonOf(err) == botapi.NoRights {
		s.log.Warn("a chat takes no files; what is too long for messages is not shown whole there", "chat", c.ID())
		s.files.Add(c.ID(), time.Now().Add(fileAgain))
	}
	if err != nil {
		return 0, err
	}
	return chat.MessageID(sent.ID), nil
}

// takesNoFile reports whether the chat has refused a file of late.
func (s *sender) takesNoFile(c *outbox.Chat) bool {
	until, ok := s.files.Peek(c.ID())
	return ok && time.Now().Before(until)
}

// call waits for the chat's turn and makes one call.
func (s *sender) call(ctx context.Context, c *outbox.Chat, op string, call func(context.Context) error) error {
	wait := c.Call
	if op == "editMessageText" {
		wait = c.Edit
	}
	if err := wait(ctx, outgoingTimeout, call); err != nil {
		return s.api.AsError(op, err)
	}
	return nil
}

func noPreview() *models.LinkPreviewOptions {
	return &models.LinkPreviewOptions{IsDisabled: tg.True()}
}

func replyTo(id chat.MessageID) *models.ReplyParameters {
	if id == 0 {
		return nil
	}
	return &models.ReplyParameters{MessageID: int(id), AllowSendingWithoutReply: true}
}

// inlineKeyboard makes the keyboard of a message about a thread, or nil for none: a message
// is edited to have none then. A button that no data stands for is left out.
func inlineKeyboard(rows [][]ui.Button, thread question.ID) *models.InlineKeyboardMarkup {
	keys := &models.InlineKeyboardMarkup{}
	for _, row := range rows {
		var out []models.InlineKeyboardButton
		for _, btn := range row {
			if btn.URL != "" {
				out = append(out, models.InlineKeyboardButton{Text: btn.Label, URL: btn.URL, Style: btn.Style})
			} else if data := btn.Data(thread); data != "" {
				out = append(out, models.InlineKeyboardButton{Text: btn.Label, CallbackData: data, Style: btn.Style})
			}
		}
		if len(out) > 0 {
			keys.InlineKeyboard = append(keys.InlineKeyboard, out)
		}
	}
	if len(keys.InlineKeyboard) == 0 {
		return nil
	}
	return keys
}

// withoutLinks is the keyboard without the buttons that open addresses; nil if it is that already, or has
// no others.
func withoutLinks(keys *models.InlineKeyboardMarkup) *models.InlineKeyboardMarkup {
	if keys == nil {
		return nil
	}
	plain, links := &models.InlineKeyboardMarkup{}, 0
	for _, row := range keys.InlineKeyboard {
		var out []models.InlineKeyboardButton
		for _, b := range row {
			if b.URL == "" {
				out = append(out, b)
			}
		}
		links += len(row) - len(out)
		if len(out) > 0 {
			plain.InlineKeyboard = append(plain.InlineKeyboard, out)
		}
	}
	if links == 0 || len(plain.InlineKeyboard) == 0 {
		return nil
	}
	return plain
}

// ErrToken is returned by Run when Telegram refuses the token, and is believed: it
// never worked, or has been refused for minutes. No try will ever succeed.
var ErrToken = updates.ErrToken

// Error is a call that failed, to the Bot API or in this package's own queues and
// inbox. Its text holds no secret.
type Error = botapi.Error

// Reason is why a call failed. The set is closed; it is a metric label.
type Reason = botapi.Reason

// fileAgain is when a chat that took no file is offered one again: the right may have come back.
const fileAgain = time.Hour

// rememberRefusals bounds the chats of which it is remembered that they took none.
const rememberRefusals = 4096

// fetchTimeout bounds both calls of Fetch together: the Bot API server itself gets the
// file before it answers.
const fetchTimeout = 2 * time.Minute

// Fetch gets a file that a person sent (Bot API getFile, which gives out up to 20 MB; a
// local server gives out more). It makes one attempt, beside the chats' queues. The
// error is an *Error: TooLarge, also session.ErrTooLarge, for a file of more than limit
// bytes; FileGone for one that cannot be got; Temporary tells whether a later try may
// succeed.
func (b *Bot) Fetch(ctx context.Context, id chat.FileID, limit int64) ([]byte, error) {
	if b.out.Closed() {
		return nil, &Error{Op: "getFile", Reason: botapi.Stopping}
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	defer context.AfterFunc(b.out.Calls(), cancel)()
	return b.api.Fetch(ctx, id, limit)
}

// Limit is one of Telegram's limits: chat (a message a second), group (twenty a minute), all (thirty a second in all chats) and
// flood (Telegram said for how long to write nothing).
type Limit = outbox.Reason

// Held is what one of Telegram's limits does to cards.
type Held = outbox.Held

// Held tells for each limit what it holds up.
func (b *Bot) Held() map[Limit]Held { return b.out.Held() }

// Queued is how much waits to be sent, in all chats together.
type Queued struct {
	Cards   int // what is asked, and what changes there
	Notes   int // other messages
	Live    int // live messages
	Chats   int // chats in which something waits
	Longest int // how much waits in the chat where most does
}

// Queued counts what waits to be sent. It names no chat.
func (b *Bot) Queued() Queued {
	w := b.out.Waiting()
	return Queued{Cards: w.Jobs[outbox.Cards], Notes: w.Jobs[outbox.Notes], Live: w.Jobs[outbox.Live], Chats: w.Chats, Longest: w.Longest}
}
