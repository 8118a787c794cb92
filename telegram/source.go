package telegram

import "time"

// sourceMinute is how much of a group's minute the cards of one source may use where there are several. The rest is kept for cards of
// others.
const sourceMinute = 15

// source is where the asks come from that some of a chat's cards are about: a link to an OpenCode, a server, the programs. Sources
// take turns, so that what one of them asks never waits for more than one card of another, however many that one has.
type source struct {
	turn   uint64  // number of its last turn in the chat; 0: it had none
	minute *window // what it used of the group's minute; nil in other chats
}

// readyAt is when the source may have a card sent or changed in c.
func (s *source) readyAt(c *chat) time.Time {
	if s.minute == nil || len(c.sources) < 2 {
		return time.Time{}
	}
	return s.minute.free()
}

// from gives the source of this name.
func (c *chat) from(name string) *source {
	s := c.sources[name]
	if s == nil {
		c.forgetSources()
		s = &source{}
		if c.minute != nil {
			s.minute = newWindow(sourceMinute)
		}
		c.sources[name] = s
	}
	return s
}

// forgetSources makes room where there are many: for those that used nothing of late the next turn is as good as the first.
func (c *chat) forgetSources() {
	if len(c.sources) < 100 {
		return
	}
	now := time.Now()
	for name, s := range c.sources {
		if s.minute == nil || s.minute.rested(now) {
			delete(c.sources, name)
		}
	}
}

// nextCard is the card job whose turn it is: of the sources that may have one now, the one that waited longest, and its first job.
// If none may have one, i is negative and at is when the first one may; it is zero where there are no cards. Called with chats.mu
// held.
func (c *chat) nextCard(now time.Time) (i int, at time.Time) {
	i = -1
	seen := map[string]bool{}
	var best *source
	for _, j := range c.jobs[cardLane] {
		c.from(j.source) // from now on there is one more
	}
	for n, j := range c.jobs[cardLane] {
		if seen[j.source] {
			continue
		}
		seen[j.source] = true
		s := c.from(j.source)
		if ready := s.readyAt(c); ready.After(now) {
			if at.IsZero() || ready.Before(at) {
				at = ready
			}
		} else if best == nil || s.turn < best.turn {
			i, best = n, s
		}
	}
	return i, at
}

// await waits until a source may have a card sent, or something else is to be done in the chat.
func (b *Bot) await(c *chat) {
	b.chats.mu.Lock()
	i, at := c.nextCard(time.Now())
	b.chats.mu.Unlock()
	if i >= 0 {
		return
	}
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-b.stopping:
	case <-timer.C:
	case <-c.wake:
	}
}
