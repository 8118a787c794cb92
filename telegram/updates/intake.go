package updates

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// intake decodes updates and hands them on.
type intake struct {
	inbox  Inbox
	bot    chat.UserID
	name   *ownName
	handle func(context.Context, inbound.Input)
	calls  context.Context
	log    *slog.Logger
	redact func(string) string
}

// take decodes and handles updates one by one, each alone. The error is the inbox's.
func (t *intake) take(updates []chat.Update) error {
	for _, u := range updates {
		in, err := Decode(u, t.bot)
		if err != nil {
			if err := t.setAside(u, err); err != nil {
				return err
			}
			continue
		}
		if t.name.isForAnother(in) {
			in.Command = ""
		}
		t.handle(t.calls, in)
	}
	return nil
}

// setAside moves an update that cannot be read out of the way.
func (t *intake) setAside(u chat.Update, why error) error {
	t.log.Error("an update is set aside", "update", u.ID, "err", t.redact(why.Error()))
	_, err := t.inbox.Put([]chat.Update{u})
	return errors.Join(err, t.inbox.SetAside(u.ID, why.Error()))
}

// takeBatch handles those of a batch that are new. What an update means is stored by whoever
// handles it, so that one commit lies between a tap and what it leads to; what nobody stored
// then goes into the inbox. With an error, which is the inbox's, the batch must not be confirmed.
func (t *intake) takeBatch(batch []chat.Update) error {
	fresh, err := t.inbox.Fresh(batch)
	if err == nil {
		err = t.take(fresh)
	}
	if err == nil {
		_, err = t.inbox.Put(batch)
	}
	return err
}

// arrivals are updates that are in the inbox and wait to be handled.
type arrivals struct {
	mu      sync.Mutex
	waiting []chat.Update
	signal  chan struct{}

	storing sync.Mutex // held from before an update is stored until it waits here, and while the inbox is read
}

func newArrivals() *arrivals { return &arrivals{signal: make(chan struct{}, 1)} }

// put adds updates, in the order of their arrival.
func (a *arrivals) put(updates []chat.Update) {
	a.mu.Lock()
	a.waiting = append(a.waiting, updates...)
	a.mu.Unlock()
	select {
	case a.signal <- struct{}{}:
	default:
	}
}

// drop forgets updates that are handled by somebody else. Called with storing held.
func (a *arrivals) drop(updates []chat.Update) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, u := range updates {
		a.waiting = slices.DeleteFunc(a.waiting, func(w chat.Update) bool { return w.ID == u.ID })
	}
}

// takeAll removes all that wait.
func (a *arrivals) takeAll() []chat.Update {
	a.mu.Lock()
	defer a.mu.Unlock()
	waiting := a.waiting
	a.waiting = nil
	return waiting
}

// store puts an update into the inbox, and among the arrivals if it is new.
func (a *arrivals) store(inbox Inbox, u chat.Update) error {
	a.storing.Lock()
	defer a.storing.Unlock()
	fresh, err := inbox.Put([]chat.Update{u})
	a.put(fresh)
	return err
}

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
