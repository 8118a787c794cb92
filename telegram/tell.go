package telegram

import (
	"context"
	"errors"
	"slices"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/telegram/botapi"
	"hermes/telegram/outbox"
	"hermes/telegram/ui"
)

// Tell shows a message, in the chat's queue and, unless it is of a card, after what is asked
// there. It never blocks. What only answers somebody fails with Full where too much
// waits already. With Edit it changes that message, or sends a new one if
// that is gone. done is called once, from another goroutine, with all messages that
// the chat shows then; the error is an *Error. It makes one attempt, for those messages
// that are not in Shown.
func (b *Bot) Tell(m outbound.Message, done func(outbound.MessageShown)) {
	lane := outbox.Notes
	if m.OfCard {
		lane = outbox.Cards
	}
	b.out.Enqueue(m.Chat, lane, outbox.Job{Reply: m.Answer, Run: func(ctx context.Context, c *outbox.Chat, err error) {
		if err != nil {
			done(outbound.MessageShown{Err: err})
			return
		}
		done(b.tellNow(ctx, c, m))
	}})
}

// tellNow makes one attempt.
func (b *Bot) tellNow(ctx context.Context, c *outbox.Chat, m outbound.Message) outbound.MessageShown {
	reader := b.readerIn(m.Chat, m.Lang)
	body := m.Text(reader)
	if m.Remove {
		return outbound.MessageShown{Err: b.removeNow(ctx, c, m.Edit, message{text: body.Parts[0]})}
	}
	d := &display{
		sender: b.sender, chat: c, topic: m.Topic, reply: m.ReplyTo, words: reader.Words, anew: true,
		shown: slices.Clone(m.Shown), unfiled: m.Unfiled && len(m.Shown) > 0,
		sounds: func(part, _ int) bool { return part == 0 && !m.Silent },
	}
	if m.Edit != 0 {
		d.shown = []chat.MessageID{m.Edit}
	}
	err := d.bringUpToDate(ctx, body)
	return outbound.MessageShown{Messages: d.shown, Unfiled: d.unfiled, Err: err}
}

// removeNow takes a message away, or changes it where that cannot be done. One that is gone already is as it should be.
func (b *Bot) removeNow(ctx context.Context, c *outbox.Chat, id chat.MessageID, otherwise message) error {
	err := b.sender.remove(ctx, c, id, otherwise)
	if err != nil && botapi.ReasonOf(err) == botapi.MessageGone {
		return nil
	}
	return err
}

// readerIn is whom a text is for: a chat, or a person with a language of their own.
func (b *Bot) readerIn(in chat.ID, lang string) ui.Reader {
	return ui.Reader{Words: b.texts.table(in, lang), Now: time.Now(), Withhold: b.withhold}
}

// answerTimeout is longer than any client waits for an answer.
const answerTimeout = 30 * time.Second

// Answer acknowledges a tap at once, with an alert unless say is nil, beside the queues: it never blocks and is
// not rate-limited. It makes one attempt, and a second when the first cannot
// have arrived. A failure is logged: all that it costs is the words.
func (b *Bot) Answer(callback string, say ui.Line, lang string) {
	text := say.Alert(b.readerIn(0, lang))
	b.out.Go(func() { b.answerNow(callback, text) })
}

func (b *Bot) answerNow(callback, text string) {
	ctx, cancel := context.WithTimeout(b.out.Calls(), answerTimeout)
	defer cancel()
	call := func() error {
		err := b.api.AnswerCallbackQuery(ctx, &tg.AnswerCallbackQueryParams{
			CallbackQueryID: callback, Text: text, ShowAlert: text != "",
		})
		if err == nil {
			return nil
		}
		return b.api.AsError("answerCallbackQuery", err)
	}
	err := call()
	if botapi.ReasonOf(err) == botapi.Network && err != nil && ctx.Err() == nil {
		err = call() // idempotent
	}
	if err != nil && botapi.ReasonOf(err) != botapi.TooOld {
		b.log.Warn("a tap could not be acknowledged", "op", "answerCallbackQuery", "reason", botapi.ReasonOf(err), "err", err)
	}
}

// React puts an emoji under a person's message, in place of the one that is there; it
// must be of those that Bot API ReactionTypeEmoji names, such as 👀 and 👍, or "" for
// none. It waits in the chat's queue and never blocks, takes no turn from messages, and
// is tried once. done is called once, from another goroutine; the error is an *Error, as
// where a group allows no reactions.
func (b *Bot) React(in chat.ID, message chat.MessageID, emoji string, done func(error)) {
	b.out.Enqueue(in, outbox.Notes, outbox.Job{First: outbox.Free, Run: func(ctx context.Context, c *outbox.Chat, err error) {
		if err != nil {
			done(err) // the Bot is closed
			return
		}
		ctx, cancel := context.WithTimeout(ctx, answerTimeout)
		defer cancel()
		done(b.api.SetMessageReaction(ctx, &tg.SetMessageReactionParams{ChatID: int64(c.ID()), MessageID: int(message), Reaction: reactionParam(emoji)}))
	}})
}

// reactionParam is empty and not nil for "": Telegram then removes the reaction.
func reactionParam(emoji string) []models.ReactionType {
	if emoji == "" {
		return []models.ReactionType{}
	}
	return []models.ReactionType{{Type: models.ReactionTypeTypeEmoji, ReactionTypeEmoji: &models.ReactionTypeEmoji{Emoji: emoji}}}
}

// Box sends a message that opens one person's reply box, or removes it, in the chat's queue and with its cards. It
// never blocks. An edit could not do it: Telegram opens the box for new messages alone, and lets the force_reply of a
// keyboard not be changed (Bot API InlineKeyboardMarkup). done is called once, from another goroutine; the error is an
// *Error. It makes one attempt.
func (b *Bot) Box(p outbound.BoxPost, done func(question.BoxDone)) {
	first := outbox.Message
	if p.Message != 0 {
		first = outbox.Free // it is deleted
	}
	b.out.Enqueue(p.Chat, outbox.Cards, outbox.Job{Source: p.Source, First: first, Run: func(ctx context.Context, c *outbox.Chat, err error) {
		switch {
		case err != nil:
			done(boxDone(0, err))
		case p.Reminder && p.View.Phase != question.PhaseAsking: // one that the next takes the place of stays where it cannot be deleted
			ended := ui.HowItStands(p.View).Text()(b.readerIn(p.Chat, ""))
			done(boxDone(0, b.removeNow(ctx, c, p.Message, message{text: ended.Parts[0]})))
		case p.Message != 0:
			done(boxDone(0, b.deleteBox(ctx, c, p.Message)))
		default:
			sent, err := b.sender.send(ctx, c, boxMessage(p, b.readerIn(p.Chat, p.User.Lang)))
			d := boxDone(sent.id, err)
			d.At = sent.at
			done(d)
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
func boxMessage(p outbound.BoxPost, r ui.Reader) message {
	text, placeholder := ui.ReplyBox(p.View, p.User, p.Chat < 0, p.Topic != 0, r) // a group's id is negative (Bot API)
	return message{
		text: text, topic: p.Topic, reply: p.ReplyTo, silent: true,
		box: &models.ForceReply{ForceReply: true, InputFieldPlaceholder: placeholder, Selective: p.Chat < 0},
	}
}
