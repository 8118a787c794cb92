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

// turn waits until the limits allow one more call in the chat. Cards that wait or come
// meanwhile go before a call of another lane.
func (b *Bot) turn(c *chat, l lane) error {
	if l != cardLane && !c.cleared {
		if err := b.allowance(c); err != nil {
			return err
		}
		c.cleared = true
	}
	for {
		if err := b.slot(c); err != nil {
			return err
		}
		if l == cardLane || b.chats.head(c, cardLane) == nil {
			return nil
		}
		b.serveCards(c)
	}
}

// slot waits until Telegram's limits allow one more call, whatever it is for.
func (b *Bot) slot(c *chat) error {
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
	c.paid = true
	return b.clearance(c)
}

// spend notes that the call is made for which turn has waited.
func (c *chat) spend() {
	c.paid = false
	switch {
	case c.lane != cardLane:
		c.cleared = false
	case c.source != nil && c.source.minute != nil:
		c.source.minute.reserve(time.Now())
	}
}

// allowance waits until one more call fits in what notes and live messages may use of
// the limits. Cards that come meanwhile are served.
func (b *Bot) allowance(c *chat) error {
	now := time.Now()
	at := now.Add(max(c.notePace.ReserveN(now, 1).DelayFrom(now), b.chats.notes.ReserveN(now, 1).DelayFrom(now)))
	if c.noteWindow != nil {
		at = c.noteWindow.reserve(at)
	}
	for {
		b.serveCards(c)
		if b.stopped() {
			return &Error{Op: "send", Reason: Stopping}
		}
		wait := time.Until(at)
		if wait <= 0 {
			return nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-b.stopping:
		case <-timer.C:
		case <-c.wake:
		}
		timer.Stop()
	}
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
