package telegram

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	tg "github.com/go-telegram/bot"

	"hermes/internal/letters"
	"hermes/internal/outbound"
	"hermes/telegram/botapi"
	"hermes/telegram/outbox"
)

// maxTopicName is how many characters the name of a topic has (Bot API createForumTopic).
const maxTopicName = 128

// topicTimeout bounds a call about a topic: a card may wait for it.
const topicTimeout = 8 * time.Second

// Topic makes or changes a topic, in the chat's queue. It makes one attempt and
// never blocks. done is called once, from another goroutine. A flood wait does not
// silence the chat: Telegram counts topics apart from messages, and those continue.
func (b *Bot) Topic(p outbound.TopicPost, done func(outbound.TopicDone)) {
	lane := outbox.Cards // a card may wait for it
	if p.Do == outbound.CloseTopic {
		lane = outbox.Notes // and the last ones in it go before
	}
	b.out.Enqueue(p.Chat, lane, outbox.Job{Source: p.Source, Ask: p.Do == outbound.MakeTopic, Run: func(ctx context.Context, c *outbox.Chat, err error) {
		if err != nil {
			done(topicDone(0, err))
			return
		}
		c.CountCall()
		ctx, cancel := context.WithTimeout(ctx, topicTimeout)
		defer cancel()
		done(topicDone(b.topicNow(ctx, p)))
	}})
}

// topicNow makes the call. The error is an *Error.
func (b *Bot) topicNow(ctx context.Context, p outbound.TopicPost) (id int, err error) {
	op, chat := "", int64(p.Chat)
	switch p.Do {
	case outbound.MakeTopic:
		op = "createForumTopic"
		made, failed := b.api.CreateForumTopic(ctx, &tg.CreateForumTopicParams{ChatID: chat, Name: topicName(p.Name)})
		if err = failed; err == nil {
			id = made.MessageThreadID
		}
	case outbound.RenameTopic:
		op = "editForumTopic"
		err = b.api.EditForumTopic(ctx, &tg.EditForumTopicParams{ChatID: chat, MessageThreadID: p.ID, Name: topicName(p.Name)})
	case outbound.CloseTopic:
		op = "closeForumTopic"
		err = b.api.CloseForumTopic(ctx, &tg.CloseForumTopicParams{ChatID: chat, MessageThreadID: p.ID})
	case outbound.ReopenTopic:
		op = "reopenForumTopic"
		err = b.api.ReopenForumTopic(ctx, &tg.ReopenForumTopicParams{ChatID: chat, MessageThreadID: p.ID})
	}
	if err != nil {
		err = b.api.AsError(op, err)
	}
	if botapi.ReasonOf(err) == botapi.Unchanged {
		err = nil
	}
	return id, err
}

// topicDone reports an outcome as the caller needs it.
func topicDone(id int, err error) outbound.TopicDone {
	d := outbound.TopicDone{ID: id, Err: err}
	var e *Error
	if errors.As(err, &e) {
		d.Unknown, d.RetryAfter, d.Final = e.Unknown, e.RetryAfter, !e.Temporary()
	}
	return d
}

// topicName is text from elsewhere as the name of a topic: one line, not too long,
// never empty.
func topicName(text string) string {
	name := strings.Join(strings.Fields(letters.Clean(text)), " ")
	if utf8.RuneCountInString(name) > maxTopicName {
		name = string([]rune(name)[:maxTopicName-1]) + "…"
	}
	if name == "" {
		return "…"
	}
	return name
}
