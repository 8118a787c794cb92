package opencode

import (
	"slices"
	"sync"
	"sync/atomic"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/recent"
	"hermes/internal/session"
)

// What is remembered to wait is bounded, so that what an OpenCode says does not fill the memory:
// in its number in each directory, and in its size in all directories of a server, or of a link. Further asks are
// emitted all the same.
const (
	maxWaiting  = 1000
	waitingRoom = 64 << 20 // bytes
)

// room is what asks take of waitingRoom. Safe for concurrent use.
type room struct{ taken atomic.Int64 }

// take reports whether there is room for so much more, and takes it.
func (r *room) take(n int) bool {
	if r.taken.Add(int64(n)) <= waitingRoom || n <= 0 {
		return true
	}
	r.taken.Add(-int64(n))
	return false
}

func (r *room) give(n int) { r.taken.Add(-int64(n)) }

// openAsk is an ask that waits, and whether its tool call was read.
type openAsk struct {
	request  question.Request
	detailed bool
}

// openAsks are the asks that are known to wait in an instance, from listings and events, and those
// that a listing is reading. A listing shows the state when it began, so events that arrive while it
// is read win. Safe for concurrent use.
type openAsks struct {
	room *room

	mu      sync.Mutex
	asks    map[question.RequestID]openAsk
	stopped *recent.Map[question.RequestID, bool] // questions, also of those that wait no more, whose session was said to have stopped
	listed  bool                                  // at least once
	reading int                                   // listings that are being read
	heard   map[question.RequestID]bool           // to wait, since the first of those began
	ended   map[question.RequestID]bool           // since then
}

func newOpenAsks(r *room) *openAsks {
	return &openAsks{room: r, asks: map[question.RequestID]openAsk{}, stopped: recent.New[question.RequestID, bool](maxWaiting)}
}

// beginListing is called before a listing, and endListing behind it.
func (a *openAsks) beginListing() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.reading++; a.reading == 1 {
		a.heard, a.ended = map[question.RequestID]bool{}, map[question.RequestID]bool{}
	}
}

func (a *openAsks) endListing() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.reading--; a.reading == 0 {
		a.heard, a.ended = nil, nil
	}
}

// addListed notes the asks of a list that is about to be read, for others to compare with.
func (a *openAsks) addListed(list []question.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range list {
		if _, known := a.asks[r.ID]; !known && !a.ended[r.ID] {
			a.putLocked(openAsk{request: r})
		}
	}
}

// replace remembers what a listing found, and what was heard since it began, and nothing
// else. It returns what of the former still waits. What does not wait is empty in found;
// list and places are in the same order.
func (a *openAsks) replace(list []question.Request, found []openAsk, places []session.Place) []event.Ask {
	a.mu.Lock()
	defer a.mu.Unlock()
	others, before := a.requestsLocked(), a.asks
	a.asks, a.listed = map[question.RequestID]openAsk{}, true
	for id, ask := range before {
		if a.heard[id] {
			a.asks[id] = ask
		} else {
			a.room.give(ask.request.Size())
		}
	}
	asks := make([]event.Ask, 0, len(list))
	for n, ask := range found {
		if ask.request.ID == "" || a.ended[ask.request.ID] {
			continue
		}
		if sharesCallWithAny(list[n], others) {
			ask = openAsk{request: list[n]} // by now
		}
		a.putLocked(ask)
		asks = append(asks, event.Ask{Request: ask.request, Place: places[n]})
	}
	return asks
}

// putHeard notes an ask that is heard to wait.
func (a *openAsks) putHeard(ask openAsk) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.putLocked(ask) && a.reading > 0 {
		a.heard[ask.request.ID] = true
	}
}

// putLocked reports false if too many asks wait, or too large ones.
func (a *openAsks) putLocked(ask openAsk) bool {
	before, known := a.asks[ask.request.ID]
	if !known && len(a.asks) >= maxWaiting || !a.room.take(ask.request.Size()-before.request.Size()) {
		return false
	}
	a.asks[ask.request.ID] = ask
	return true
}

// stop notes that something said that a session has stopped.
func (a *openAsks) stop(id session.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.requestsLocked() {
		if r.Session == id && r.Permission == nil {
			a.stopped.Add(r.ID, true)
		}
	}
}

// isStoppedQuestion reports whether something said that the session of a question has
// stopped since that was heard to wait.
func (a *openAsks) isStoppedQuestion(id question.RequestID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, stopped := a.stopped.Peek(id)
	return stopped
}

// remove notes the end of an ask.
func (a *openAsks) remove(id question.RequestID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.room.give(a.asks[id].request.Size())
	delete(a.asks, id)
	if a.reading > 0 {
		delete(a.heard, id)
		a.ended[id] = true
	}
}

func (a *openAsks) get(id question.RequestID) (openAsk, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	ask, ok := a.asks[id]
	return ask, ok
}

// requests are the asks that are known to wait, and those that a listing is reading.
func (a *openAsks) requests() []question.Request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.requestsLocked()
}

func (a *openAsks) requestsLocked() []question.Request {
	list := make([]question.Request, 0, len(a.asks))
	for _, ask := range a.asks {
		list = append(list, ask.request)
	}
	return list
}

// isEmpty reports whether nothing is known to wait.
func (a *openAsks) isEmpty() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.asks) == 0
}

// isKnownEmpty reports whether a listing has succeeded, and nothing waits.
func (a *openAsks) isKnownEmpty() bool { return a.wasListed() && a.isEmpty() }

// wasListed reports whether a listing has succeeded.
func (a *openAsks) wasListed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.listed
}

// sharesCallWithAny reports whether an ask names the same tool call as another one.
func sharesCallWithAny(r question.Request, others []question.Request) bool {
	return slices.ContainsFunc(others, func(o question.Request) bool { return sharesCall(r, o) })
}
