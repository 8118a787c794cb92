package telegram

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/recent"
	"hermes/telegram/botapi"
	"hermes/telegram/markup"
	"hermes/telegram/outbox"
)

// sendMessage has no idempotency key: a send whose outcome is unknown is made again, and
// the chat may then have the card twice. Ids in a chat only grow (one chat's messages are
// sent in order, and a call that waits at Telegram goes before a later one), so a copy lies
// between the highest id known before the first try and the message that was confirmed.
// A bot can edit only its own messages: among ids that are not known as other messages,
// an edit that succeeds has hit a copy, of this card or of another one whose sending is
// not known either, or a reminder whose sending is not. The words hold for all three.
//
// A message about sessions is sent again by whoever it is for, as long as hermes runs. Its
// copies are looked for just as long: their buttons are checked when they are tapped, so one that
// is left behind misleads nobody for long.

const (
	searchCalls = 5    // of one search: then others have their turn
	maxSearches = 10   // for the copies of one message about sessions
	maxUnclear  = 1000 // messages about sessions of which it is not known if they were sent
)

// copies looks for messages that were sent twice, and makes them harmless.
type copies struct {
	out    *outbox.Outbox
	sender *sender
	known  func(chat.ID, chat.MessageID) (bool, error) // Config.Known
	texts  languages

	mu      sync.Mutex
	unclear *recent.Map[unclearSend, chat.MessageID] // to the highest id before
}

// unclearSend is a message about sessions of which it is not known if it was sent, by its buttons.
type unclearSend struct {
	chat chat.ID
	keys uint64
}

func newCopies(out *outbox.Outbox, s *sender, known func(chat.ID, chat.MessageID) (bool, error), texts languages) *copies {
	return &copies{out: out, sender: s, known: known, texts: texts, unclear: recent.New[unclearSend, chat.MessageID](maxUnclear)}
}

// search waits in the chat's queue, behind cards.
func (p *copies) search(s outbound.Search, done func(outbound.Searched)) {
	p.out.Enqueue(s.Chat, outbox.Notes, outbox.Job{Run: func(ctx context.Context, c *outbox.Chat, err error) {
		if err != nil {
			done(outbound.Searched{Left: []chat.Span{s.Span}, Err: err})
			return
		}
		done(p.searchNow(ctx, c, s))
	}})
}

func (p *copies) searchNow(ctx context.Context, c *outbox.Chat, s outbound.Search) outbound.Searched {
	var out outbound.Searched
	for id, calls := s.Span.After+1, 0; id < s.Span.Before; id++ {
		rest := s.Span
		rest.After = id - 1
		other, err := p.isOther(s, id)
		switch {
		case err != nil:
			out.Left, out.Err = append(out.Left, rest), err
			return out
		case other:
			continue
		case calls == searchCalls:
			out.Left = append(out.Left, rest)
			return out
		}
		calls++
		err = p.markAsCopy(ctx, c, id, s)
		var e *Error
		switch {
		case err == nil || botapi.ReasonOf(err) == botapi.MessageGone || botapi.ReasonOf(err) == botapi.NoText:
		case botapi.ReasonOf(err) == botapi.Refused: // of this message alone
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

// isOther reports whether a message is known to be no copy. The error is an *Error: that
// cannot be read now.
func (p *copies) isOther(s outbound.Search, id chat.MessageID) (bool, error) {
	if slices.Contains(s.Card, id) || slices.Contains(s.Spare, id) || p.sender.ids.has(s.Chat, id) {
		return true, nil
	}
	known, err := p.known(s.Chat, id)
	if err != nil {
		return false, &Error{Op: "search", Reason: botapi.Store, Detail: p.sender.api.Redact(err.Error())}
	}
	return known, nil
}

// stillACopy fails where a message is known to be none by now: a tap may have made a card
// of it.
func (p *copies) stillACopy(s outbound.Search, id chat.MessageID) error {
	other, err := p.isOther(s, id)
	if err == nil && other {
		err = &Error{Op: "editMessageText", Reason: botapi.MessageGone}
	}
	return err
}

// markAsCopy edits a copy so that it says that it is one, and removes its buttons. Of a file it is the
// caption that says so.
func (p *copies) markAsCopy(ctx context.Context, c *outbox.Chat, id chat.MessageID, s outbound.Search) error {
	m := message{text: markup.Plain("↪ " + p.texts.table(c.ID(), "").Twice), unless: func() error { return p.stillACopy(s, id) }}
	err := p.sender.edit(ctx, c, id, m)
	if err == nil || botapi.ReasonOf(err) != botapi.NoText {
		return err
	}
	return p.sender.editCaption(ctx, c, id, m.text.Unmarked())
}

// sendOnce makes one attempt to send a message about sessions. Where an earlier attempt at one
// with the same buttons had no answer, it looks for what that has left.
func (p *copies) sendOnce(ctx context.Context, c *outbox.Chat, m message) (sentMessage, error) {
	after := p.sender.ids.highest(c.ID())
	sent, err := p.sender.send(ctx, c, m)
	if m.keys == nil {
		return sent, err
	}
	key := unclearSend{c.ID(), message{keys: m.keys}.hash()} // the text may tell the time
	p.mu.Lock()
	defer p.mu.Unlock()
	first, before := p.unclear.Get(key)
	var e *Error
	switch {
	case err == nil && before:
		p.unclear.Delete(key)
		p.searchAll(outbound.Search{Chat: c.ID(), Span: chat.Span{After: first, Before: sent.id}, Card: []chat.MessageID{sent.id}}, nil, 1)
	case errors.As(err, &e) && e.Unknown && !before:
		p.unclear.Put(key, after)
	}
	return sent, err
}

// searchAll searches until nothing is left, or it has been tried often enough. What is left of one
// part of the span waits behind the other parts.
func (p *copies) searchAll(s outbound.Search, others []chat.Span, try int) {
	p.search(s, func(got outbound.Searched) {
		left := slices.Concat(others, got.Left)
		if len(left) == 0 || try == maxSearches || got.Err != nil && botapi.ReasonOf(got.Err) == botapi.Stopping {
			return
		}
		s.Span = left[0]
		wait := got.RetryAfter
		if got.Err != nil {
			wait = max(wait, time.Second<<try)
		}
		time.AfterFunc(wait, func() { p.searchAll(s, left[1:], try+1) })
	})
}
