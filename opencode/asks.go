package opencode

import (
	"slices"
	"sync"
	"sync/atomic"

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

// openAsk is an ask that waits.
type openAsk struct {
	request  question.Request
	detailed bool // its tool call was read
	isNew    bool // it was heard, and not emitted yet
}

// openAsks are the asks that are known to wait in an instance, from listings and events. Safe for concurrent use.
type openAsks struct {
	room *room

	mu      sync.Mutex
	asks    map[question.RequestID]openAsk
	stopped *recent.Map[question.RequestID, bool] // questions, also of those that wait no more, whose session was said to have stopped
	listed  bool                                  // at least once
}

func newOpenAsks(r *room) *openAsks {
	return &openAsks{room: r, asks: map[question.RequestID]openAsk{}, stopped: recent.New[question.RequestID, bool](maxWaiting)}
}

// replace remembers what a listing found and what was heard since it began, and nothing else.
func (a *openAsks) replace(found []openAsk) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.listed = true
	for id, ask := range a.asks {
		if !ask.isNew {
			a.room.give(ask.request.Size())
			delete(a.asks, id)
		}
	}
	for _, ask := range found {
		a.putLocked(ask)
	}
}

// putUnknown notes those of a list that is about to be read: something may be heard of them meanwhile.
func (a *openAsks) putUnknown(list []question.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range list {
		if _, known := a.asks[r.ID]; !known {
			a.putLocked(openAsk{request: r})
		}
	}
}

// put notes an ask that waits, unless too many do, or too large ones.
func (a *openAsks) put(ask openAsk) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.putLocked(ask)
}

func (a *openAsks) putLocked(ask openAsk) {
	before, known := a.asks[ask.request.ID]
	if !known && len(a.asks) >= maxWaiting || !a.room.take(ask.request.Size()-before.request.Size()) {
		return
	}
	a.asks[ask.request.ID] = ask
}

// stop notes that something said that a session has stopped.
func (a *openAsks) stop(id session.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, ask := range a.asks {
		if r := ask.request; r.Session == id && r.Permission == nil {
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
}

func (a *openAsks) get(id question.RequestID) (openAsk, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	ask, ok := a.asks[id]
	return ask, ok
}

// requests are the asks that are known to wait.
func (a *openAsks) requests() []question.Request {
	a.mu.Lock()
	defer a.mu.Unlock()
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
