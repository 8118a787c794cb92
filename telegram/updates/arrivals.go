package updates

import (
	"slices"
	"sync"

	"hermes/internal/chat"
)

// arrivals are updates that are in the inbox and wait to be handled.
type arrivals struct {
	mu      sync.Mutex
	waiting []chat.Update
	signal  chan struct{}

	storing sync.Mutex             // held from before an update is stored until it waits here, and while the inbox is read
	doubted map[chat.UpdateID]bool // with storing: was new, and storing it failed; it may be in the inbox all the same
}

func newArrivals() *arrivals {
	return &arrivals{signal: make(chan struct{}, 1), doubted: map[chat.UpdateID]bool{}}
}

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
		delete(a.doubted, u.ID)
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

// store puts an update into the inbox, and among the arrivals if it is new. An update whose
// storing failed, though it took effect, is known when Telegram sends it again, or at once:
// it arrives all the same, once.
func (a *arrivals) store(inbox Inbox, u chat.Update) error {
	one := []chat.Update{u}
	a.storing.Lock()
	defer a.storing.Unlock()
	fresh, err := inbox.Fresh(one)
	if err == nil && len(fresh) > 0 {
		a.doubted[u.ID] = true
		err = putNew(inbox, one)
	}
	if err == nil && a.doubted[u.ID] {
		delete(a.doubted, u.ID)
		a.put(one)
	}
	return err
}

// putNew puts updates that are new into the inbox. The error is nil if they are there then.
func putNew(inbox Inbox, updates []chat.Update) error {
	_, err := inbox.Put(updates)
	if err == nil {
		return nil
	}
	fresh, unread := inbox.Fresh(updates)
	if unread != nil || len(fresh) > 0 {
		return err
	}
	return nil
}
