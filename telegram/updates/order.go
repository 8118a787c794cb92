package updates

import (
	"cmp"
	"slices"
	"time"

	"hermes/internal/chat"
)

// Telegram posts taps and texts to a webhook concurrently, and repeats later what was not
// accepted (Bot API server, WebhookActor.cpp:358-420, 493-520). So a text may arrive before a tap
// that was made earlier, and would be misunderstood. Ids restore the order (Bot API,
// Update.update_id): each is one above the previous one.
const (
	gapWait   = 3 * time.Second        // for one that is missing: longer than Telegram's first two tries take
	firstWait = 300 * time.Millisecond // where it is not known whether one is missing
	maxGap    = 1000                   // what is farther away is no gap: ids have jumped
)

// sequence puts updates in the order in which they were made. The updates that it holds back
// are in the inbox, so a crash loses none.
type sequence struct {
	next chat.UpdateID // the id that follows the last one that was handled; 0: not known
	held []heldBack    // by ascending id
}

type heldBack struct {
	update chat.Update
	until  time.Time
}

// add accepts an update in any order.
func (s *sequence) add(u chat.Update, now time.Time) {
	wait := gapWait
	switch ahead := u.ID - s.next; {
	case s.next == 0, ahead > maxGap, ahead < -maxGap:
		wait = firstWait
	case ahead <= 0:
		wait = 0 // it is its turn, or was
	}
	h := heldBack{u, now.Add(wait)}
	i, _ := slices.BinarySearchFunc(s.held, h, func(a, b heldBack) int { return cmp.Compare(a.update.ID, b.update.ID) })
	s.held = slices.Insert(s.held, i, h)
}

// takeReady removes and returns what may be handled now, in order: the next update, and, when
// one has waited long enough, all before it too.
func (s *sequence) takeReady(now time.Time) []chat.Update {
	var list []chat.Update
	for len(s.held) > 0 && s.firstMayGo(now) {
		u := s.held[0].update
		s.held = s.held[1:]
		list = append(list, u)
		if behind := s.next - u.ID; behind <= 0 || behind > maxGap {
			s.next = u.ID + 1
		}
	}
	return list
}

// firstMayGo reports whether the first one need not wait, or any behind it no longer.
func (s *sequence) firstMayGo(now time.Time) bool {
	return s.next != 0 && s.held[0].update.ID == s.next ||
		slices.ContainsFunc(s.held, func(h heldBack) bool { return !now.Before(h.until) })
}

// nextDue is when takeReady has something at the latest; zero: it holds nothing.
func (s *sequence) nextDue() time.Time {
	var at time.Time
	for _, h := range s.held {
		if at.IsZero() || h.until.Before(at) {
			at = h.until
		}
	}
	return at
}
