package question

import (
	"slices"
	"time"

	"hermes/internal/chat"
)

// nowhere is in place of an id that is not known: a hermes that did not note it has marked
// the card.
const nowhere chat.MessageID = -1

// Mark notes, before a message is sent, that it may be in the chat from now on; after is
// the highest id that is known there.
func (c *Card) Mark(after chat.MessageID) {
	c.Unsure = true
	if c.marked() < 0 {
		c.Copies = append(slices.Clone(c.Copies), chat.Span{After: after})
	}
}

// Marked reports whether a message that is sent now is noted.
func (c Card) Marked() bool { return c.Unsure && c.marked() >= 0 }

// Doubtful reports whether a message may be there that was sent before.
func (c Card) Doubtful() bool {
	i := c.marked()
	return i >= 0 && c.Copies[i].Likely
}

func (c Card) marked() int {
	return slices.IndexFunc(c.Copies, func(s chat.Span) bool { return s.Before == 0 })
}

// Reloaded notes that hermes was started anew: what was marked may have been sent, and a chat that took nothing is tried at once.
func (c *Card) Reloaded() {
	if c.Refused != "" {
		c.Tries.Next = time.Time{}
	}
	if c.Unsure && c.marked() < 0 {
		c.Mark(nowhere)
	}
	c.alter(func(s *chat.Span) { s.Likely = true })
}

// Unclear notes that the outcome of a sending is not known; after was the highest id then.
func (c *Card) Unclear(after chat.MessageID) {
	c.Unsure = true
	c.alter(func(s *chat.Span) {
		if !s.Likely || s.After == nowhere {
			s.After = max(s.After, after)
		}
		s.Likely = true
	})
}

// NotSent notes that a try has sent nothing. What was unclear before, is still.
func (c *Card) NotSent() {
	if i := c.marked(); i >= 0 && !c.Copies[i].Likely {
		c.Copies, c.Unsure = slices.Delete(slices.Clone(c.Copies), i, i+1), false
	}
}

// Sent notes that the card is on screen, and that copies of it, if there are any, have
// lower ids than before. after was the highest id when the last try began.
func (c *Card) Sent(after, before chat.MessageID, now time.Time) {
	c.NotSent()
	c.alter(func(s *chat.Span) {
		if s.After == nowhere {
			s.After = after
		}
		s.Before, s.Since = before, now
	})
	c.Unsure = false
	c.Copies = slices.DeleteFunc(slices.Clone(c.Copies), chat.Span.Empty)
}

// alter changes the span of what is unclear, if there is one.
func (c *Card) alter(f func(*chat.Span)) {
	if i := c.marked(); i >= 0 {
		c.Copies = slices.Clone(c.Copies)
		f(&c.Copies[i])
	}
}

// Owed is the first span in which to look for copies.
func (c Card) Owed() (chat.Span, bool) {
	i := slices.IndexFunc(c.Copies, func(s chat.Span) bool { return s.Before != 0 })
	if i < 0 {
		return chat.Span{}, false
	}
	return c.Copies[i], true
}

// Searched notes what is left of a span that was looked through.
func (c *Card) Searched(s chat.Span, left []chat.Span) {
	i := slices.Index(c.Copies, s)
	if i < 0 {
		return // the card is another one by now
	}
	c.Copies = slices.Replace(slices.Clone(c.Copies), i, i+1, left...)
	c.Copies = slices.DeleteFunc(c.Copies, chat.Span.Empty)
}
