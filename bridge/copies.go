package bridge

import (
	"context"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/retry"
)

// copies searches for messages that may be there twice, because the outcome of sending them
// is unknown.
type copies struct {
	*engine
	cards   Cards
	display *display
}

// What bounds the search for copies of a card: how long it is owed, and how many message
// ids are looked at, the highest ones. Ids of private chats count the messages of all of them.
const (
	searchFor    = 48 * time.Hour
	searchAtMost = 200
)

// copiesAhead is how far above the highest id that is known a copy may lie, where nothing is
// known that was sent later.
const copiesAhead = 5

// copiesBefore is the id below which the copies of a card lie that is on screen now: that
// of its newest message, if the last try has sent one.
func (d *display) copiesBefore(c question.Card, s outbound.Shown) chat.MessageID {
	if n := len(s.Messages); n > 0 && !c.Has(s.Messages[n-1]) {
		return s.Messages[n-1]
	}
	return d.cards.Last(c.Chat) + copiesAhead + 1
}

// search looks for copies of a card. Where they may still lie is in the record, so that
// neither a crash nor a call that fails ends the search.
func (cp *copies) search(l *liveThread, card int) {
	c := l.Cards[card]
	span, owed := c.Owed()
	if l.searching[card] || !owed {
		return
	}
	if time.Since(span.Since) >= searchFor {
		cp.log.Warn("copies of a message were not found in time: their buttons may be there still", "question", l.ID, "chat", c.Chat)
		cp.noteSearched(l, card, span, outbound.Searched{})
		cp.reconcile(l)
		return
	}
	if span.Highest(searchAtMost) != span {
		cp.log.Warn("a message may have been sent twice among too many others: not all of them are looked at", "question", l.ID, "chat", c.Chat)
	}
	l.searching[card] = true
	done := make(chan outbound.Searched, 1)
	cp.cards.Search(outbound.Search{
		Chat: c.Chat, Span: span.Highest(searchAtMost), Card: c.Messages, Spare: cp.threads.messagesIn(c.Chat),
	}, func(s outbound.Searched) { done <- s })
	cp.loop.Beside(func(context.Context) func() {
		s := <-done
		return func() {
			delete(l.searching, card)
			if l.Cards[card].Chat == c.Chat { // the group has not moved meanwhile
				cp.noteSearched(l, card, span, s)
			}
			cp.reconcile(l)
		}
	})
}

// noteSearched notes what is left of a search.
func (cp *copies) noteSearched(l *liveThread, card int, span chat.Span, s outbound.Searched) {
	c := l.Cards[card]
	c.Searched(span, s.Left)
	c.Search = retry.Attempts{}
	if s.Err != nil {
		made := 1
		if slices.Equal(s.Left, []chat.Span{span}) { // it came no further
			made += l.Cards[card].Search.Made
		}
		wait := max(s.RetryAfter, retry.Backoff(made, time.Second, 2*time.Minute))
		c.Search = retry.Attempts{Made: made, Next: time.Now().Add(wait)}
		cp.log.Debug("copies of a message are to be looked for again", "question", l.ID, "chat", c.Chat, "err", s.Err)
	}
	l.setCard(card, c)
	cp.records.saveThread(l)
	if s.MovedTo != 0 {
		cp.display.followMove(c.Chat, s.MovedTo, 0)
	}
}
