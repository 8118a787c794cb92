package bridge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/pace"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/storage"
)

// Threads are shown as cards, with notes beside them, and follow what happens to chats.

// showCard brings a card to what it should show. It is queued here, so that a chat
// gets things in the order in which they happened; the view is taken when the chat
// is ready to send it, so that edits which wait in a queue become one.
func (b *Bridge) showCard(l *liveThread, card int) {
	if l.sending[card] {
		return
	}
	room, ready := b.forum.RoomFor(l.Thread, card)
	if !ready {
		return
	}
	c := l.Cards[card]
	if room != 0 {
		c.Room = room
		l.setCard(card, c)
	}
	l.sending[card] = true
	post := outbound.Post{
		Thread: l.ID, Chat: c.Chat, Topic: c.Place(), Messages: c.Messages, Unfiled: c.Unfiled,
		Silent: l.ByRule() && !l.IsHeld() || !b.access.quietUntil(l).IsZero(), Newcomer: b.isNewcomer(l, c.Chat),
		View:   func() (question.View, bool) { return l.currentView(card), true },
		Source: l.LastOrigin().Source(), Stale: func(rev int) bool { return l.currentView(card).Rev != rev },
	}
	b.startClock(l, time.Now())
	arrived := func() {}
	if len(c.Messages) == 0 {
		post.View = func() (v question.View, wanted bool) { // nobody can see the card before that, however long it waits in its queue
			if v, wanted = l.firstView(card); wanted {
				arrived = b.config.Sending(post.Chat)
			}
			return v, wanted
		}
	}
	done := make(chan outbound.Shown, 1)
	b.config.Chat.Show(post, func(s outbound.Shown) { done <- s })
	b.loop.Beside(func(context.Context) func() {
		s := <-done
		return func() {
			delete(l.sending, card)
			now := l.Cards[card]
			moved := now.Chat != post.Chat || now.Place() != post.Topic // the group has, or its topic is gone, meanwhile
			if !moved && !b.forum.FindsGone(l.Thread, l.Cards[card], post.Topic, s.Err) {
				b.noteShown(l, card, s)
			}
			b.reconcile(l)
			arrived()
		}
	})
}

// noteShown notes what became of a card.
func (b *Bridge) noteShown(l *liveThread, card int, s outbound.Shown) {
	c := l.Cards[card]
	if s.Err == nil && len(s.Messages) == 0 {
		return // it was not wanted any more
	}
	first := len(c.Messages) == 0
	c.Messages, c.Unfiled = s.Messages, s.Unfiled
	if first {
		c.ShownAt = s.At
	}
	if s.Err == nil {
		delete(b.mute, c.Chat)
		refused := c.Refused != ""
		c.Rev, c.Tries, c.Refused = s.Rev, retry.Attempts{}, ""
		l.setCard(card, c)
		l.dropTapped(card)
		if refused && len(l.Cards) > 1 {
			l.Rev++ // the other chats say that it is not shown here
		}
		b.log.Debug("a chat shows it", "question", l.ID, "chat", c.Chat, "message", c.Messages[0], "ended", l.Settled())
		if first {
			b.saveThread(l, storage.Entry{Kind: storage.EntryShown, By: question.Actor{Chat: c.Chat}})
			b.retryRefused(c.Chat)
			return
		}
		b.saveThread(l)
		return
	}
	c.Tries.Made++
	c.Tries.Next = time.Now().Add(max(s.RetryAfter, retry.Backoff(c.Tries.Made, time.Second, time.Minute)))
	l.setCard(card, c)
	b.noteFailure(l, card, s)
}

// dropTapped drops the copy that a tap has made of a message whose id was not known yet.
func (l *liveThread) dropTapped(card int) {
	shown := l.Cards[card]
	for i, c := range l.Cards {
		if i != card && c.Chat == shown.Chat {
			l.Cards[i].Messages = slices.DeleteFunc(slices.Clone(c.Messages), shown.Has)
		}
	}
}

// noteFailure acts on a failure that says more than that the card must be sent again.
func (b *Bridge) noteFailure(l *liveThread, card int, s outbound.Shown) {
	c := l.Cards[card]
	switch {
	case s.MovedTo != 0:
		b.followMove(c.Chat, s.MovedTo)
	case s.Refused != "":
		b.noteRefusal(l, card, s)
	default:
		b.logFailure(l, c, s)
		b.saveThread(l)
	}
}

// noteRefusal notes that a chat takes nothing now. Telegram mostly does not say when that is over, so it is tried again
// for as long as the request is open. A question for a topic that stays closed, or is gone, goes to the chat itself.
func (b *Bridge) noteRefusal(l *liveThread, card int, s outbound.Shown) {
	c := l.Cards[card]
	var entries []storage.Entry
	if c.Refused != s.Refused {
		c.Tries.Made = 1
		b.log.Warn("a chat takes no questions; they are tried again", "question", l.ID, "chat", c.Chat, "reason", s.Refused, "err", s.Err)
		entries = append(entries, storage.Entry{Kind: storage.EntryFailed, By: question.Actor{Chat: c.Chat}, Detail: s.Refused})
	}
	if c.Refused == "" && len(l.Cards) > 1 {
		l.Rev++ // the other chats say so
	}
	c.Refused = s.Refused
	c.Tries.Next = time.Now().Add(refusalPause(c.Tries.Made))
	general := question.Card{Chat: c.Chat}
	if errors.Is(s.Err, outbound.ErrTopicGone) && c.Topic != 0 && c.Tries.Made > 1 && len(c.Messages) == 0 && !slices.ContainsFunc(l.Cards, general.SamePlace) {
		c.Topic, c.Refused, c.Tries = 0, "", retry.Attempts{}
	}
	l.setCard(card, c)
	b.saveThread(l, entries...)
}

// refusalPause is the pause after the n-th refusal in a row, counted from 1.
func refusalPause(n int) time.Duration {
	pauses := [...]time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute}
	return pauses[min(n, len(pauses))-1]
}

// retryEvery is how often a busy group that still takes nothing is tried, beyond the first few times.
const retryEvery = 20 * time.Second

// retryRefused tries at once what a chat did not take, as something came from it, or was sent there; soon where much has come of late.
func (b *Bridge) retryRefused(id chat.ID) {
	refuses := func(c question.Card) bool { return c.Chat == id && c.Refused != "" }
	for _, l := range b.threads.byID {
		if slices.ContainsFunc(l.Cards, refuses) {
			now := time.Now()
			if b.retries.Take(id, now) != pace.Yes {
				now = now.Add(retryEvery)
			}
			b.retryCards(id, now)
			return
		}
	}
}

// retryCards brings the next try of all that a chat did not take forward.
func (b *Bridge) retryCards(id chat.ID, to time.Time) {
	for _, l := range b.threads.byID {
		for i, c := range l.Cards {
			if c.Chat == id && c.Refused != "" && to.Before(c.Tries.Next) {
				c.Tries.Next = to
				l.setCard(i, c)
			}
		}
		b.reconcile(l)
	}
}

// logFailure logs, once for each reason, that a chat does not take a card: whoever
// waits for the question there cannot know.
func (b *Bridge) logFailure(l *liveThread, c question.Card, s outbound.Shown) {
	level := slog.LevelDebug
	if reason := s.Err.Error(); s.RetryAfter == 0 && c.Tries.Made > 1 && b.mute[c.Chat] != reason {
		level, b.mute[c.Chat] = slog.LevelWarn, reason
	}
	b.log.Log(context.Background(), level, "a card is to be sent again", "question", l.ID, "chat", c.Chat, "err", s.Err)
}

// setCard replaces a card without touching what other goroutines read.
func (l *liveThread) setCard(card int, c question.Card) {
	l.Thread = l.Clone()
	l.Cards[card] = c
}

// sendNote sends a short message about the thread. A reply to it counts as a reply to
// the thread, so its id is kept. One that reminds goes when the next comes, or the end.
func (b *Bridge) sendNote(l *liveThread, card int, n outbound.Message, reminds bool) {
	c := l.Cards[card]
	n.Chat, n.Topic, n.OfCard = c.Chat, c.Place(), true
	done := make(chan outbound.MessageShown, 1)
	b.config.Chat.Tell(n, func(s outbound.MessageShown) { done <- s })
	b.loop.Beside(func(context.Context) func() {
		s := <-done
		return func() {
			if s.Err != nil {
				if b.threads.byID[l.ID] == l && l.Cards[card].Chat == n.Chat && b.forum.FindsGone(l.Thread, l.Cards[card], n.Topic, s.Err) {
					return
				}
				b.log.Warn("a note was not sent", "question", l.ID, "chat", n.Chat, "err", s.Err)
				return
			}
			b.addNote(l, card, n.Chat, s.Messages, reminds)
		}
	})
}

// addNote notes the messages of a note as some of the card.
func (b *Bridge) addNote(l *liveThread, card int, in chat.ID, ids []chat.MessageID, reminds bool) {
	if b.threads.byID[l.ID] != l || l.Cards[card].Chat != in {
		return
	}
	l.Thread = l.Clone()
	l.Cards[card].Others = slices.Concat(l.Cards[card].Others, ids)
	if reminds { // in one message
		reminder := question.ReplyBox{Reminder: true, Begun: true, Message: ids[0]}
		l.Cards[card].Boxes = append(slices.Clone(l.Cards[card].Boxes), reminder)
	}
	b.saveThread(l)
	b.reconcile(l) // it may wait no more by now
}

// followChat follows what Telegram says of a chat.
func (b *Bridge) followChat(in inbound.Input) {
	switch in.Kind {
	case inbound.Moved:
		b.followMove(in.Chat, in.NewChat, in.Update)
	case inbound.Blocked:
		b.noteBlocked(in)
	case inbound.Unblocked:
		b.noteUnblocked(in)
	case inbound.Tapped, inbound.Typed, inbound.Attached, inbound.Unsigned, inbound.Ignored: // of people
	}
}

// followMove follows a group that became a supergroup: its messages stay behind in the
// old chat, so open questions are shown again in the new one, unless they are there
// already.
func (b *Bridge) followMove(from, to chat.ID, used ...chat.UpdateID) {
	if !b.concernsChat(from) {
		b.consume(used)
		return
	}
	b.changeChat(from, used, func(c *chat.Chat) { c.MovedTo = to })
	b.updateHomes()
	b.config.Moved(from, to)
	for _, l := range b.threads.byID {
		for card, c := range l.Cards {
			if c.Chat == from {
				l.setCard(card, l.cardAfterMove(c, to))
				b.saveThread(l)
				b.reconcile(l)
			}
		}
	}
}

// cardAfterMove is the card in the group that the old one became.
func (l *liveThread) cardAfterMove(c question.Card, to chat.ID) question.Card {
	next := question.Card{Chat: to, Topic: c.Topic, Taken: c.Taken}
	if slices.ContainsFunc(l.Cards, next.SamePlace) {
		return question.Card{Chat: c.Chat, Topic: c.Topic, Taken: max(l.Rev, 1)}
	}
	return next
}

// unshown is why a question that people are to answer is in no chat, or nil. One that waits two minutes for its turn counts,
// as in a group with slow mode.
func (b *Bridge) unshown() error {
	now := time.Now()
	for _, l := range b.threads.byID {
		if !l.Open() || l.Shown() || l.Leader != "" || now.Before(l.ShowAt) {
			continue
		}
		for _, c := range l.Cards {
			switch {
			case c.Taken > 0:
			case c.Refused != "":
				return fmt.Errorf("%w: %s", ErrUnshown, c.Refused)
			case now.Sub(l.ShowAt) > unshownFor:
				return fmt.Errorf("%w: it has waited for Telegram for more than two minutes", ErrUnshown)
			}
		}
	}
	return nil
}

const unshownFor = 2 * time.Minute

// isMuted reports whether a chat does not take what it should show. One that owes nothing
// any more is not known to be so.
func (b *Bridge) isMuted() bool {
	for chat := range b.mute {
		if !b.chatRefuses(chat) {
			delete(b.mute, chat)
		}
	}
	return len(b.mute) > 0
}

// chatRefuses reports whether a card waits because the chat did not take it, more than once.
func (b *Bridge) chatRefuses(chat chat.ID) bool {
	for _, l := range b.threads.byID {
		for i, c := range l.Cards {
			if c.Chat == chat && c.Refused == "" && c.Tries.Made > 1 && !l.IsCopy(i) {
				return true
			}
		}
	}
	return false
}

// noteBlocked notes that nothing can be shown there any more.
func (b *Bridge) noteBlocked(in inbound.Input) {
	if !b.concernsChat(in.Chat) {
		b.consume(in.Updates())
		return
	}
	b.changeChat(in.Chat, in.Updates(), func(c *chat.Chat) { c.Blocked = true })
}

// noteUnblocked shows what could not be shown meanwhile, ends included.
func (b *Bridge) noteUnblocked(in inbound.Input) {
	if !b.concernsChat(in.Chat) {
		b.consume(in.Updates())
		return
	}
	b.changeChat(in.Chat, in.Updates(), func(c *chat.Chat) { c.Blocked = false })
	b.retryCards(in.Chat, time.Now())
}
