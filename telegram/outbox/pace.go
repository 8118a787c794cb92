package outbox

import "time"

// awaitFlood waits until no flood wait stops the chat. It reports whether one did.
func (c *Chat) awaitFlood() (did bool, err error) {
	for {
		wait := time.Until(c.floodUntil())
		if wait <= 0 {
			return did, nil
		}
		if err := c.pauseFor(HeldByFlood, wait); err != nil {
			return did, err
		}
		did = true
	}
}

// floodUntil is until when a flood wait stops the chat.
func (c *Chat) floodUntil() time.Time {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return c.parked
}

// awaitFloods waits until no flood wait stops a call of lane l that Telegram does not count as a message.
func (c *Chat) awaitFloods(l Lane) error {
	if _, err := c.awaitFlood(); err != nil || !c.out.stopsAll() {
		return err
	}
	return c.awaitSharedLimit(l)
}

// stopsAll reports whether a flood wait stops all chats.
func (o *Outbox) stopsAll() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.floods.stopAll(time.Now())
}

// pause waits, or fails when the Outbox is closed.
func (o *Outbox) pause(d time.Duration) error {
	if o.Closed() {
		return stoppingError()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-o.stopping:
		return stoppingError()
	case <-timer.C:
		return nil
	}
}

// awaitTurn waits until the limits allow one more call in the chat. Cards that wait or come
// meanwhile go before a call of another lane.
func (c *Chat) awaitTurn(l Lane) error {
	if l != Cards && !c.cleared {
		if err := c.awaitNoteShare(); err != nil {
			return err
		}
		c.cleared = true
	}
	for {
		if err := c.awaitLimits(l); err != nil {
			return err
		}
		if l == Cards || c.nextJob(Cards) == nil {
			return nil
		}
		c.serveCards()
	}
}

// awaitLimits waits until Telegram's limits allow one more call of lane l.
func (c *Chat) awaitLimits(l Lane) error {
	if !c.paid {
		if err := c.awaitOwnLimits(); err != nil {
			return err
		}
		c.paid = true
	}
	return c.awaitSharedLimit(l)
}

// awaitOwnLimits waits until those of the chat allow one more call.
func (c *Chat) awaitOwnLimits() error {
	if _, err := c.awaitFlood(); err != nil {
		return err
	}
	now := time.Now()
	wait, why := c.pace.ReserveN(now, 1).DelayFrom(now), HeldByChat
	if c.minute != nil {
		if more := c.minute.reserve(now.Add(wait)).Sub(now); more > wait {
			wait, why = more, HeldByGroup
		}
	}
	return c.pauseFor(why, wait)
}

// awaitSharedLimit waits until the limit of all chats allows one more call of lane l. A place that came before a flood wait is lost:
// else all chats that had one would write at once when it is over.
func (c *Chat) awaitSharedLimit(l Lane) error {
	for {
		stopped, err := c.awaitFlood()
		if err != nil || c.hasPlace() && !stopped {
			return err
		}
		if err := c.awaitPlace(l); err != nil {
			return err
		}
		c.placed = true
	}
}

// hasPlace reports whether the chat has a place that it did not use.
func (c *Chat) hasPlace() bool {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return c.placed && c.placedAfter == c.out.floods.waits
}

// CountCall notes that the call is made for which the job's turn was waited for. Call does
// so; a job that makes its first call by itself does it before.
func (c *Chat) CountCall() {
	c.paid, c.placed = false, false
	switch {
	case c.lane != Cards:
		c.cleared = false
	case c.source != nil && c.source.minute != nil:
		c.source.minute.reserve(time.Now())
	}
}

// awaitNoteShare waits until one more call fits in what notes and live messages may use of
// the limits. Cards that come meanwhile are served.
func (c *Chat) awaitNoteShare() error {
	now := time.Now()
	at := now.Add(max(c.notePace.ReserveN(now, 1).DelayFrom(now), c.out.notes.ReserveN(now, 1).DelayFrom(now)))
	if c.noteWindow != nil {
		at = c.noteWindow.reserve(at)
	}
	for {
		c.serveCards()
		if c.out.Closed() {
			return stoppingError()
		}
		wait := time.Until(at)
		if wait <= 0 {
			return nil
		}
		c.pauseUnlessWoken(wait)
	}
}
