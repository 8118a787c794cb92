package bridge

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"hermes/internal/question"
	"hermes/internal/retry"
)

// show brings a card to what it should show. It is queued here, so that a chat
// gets things in the order in which they happened; the view is taken when the chat
// is ready to send it, so that edits which wait in a queue become one.
func (b *Bridge) show(l *live, card int) {
	if l.cards[card] || !b.room(l, card) {
		return
	}
	l.cards[card] = true
	c := l.Cards[card]
	post := question.Post{
		Thread: l.ID, Chat: c.Chat, Topic: c.Place(), Messages: c.Messages, Unfiled: c.Unfiled, Silent: l.ByRule() || !b.access.quietUntil(l).IsZero(), Newcomer: b.places.isNewcomer(l, c.Chat), View: l.look,
		Source: l.LastOrigin().Source(),
	}
	if len(c.Messages) == 0 && !b.unsure(l) {
		delete(l.cards, card)
		return
	}
	if len(c.Messages) == 0 && !l.Cards[card].Doubtful() {
		post.Over = l.isOver
	}
	if !l.Cards[card].Marked() {
		post.Mark = func(after question.PostedID) error { return b.mark(l, card, post.Chat, after) }
	}
	b.arm(l, time.Now())
	done := make(chan question.Shown, 1)
	b.config.Chat.Show(post, func(s question.Shown) { done <- s })
	b.loop.Beside(func(context.Context) func() {
		s := <-done
		return func() {
			delete(l.cards, card)
			moved := l.Cards[card].Chat != post.Chat // the group has, meanwhile
			if !moved && !b.emptied(l, card, post.Topic, s.Err) {
				b.shown(l, card, s)
			}
			b.reconcile(l)
			b.sentTo(post.Chat)
		}
	})
}

// unsure notes, before a first message is sent, that one may be there from now on:
// after a crash it must be neither forgotten nor left with a question that has
// ended. All of the thread's chats are noted at once. It reports false when the
// store does not take that: then nothing may be sent yet.
func (b *Bridge) unsure(l *live) bool {
	next := l.Clone()
	if !b.doubt(&next) {
		return true
	}
	if err := b.records.saveThread(next); err != nil {
		b.records.retryThread(l)
		return false
	}
	l.Thread = next
	l.publish()
	return true
}

// doubt marks the cards that are about to be sent, and not those that certainly were not
// and wait for their next try. It reports whether that is new.
func (b *Bridge) doubt(t *question.Thread) (changed bool) {
	now := time.Now()
	for i, c := range t.Cards {
		if len(c.Messages) == 0 && c.Lost == "" && !c.Marked() && !c.Tries.Next.After(now) {
			t.Cards[i].Mark(b.config.Chat.Last(c.Chat))
			changed = true
		}
	}
	return changed
}

// mark does so for a card that is on screen and gets one more message. It is called beside
// the loop.
func (b *Bridge) mark(l *live, card int, chat question.ChatID, after question.PostedID) error {
	err := errMoved
	stopped := b.loop.Do(context.Background(), func() {
		if b.threads.byID[l.ID] != l || l.Cards[card].Chat != chat {
			return
		}
		next := l.Clone()
		next.Cards[card].Mark(after)
		if err = b.records.saveThread(next); err == nil {
			l.Thread = next
			l.publish()
		}
	})
	return cmp.Or(stopped, err)
}

var errMoved = errors.New("the card is not there any more")

// shown notes what became of a card.
func (b *Bridge) shown(l *live, card int, s question.Shown) {
	c := l.Cards[card]
	if s.Err == nil && len(s.Messages) == 0 {
		c.NotSent()
		l.set(card, c)
		b.records.keep(l)
		return
	}
	first, before := len(c.Messages) == 0, b.copiesBefore(c, s)
	c.Messages, c.Unfiled = s.Messages, s.Unfiled
	if first {
		c.ShownAt = s.At
	}
	if s.Err == nil {
		delete(b.mute, c.Chat)
		c.Rev, c.Tries = s.Rev, question.Attempts{}
		c.Sent(s.After, before, time.Now().Round(0))
		l.set(card, c)
		if first {
			b.records.keep(l, question.Entry{Kind: question.EntryShown, By: question.Actor{Chat: c.Chat}})
			return
		}
		b.records.keep(l)
		return
	}
	if s.Unknown {
		c.Unclear(s.After)
	} else {
		c.NotSent()
	}
	c.Tries.Made++
	c.Tries.Next = time.Now().Add(max(s.RetryAfter, retry.Backoff(c.Tries.Made, time.Second, time.Minute)))
	l.set(card, c)
	b.notShown(l, card, s)
}

// notShown acts on a failure that says more than that it is to be tried again.
func (b *Bridge) notShown(l *live, card int, s question.Shown) {
	c := l.Cards[card]
	switch {
	case s.MovedTo != 0:
		b.moved(c.Chat, s.MovedTo, 0)
	case s.Lost != "":
		b.log.Warn("a chat cannot show questions", "chat", c.Chat, "reason", s.Lost)
		c.Lost = s.Lost
		l.set(card, c)
		b.records.keep(l, question.Entry{Kind: question.EntryFailed, By: question.Actor{Chat: c.Chat}, Detail: s.Lost})
	default:
		b.unheard(l, c, s)
		b.records.keep(l)
	}
}

// unheard logs, once for each reason, that a chat does not take a card: whoever
// waits for the question there cannot know.
func (b *Bridge) unheard(l *live, c question.Card, s question.Shown) {
	level := slog.LevelDebug
	if reason := s.Err.Error(); s.RetryAfter == 0 && c.Tries.Made > 1 && b.mute[c.Chat] != reason {
		level, b.mute[c.Chat] = slog.LevelWarn, reason
	}
	b.log.Log(context.Background(), level, "a card is to be sent again", "question", l.ID, "chat", c.Chat, "err", s.Err)
}

// set replaces a card without touching what other goroutines read.
func (l *live) set(card int, c question.Card) {
	l.Thread = l.Clone()
	l.Cards[card] = c
}

// remind tells every chat that shows the thread, with sound, that it still waits.
// Reminders that came due while hermes was down are one.
func (b *Bridge) remind(l *live) {
	if b.hush(l) {
		return
	}
	for card, c := range l.Cards {
		if len(c.Messages) > 0 && c.Lost == "" {
			b.note(l, card, question.Note{Kind: question.NoteRemind, ReplyTo: c.Messages[len(c.Messages)-1]})
		}
	}
	now := time.Now()
	l.Thread = l.Clone()
	for len(l.RemindAt) > 0 && !l.RemindAt[0].After(now) {
		l.RemindAt = l.RemindAt[1:]
	}
	b.records.keep(l, question.Entry{Kind: question.EntryReminded})
}

// note sends a short message about the thread. A reply to it counts as a reply to
// the thread, so its id is kept.
func (b *Bridge) note(l *live, card int, n question.Note) {
	c := l.Cards[card]
	n.Chat, n.Topic, n.View = c.Chat, c.Place(), l.look()
	type sent struct {
		id  question.PostedID
		err error
	}
	done := make(chan sent, 1)
	b.config.Chat.Note(n, func(id question.PostedID, err error) { done <- sent{id, err} })
	b.loop.Beside(func(context.Context) func() {
		s := <-done
		return func() {
			if s.err != nil {
				if b.threads.byID[l.ID] == l && l.Cards[card].Chat == n.Chat && b.emptied(l, card, n.Topic, s.err) {
					return
				}
				b.log.Warn("a note was not sent", "chat", n.Chat, "kind", string(n.Kind), "err", s.err)
				return
			}
			b.noted(l, card, n.Chat, s.id)
		}
	})
}

func (b *Bridge) noted(l *live, card int, chat question.ChatID, id question.PostedID) {
	if b.threads.byID[l.ID] != l || l.Cards[card].Chat != chat {
		return
	}
	l.Thread = l.Clone()
	l.Cards[card].Others = append(append([]question.PostedID{}, l.Cards[card].Others...), id)
	b.records.keep(l)
}

// moved follows a group that became a supergroup: its messages stay behind in the
// old chat, so open questions are shown again in the new one, unless they are there
// already.
func (b *Bridge) moved(from, to question.ChatID, used question.UpdateID) {
	if !b.places.concerns(from) {
		b.records.consume(used)
		return
	}
	b.chats.change(from, used, func(c *question.Chat) { c.MovedTo = to })
	b.places.updateHomes()
	if b.config.Moved != nil {
		b.config.Moved(from, to)
	}
	for _, l := range b.threads.byID {
		for card, c := range l.Cards {
			if c.Chat == from {
				l.set(card, l.follow(c, to))
				b.records.keep(l)
				b.reconcile(l)
			}
		}
	}
}

// follow is the card in the group that the old one became.
func (l *live) follow(c question.Card, to question.ChatID) question.Card {
	next := question.Card{Chat: to, Topic: c.Topic}
	if slices.ContainsFunc(l.Cards, next.SamePlace) {
		return question.Card{Chat: c.Chat, Topic: c.Topic, Lost: "moved"}
	}
	return next
}

// Offline is called when Telegram is there again after an outage that outlived
// the taps which wait there (150 s): open cards then say that taps are gone.
func (b *Bridge) Offline(ctx context.Context, d time.Duration) {
	_ = b.loop.Do(ctx, func() {
		for _, l := range b.threads.byID {
			if l.Open() && l.Shown() {
				l.Thread.Offline = d
				l.Rev++
				b.records.keep(l)
				b.reconcile(l)
			}
		}
	})
}
