package outbox

import "time"

// Reason is which of Telegram's limits holds a chat up. The words are the values of a metric's label.
type Reason string

// The reasons.
const (
	HeldByChat  Reason = "chat"  // one message a second in a chat
	HeldByGroup Reason = "group" // twenty a minute in a group
	HeldByAll   Reason = "all"   // thirty a second in all chats
	HeldByFlood Reason = "flood" // Telegram said for how long to write nothing: 429
)

// Reasons are all of them.
func Reasons() []Reason { return []Reason{HeldByChat, HeldByGroup, HeldByAll, HeldByFlood} }

// Held is what one limit does to cards: what is asked, what changes there, and how it ends.
type Held struct {
	Waiting int           // cards in chats that it holds up now
	For     time.Duration // how long chats with cards were held up by it since the start, those that still are included
}

// Held tells for each reason what it holds up. A chat is held up by one limit at a time: of several, the one that takes longest.
func (o *Outbox) Held() map[Reason]Held {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := map[Reason]Held{}
	for _, r := range Reasons() {
		list[r] = Held{For: o.heldFor[r]}
	}
	now := time.Now()
	for _, c := range o.chats {
		if n := len(c.jobs[Cards]); n > 0 && c.held != "" {
			h := list[c.held]
			list[c.held] = Held{h.Waiting + n, h.For + now.Sub(c.heldSince)}
		}
	}
	return list
}

// pauseFor waits, for a limit. It fails when the Outbox is closed.
func (c *Chat) pauseFor(why Reason, d time.Duration) error {
	if d <= 0 {
		return c.out.pause(0)
	}
	c.hold(why)
	defer c.release()
	return c.out.pause(d)
}

// hold notes that a limit holds the chat up, until release is called.
func (c *Chat) hold(why Reason) {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	c.held, c.heldSince = why, time.Now()
}

// release notes that nothing holds the chat up any more.
func (c *Chat) release() {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	c.holdOn("", time.Now())
}

// holdOn notes that another limit holds the chat up from now on than before. Called with Outbox.mu held.
func (c *Chat) holdOn(why Reason, now time.Time) {
	if len(c.jobs[Cards]) > 0 {
		c.out.heldFor[c.held] += now.Sub(c.heldSince)
	}
	c.held, c.heldSince = why, now
}

// holdWaiting notes what holds those up that wait for a place. Called with mu held.
func (o *Outbox) holdWaiting(now time.Time) {
	why := o.heldAll(now)
	for _, c := range o.places.waiting {
		if c.held != why {
			c.holdOn(why, now)
		}
	}
}

// heldAll is what holds all chats up now. Called with mu held.
func (o *Outbox) heldAll(now time.Time) Reason {
	if o.floods.stopAll(now) {
		return HeldByFlood
	}
	return HeldByAll
}
