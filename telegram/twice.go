package telegram

import (
	"context"
	"errors"
	"slices"
	"time"

	"hermes/internal/question"
)

// A message about sessions is sent again by whoever it is for, as long as hermes runs. Its
// copies are looked for just as long: their buttons are checked when they are tapped, so one that
// is left behind misleads nobody for long.

// Bounds of that: the messages of a chat whose sending is unclear, and the searches for one.
const (
	maxUnclear  = 100
	maxSearches = 10
)

// sendTold makes one attempt to send a message about sessions. Where an earlier attempt at one
// with the same buttons had no answer, it looks for what that has left.
func (b *Bot) sendTold(ctx context.Context, c *chat, m message) (posted, error) {
	after := b.Last(c.id)
	p, err := b.send(ctx, c, m)
	if m.keys == nil {
		return p, err
	}
	key := message{keys: m.keys}.hash() // the text may tell the time
	first, before := c.unclear[key]
	var e *Error
	switch {
	case err == nil && before:
		delete(c.unclear, key)
		b.seek(question.Search{Chat: c.id, Span: question.Span{After: first, Before: p.id}, Card: []question.PostedID{p.id}}, nil, 1)
	case errors.As(err, &e) && e.Unknown && !before:
		if c.unclear == nil || len(c.unclear) >= maxUnclear {
			c.unclear = map[uint64]question.PostedID{}
		}
		c.unclear[key] = after
	}
	return p, err
}

// seek searches until nothing is left, or it has been tried often enough. What is left of one
// part of the span waits behind the other parts.
func (b *Bot) seek(s question.Search, others []question.Span, try int) {
	b.Search(s, func(got question.Searched) {
		left := slices.Concat(others, got.Left)
		if len(left) == 0 || try == maxSearches || got.Err != nil && reasonOf(got.Err) == Stopping {
			return
		}
		s.Span = left[0]
		wait := got.RetryAfter
		if got.Err != nil {
			wait = max(wait, time.Second<<try)
		}
		time.AfterFunc(wait, func() { b.seek(s, left[1:], try+1) })
	})
}
