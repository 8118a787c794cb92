package telegram

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/telegram/botapi"
	"hermes/telegram/card"
	"hermes/telegram/markup"
	"hermes/telegram/outbox"
)

// message is one message to be sent or to be edited into.
type message struct {
	text   markup.Text
	keys   *models.InlineKeyboardMarkup
	silent bool
	topic  int
	reply  chat.MessageID
	unless func() error       // of an edit, asked when its turn has come: why it is not to be made; nil: it is
	box    *models.ForceReply // in place of keys: the message opens the reply box
}

// sender sends, edits and deletes messages, each in a job of its chat's queue. Its errors are
// *Error.
type sender struct {
	api    *botapi.Client
	log    *slog.Logger
	ids    *messageIDs
	screen *screen
	files  *fileRefusals
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
	s.ids.addSent(c.ID(), id)
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
	try := func(ctx context.Context) error {
		if m.unless != nil {
			if err := m.unless(); err != nil {
				return err
			}
		}
		return s.api.EditMessageText(ctx, params)
	}
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

// editCaption changes what is said of a file.
func (s *sender) editCaption(ctx context.Context, c *outbox.Chat, id chat.MessageID, caption string) error {
	err := s.call(ctx, c, "editMessageCaption", func(ctx context.Context) error {
		return s.api.EditMessageCaption(ctx, &tg.EditMessageCaptionParams{ChatID: int64(c.ID()), MessageID: int(id), Caption: caption})
	})
	if err != nil && botapi.ReasonOf(err) == botapi.Unchanged {
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

// sendFile sends text as a document. Where the right to is missing, the chat is offered no file for a while.
func (s *sender) sendFile(ctx context.Context, c *outbox.Chat, topicID int, name, text, caption string) (chat.MessageID, error) {
	var sent *models.Message
	err := s.call(ctx, c, "sendDocument", func(ctx context.Context) (err error) {
		sent, err = s.api.SendDocument(ctx, &tg.SendDocumentParams{
			ChatID: int64(c.ID()), MessageThreadID: botapi.Thread(topicID), Caption: caption, DisableNotification: true,
			Document: &models.InputFileUpload{Filename: name, Data: strings.NewReader(text)},
		})
		return err
	})
	if err != nil && botapi.ReasonOf(err) == botapi.NoRights {
		s.log.Warn("a chat takes no files; what is too long for messages is not shown whole there", "chat", c.ID())
		s.files.add(c.ID())
	}
	if err != nil {
		return 0, err
	}
	s.ids.addSent(c.ID(), chat.MessageID(sent.ID))
	return chat.MessageID(sent.ID), nil
}

// takesNoFile reports whether the chat has refused a file of late.
func (s *sender) takesNoFile(c *outbox.Chat) bool { return s.files.has(c.ID()) }

// call waits for the chat's turn and makes one call.
func (s *sender) call(ctx context.Context, c *outbox.Chat, op string, call func(context.Context) error) error {
	if err := c.Call(ctx, outgoingTimeout, call); err != nil {
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
func inlineKeyboard(rows [][]card.Button, thread question.ID) *models.InlineKeyboardMarkup {
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
