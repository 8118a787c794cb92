package sessions

import (
	"context"
	"sync"

	"hermes/internal/question"
)

// aloft knows what is on its way to the chats: people may see a message, and reply to
// it, before hermes knows its number. It is safe for concurrent use, and nobody waits
// for it.
type aloft struct {
	mu      sync.Mutex
	going   map[question.ChatID]int
	waiting []waiter
	waited  map[question.UpdateID]bool
}

// waiter is a reply that came before what it may be for was known to be shown.
type waiter struct {
	in   question.Input
	left int // messages that it waits for
}

func newAloft() *aloft {
	return &aloft{going: map[question.ChatID]int{}, waited: map[question.UpdateID]bool{}}
}

// up notes that a message is on its way.
func (a *aloft) up(chat question.ChatID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.going[chat]++
}

// keep keeps a reply, once, while something is on its way to its chat. It reports
// whether it did. The update stays in the inbox.
func (a *aloft) keep(in question.Input) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.waited[in.Update] || a.going[in.Chat] == 0 {
		delete(a.waited, in.Update)
		return false
	}
	a.waited[in.Update] = true
	a.waiting = append(a.waiting, waiter{in, a.going[in.Chat]})
	return true
}

// down notes that a message has arrived, or never will, and returns the replies that
// need not wait any more.
func (a *aloft) down(chat question.ChatID) []question.Input {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.going[chat]--
	var free []question.Input
	kept := a.waiting[:0]
	for _, e := range a.waiting {
		if e.in.Chat == chat {
			e.left--
		}
		if e.left == 0 {
			free = append(free, e.in)
		} else {
			kept = append(kept, e)
		}
	}
	a.waiting = kept
	return free
}

// landed has the replies looked at again, in their order, that waited for a message.
func (d *Desk) landed(chat question.ChatID) {
	free := d.aloft.down(chat)
	if len(free) == 0 {
		return
	}
	d.beside(func(ctx context.Context) {
		for _, in := range free {
			d.config.Again(ctx, in)
		}
	})
}

// tooEarly keeps a reply to a message that is not known, if it may be one of the desk's
// that is on its way.
func (d *Desk) tooEarly(in question.Input) bool {
	if in.Kind != question.Typed && in.Kind != question.Attached || in.ReplyTo == 0 {
		return false
	}
	if _, known := d.repliedTo(in); known {
		return false
	}
	return d.aloft.keep(in)
}
