package telegram

import (
	"context"
	"errors"
	"slices"

	tg "github.com/go-telegram/bot"

	"hermes/internal/question"
	"hermes/telegram/markup"
)

// sendMessage has no idempotency key: a send whose outcome is unknown is made again, and
// the chat may then have the card twice. Ids in a chat only grow (one chat's messages are
// sent in order, and a call that waits at Telegram goes before a later one), so a copy lies
// between the highest id known before the first try and the message that was confirmed.
// A bot can edit only its own messages: among ids that are not known as other messages,
// an edit that succeeds has hit a copy, of this card or of another one whose sending is
// not known either, or a reminder whose sending is not. The words hold for all three.

// searchCalls bounds the calls of one search: then others have their turn.
const searchCalls = 5

// rememberKnown is how many ids are kept for a chat, to spare them.
const rememberKnown = 1024

// Last is the highest id of a message that is known to be in the chat, 0 for none. It
// does not wait.
func (b *Bot) Last(id question.ChatID) question.PostedID {
	stored := b.last(id)
	b.chats.mu.Lock()
	defer b.chats.mu.Unlock()
	if c := b.chats.byID[id]; c != nil {
		return max(stored, c.highest)
	}
	return stored
}

// Search makes copies of a card harmless: they say that they are none. It never blocks:
// the search waits in the chat's queue, behind cards. done is called once, from another
// goroutine, with what is left to be searched; the error is an *Error. An id is done with when
// it is known to be another message, when Telegram says that it is none of the bot's, or
// when it was edited.
func (b *Bot) Search(s question.Search, done func(question.Searched)) {
	b.enqueue(s.Chat, noteLane, job{run: func(ctx context.Context, c *chat, err error) {
		if err != nil {
			done(question.Searched{Left: []question.Span{s.Span}, Err: err})
			return
		}
		done(b.search(ctx, c, s))
	}})
}

func (b *Bot) search(ctx context.Context, c *chat, s question.Search) question.Searched {
	var out question.Searched
	for id, calls := s.Span.After+1, 0; id < s.Span.Before; id++ {
		rest := s.Span
		rest.After = id - 1
		spared, err := b.spared(c, s, id)
		switch {
		case err != nil:
			out.Left, out.Err = append(out.Left, rest), err
			return out
		case spared:
			continue
		case calls == searchCalls:
			out.Left = append(out.Left, rest)
			return out
		}
		calls++
		err = b.disown(ctx, c, id, s)
		var e *Error
		switch {
		case err == nil || reasonOf(err) == MessageGone || reasonOf(err) == NoText:
		case reasonOf(err) == Refused: // of this message alone
			rest.Before = id + 1
			out.Left, out.Err = append(out.Left, rest), err
		case errors.As(err, &e):
			out.Left, out.Err = append(out.Left, rest), err
			out.RetryAfter, out.MovedTo = e.RetryAfter, e.MovedTo
			return out
		}
	}
	return out
}

// spared reports whether a message is known to be no copy. The error is an *Error: that
// cannot be read now.
func (b *Bot) spared(c *chat, s question.Search, id question.PostedID) (bool, error) {
	if slices.Contains(s.Card, id) || slices.Contains(s.Spare, id) || b.chats.knows(c, id) {
		return true, nil
	}
	known, err := b.known(c.id, id)
	if err != nil {
		return false, &Error{Op: "search", Reason: Store, Detail: b.api.Redact(err.Error())}
	}
	return known, nil
}

// stillACopy fails where a message is known to be none by now: a tap may have made a card
// of it.
func (b *Bot) stillACopy(c *chat, s question.Search, id question.PostedID) error {
	spared, err := b.spared(c, s, id)
	if err == nil && spared {
		err = &Error{Op: "editMessageText", Reason: MessageGone}
	}
	return err
}

// disown makes a copy say that it is one, and takes its buttons away. Of a file it is the
// caption that says so.
func (b *Bot) disown(ctx context.Context, c *chat, id question.PostedID, s question.Search) error {
	m := message{text: markup.Plain("↪ " + b.words(c.id, "").Twice), unless: func() error { return b.stillACopy(c, s, id) }}
	err := b.edit(ctx, c, id, m)
	if err == nil || reasonOf(err) != NoText {
		return err
	}
	err = b.attempt(ctx, c, "editMessageCaption", func(ctx context.Context) error {
		return b.api.EditMessageCaption(ctx, &tg.EditMessageCaptionParams{
			ChatID: int64(c.id), MessageID: int(id), Caption: m.text.Unmarked(),
		})
	})
	if err != nil && reasonOf(err) == Unchanged {
		return nil
	}
	return err
}

// posted notes a message that this process sent.
func (b *Bot) posted(c *chat, id question.PostedID) {
	b.told(c.id, id)
	b.chats.mu.Lock()
	defer b.chats.mu.Unlock()
	c.note(id)
}

// saw notes a message that a person sent. A tapped message is not noted: it may
// be a stray copy.
func (s *chats) saw(in question.Input) {
	if in.Chat == 0 || in.Message == 0 || in.Kind == question.Tapped {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.get(in.Chat).note(in.Message)
}

func (c *chat) note(id question.PostedID) {
	c.highest = max(c.highest, id)
	c.known = append(c.known, id)
	if len(c.known) > 2*rememberKnown {
		c.known = slices.Clone(c.known[len(c.known)-rememberKnown:])
	}
}

func (s *chats) knows(c *chat, id question.PostedID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(c.known, id)
}
