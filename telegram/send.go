package telegram

import (
	"context"
	"errors"
	"strings"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/question"
	"hermes/telegram/botapi"
	"hermes/telegram/card"
	"hermes/telegram/markup"
)

// message is one message to be sent or to be edited into.
type message struct {
	text   markup.Text
	keys   *models.InlineKeyboardMarkup
	silent bool
	topic  int
	reply  question.PostedID
	unless func() error       // of an edit, asked when its turn has come: why it is not to be made; nil: it is
	box    *models.ForceReply // in place of keys: the message opens the reply box
}

// send makes one attempt to send the message, and a second, plain one when
// Telegram does not understand the markup.
func (b *Bot) send(ctx context.Context, c *chat, m message) (posted, error) {
	params := &tg.SendMessageParams{
		ChatID: int64(c.id), MessageThreadID: botapi.Thread(m.topic), Text: m.text.HTML(), ParseMode: models.ParseModeHTML,
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
		sent, err = b.api.SendMessage(ctx, params)
		return err
	}
	err := b.attempt(ctx, c, "sendMessage", try)
	if err != nil && reasonOf(err) == NoReply { // allowed or not: TDLib knew the message that is gone (MessagesManager.cpp:28042)
		params.ReplyParameters = nil
		err = b.attempt(ctx, c, "sendMessage", try)
	}
	if reasonOf(err) == Markup && err != nil {
		params.Text, params.ParseMode = m.text.Unmarked(), ""
		err = b.attempt(ctx, c, "sendMessage", try)
	}
	if err != nil {
		return posted{}, err
	}
	id := question.PostedID(sent.ID)
	b.posted(c, id)
	b.screen.put(c.id, id, m)
	return posted{id, time.Unix(int64(sent.Date), 0)}, nil
}

// posted is a message as Telegram confirmed it.
type posted struct {
	id question.PostedID
	at time.Time // by Telegram's clock, in whole seconds
}

// edit makes the message be what it should be. It makes no call when it is so.
func (b *Bot) edit(ctx context.Context, c *chat, id question.PostedID, m message) error {
	if b.screen.has(c.id, id, m) {
		return nil
	}
	params := &tg.EditMessageTextParams{
		ChatID: int64(c.id), MessageID: int(id), Text: m.text.HTML(), ParseMode: models.ParseModeHTML, LinkPreviewOptions: noPreview(),
	}
	if m.keys != nil {
		params.ReplyMarkup = m.keys
	}
	try := func(ctx context.Context) error {
		if m.unless != nil {
			if err := m.unless(); err != nil {
				return err
			}
		}
		return b.api.EditMessageText(ctx, params)
	}
	b.screen.forget(c.id, id) // until the outcome is known
	err := b.attempt(ctx, c, "editMessageText", try)
	if err != nil && reasonOf(err) == Markup {
		params.Text, params.ParseMode = m.text.Unmarked(), ""
		err = b.attempt(ctx, c, "editMessageText", try)
	}
	if err == nil || reasonOf(err) == Unchanged {
		b.screen.put(c.id, id, m)
		return nil
	}
	return err
}

// filesAgain is when a chat that took no file is offered one again: the right may have come back.
const filesAgain = time.Hour

// unfiled reports whether the chat has refused a file of late. Called by its goroutine.
func (c *chat) unfiled() bool { return time.Now().Before(c.noFiles) }

// sendFile sends text as a document. Where the right to is missing, the chat is unfiled for a while.
func (b *Bot) sendFile(ctx context.Context, c *chat, topicID int, name, text, caption string) (question.PostedID, error) {
	var sent *models.Message
	err := b.attempt(ctx, c, "sendDocument", func(ctx context.Context) (err error) {
		sent, err = b.api.SendDocument(ctx, &tg.SendDocumentParams{
			ChatID: int64(c.id), MessageThreadID: botapi.Thread(topicID), Caption: caption, DisableNotification: true,
			Document: &models.InputFileUpload{Filename: name, Data: strings.NewReader(text)},
		})
		return err
	})
	if err != nil && reasonOf(err) == NoRights {
		b.log.Warn("a chat takes no files; what is too long for messages is not shown whole there", "chat", c.id)
		c.noFiles = time.Now().Add(filesAgain)
	}
	if err != nil {
		return 0, err
	}
	b.posted(c, question.PostedID(sent.ID))
	return question.PostedID(sent.ID), nil
}

// attempt waits for the chat's turn and makes one call. A flood wait parks the
// chat. Every error is an *Error.
func (b *Bot) attempt(ctx context.Context, c *chat, op string, call func(context.Context) error) error {
	if err := b.turn(c, c.lane); err != nil {
		return err
	}
	c.spend()
	ctx, cancel := context.WithTimeout(ctx, outgoingTimeout)
	defer cancel()
	err := call(ctx)
	if err == nil {
		return nil
	}
	e := b.typed(op, err)
	if e.Reason == Flood {
		b.park(c, e.RetryAfter)
	}
	return e
}

// typed finds the *Error that every call fails with.
func (b *Bot) typed(op string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Op: op, Reason: Server, Unknown: true, Detail: b.api.Redact(err.Error())}
}

func noPreview() *models.LinkPreviewOptions {
	return &models.LinkPreviewOptions{IsDisabled: tg.True()}
}

func replyTo(id question.PostedID) *models.ReplyParameters {
	if id == 0 {
		return nil
	}
	return &models.ReplyParameters{MessageID: int(id), AllowSendingWithoutReply: true}
}

// inlineKeyboard makes the keyboard of a message about a thread, or nil for none: a message
// is edited to have none then. A button that no data stands for is left out.
func inlineKeyboard(rows [][]card.Button, thread question.ID) *models.InlineKeyboardMarkup {
	keys := &models.InlineKeyboardMarkup{}
	for _, row := range rows {
		var out []models.InlineKeyboardButton
		for _, btn := range row {
			if data := btn.Data(thread); data != "" {
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
