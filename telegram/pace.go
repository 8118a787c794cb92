package telegram

import (
	"math/rand/v2"
	"time"
)

// clearance waits until no flood wait stops the chat.
func (b *Bot) clearance(c *chat) error {
	for {
		b.chats.mu.Lock()
		until := later(c.parked, b.chats.parked)
		b.chats.mu.Unlock()
		wait := time.Until(until)
		if wait <= 0 {
			return nil
		}
		if err := b.pause(wait); err != nil {
			return err
		}
	}
}

// pause waits, or fails when the Bot is closed.
func (b *Bot) pause(d time.Duration) error {
	if b.stopped() {
		return &Error{Op: "send", Reason: Stopping}
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-b.stopping:
		return &Error{Op: "send", Reason: Stopping}
	case <-timer.C:
		return nil
	}
}

// turn waits until the limits allow one more call in the chat.
func (b *Bot) turn(c *chat) error {
	if c.paid {
		return b.clearance(c)
	}
	if err := b.clearance(c); err != nil {
		return err
	}
	now := time.Now()
	wait := c.pace.ReserveN(now, 1).DelayFrom(now)
	wait = max(wait, b.chats.all.ReserveN(now, 1).DelayFrom(now))
	if c.minute != nil {
		wait = c.minute.reserve(now.Add(wait)).Sub(now)
	}
	if err := b.pause(wait); err != nil {
		return err
	}
	return b.clearance(c)
}

// park keeps the chat silent for as long as Telegram said, and every chat when
// a second one is told so meanwhile. The jitter keeps chats from returning at once.
func (b *Bot) park(c *chat, wait time.Duration) {
	now := time.Now()
	until := now.Add(wait + rand.N(time.Second))
	b.chats.mu.Lock()
	defer b.chats.mu.Unlock()
	c.parked = until
	if b.chats.until.After(now) && b.chats.flood != c.id {
		b.chats.parked = later(until, b.chats.until)
	}
	b.chats.flood, b.chats.until = c.id, later(until, b.chats.until)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
