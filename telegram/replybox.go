package telegram

import (
	"context"
	"errors"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/telegram/botapi"
	"hermes/telegram/card"
	"hermes/telegram/outbox"
	"hermes/telegram/words"
)

// Box sends a message that opens one person's reply box, or removes it, in the chat's queue and with its cards. It
// never blocks. An edit could not do it: Telegram opens the box for new messages alone, and lets the force_reply of a
// keyboard not be changed (Bot API InlineKeyboardMarkup). done is called once, from another goroutine; the error is an
// *Error. It makes one attempt.
func (b *Bot) Box(p outbound.BoxPost, done func(question.BoxDone)) {
	b.out.Enqueue(p.Chat, outbox.Cards, outbox.Job{Source: p.Source, Free: p.Message != 0, Run: func(ctx context.Context, c *outbox.Chat, err error) {
		switch {
		case err != nil:
			done(boxDone(0, err))
		case p.Reminder:
			ended := card.Note(outbound.Note{Kind: outbound.NoteEnded, View: p.View}, b.texts.table(p.Chat, ""), time.Now())
			done(boxDone(0, b.removeNow(ctx, c, p.Message, message{text: ended})))
		case p.Message != 0:
			done(boxDone(0, b.deleteBox(ctx, c, p.Message)))
		default:
			sent, err := b.sender.send(ctx, c, boxMessage(p, b.texts.table(p.Chat, p.User.Lang), time.Now()))
			done(boxDone(sent.id, err))
		}
	}})
}

// deleteBox deletes a reply box. Telegram refuses to edit a message that was sent with ForceReply.
func (b *Bot) deleteBox(ctx context.Context, c *outbox.Chat, id chat.MessageID) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	err := b.api.DeleteMessage(ctx, &tg.DeleteMessageParams{ChatID: int64(c.ID()), MessageID: int(id)})
	if err != nil && botapi.ReasonOf(err) == botapi.MessageGone {
		return nil
	}
	c.HeedFlood(err)
	return err
}

func boxDone(id chat.MessageID, err error) question.BoxDone {
	d := question.BoxDone{ID: id, Err: err}
	var e *Error
	if errors.As(err, &e) {
		d.Unknown, d.RetryAfter, d.MovedTo, d.Final = e.Unknown, e.RetryAfter, e.MovedTo, !e.Temporary()
	}
	return d
}

// boxMessage is a reply box as a message.
func boxMessage(p outbound.BoxPost, w words.Table, now time.Time) message {
	box := card.RenderReplyBox(p, w, now)
	return message{
		text: box.Text, topic: p.Topic, reply: p.ReplyTo, silent: true,
		box: &models.ForceReply{ForceReply: true, InputFieldPlaceholder: box.Placeholder, Selective: p.Chat < 0},
	}
}
