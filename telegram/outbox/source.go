package outbox

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

// sources are those of one chat's cards. They are guarded by Outbox.mu.
type sources struct {
	byName map[string]*source
	turns  uint64 // how many turns they had
	group  bool   // the chat is one
}

// sourceNamed gives the source of this name.
func (s *sources) sourceNamed(name string) *source {
	from := s.byName[name]
	if from == nil {
		s.forgetRested()
		from = &source{}
		if s.group {
			from.minute = newWindow(sourceMinute)
		}
		s.byName[name] = from
	}
	return from
}

// forgetRested makes room where there are many: for those that used nothing of late the next turn is as good as the first.
func (s *sources) forgetRested() {
	if len(s.byName) < 100 {
		return
	}
	now := time.Now()
	for name, from := range s.byName {
		if from.minute == nil || from.minute.isRested(now) {
			delete(s.byName, name)
		}
	}
}

// takeTurn gives the source of this name the last turn.
func (s *sources) takeTurn(name string) *source {
	from := s.sourceNamed(name)
	s.turns++
	from.turn = s.turns
	return from
}

// readyAt is when a source may have a card sent or changed.
func (s *sources) readyAt(from *source) time.Time {
	if from.minute == nil || len(s.byName) < 2 {
		return time.Time{}
	}
	return from.minute.freeAt()
}

// nextCard is the card whose turn it is, of cards in order with the names of their sources: of the sources that may have one now,
// the one that waited longest, and its first card. If none may have one, i is negative and at is when the first one may; it is
// zero where there are no cards.
func (s *sources) nextCard(names []string, now time.Time) (i int, at time.Time) {
	i = -1
	seen := map[string]bool{}
	var best *source
	for _, name := range names {
		s.sourceNamed(name) // from now on there is one more
	}
	for n, name := range names {
		if seen[name] {
			continue
		}
		seen[name] = true
		from := s.sourceNamed(name)
		if ready := s.readyAt(from); ready.After(now) {
			if at.IsZero() || ready.Before(at) {
				at = ready
			}
		} else if best == nil || from.turn < best.turn {
			i, best = n, from
		}
	}
	return i, at
}
