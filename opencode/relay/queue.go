package relay

import (
	"encoding/json"
	"errors"
	"sync"
)

// What one queue holds, and what one request to hermes takes, which may have 8 MiB.
const (
	maxQueued  = 4096     // events
	maxWaiting = 16 << 20 // bytes of them
	maxEvent   = 4 << 20
	maxBatch   = 100
	batchBytes = 1 << 20
)

// errBehind: hermes takes the events more slowly than they come.
var errBehind = errors.New("hermes takes the events more slowly than OpenCode tells them")

// queue has the events of one stream that hermes was not told yet, in order. It is safe for
// concurrent use.
type queue struct {
	mu     sync.Mutex
	events []queued
	size   int
	last   *piece        // of the last event, if that is a piece of a text
	urgent bool          // an event is among them that is more than display
	wake   chan struct{} // has room for one: something was put in
}

type queued struct {
	json  json.RawMessage
	piece *piece // its json is made when it is taken
}

// piece is a part of a text that goes on. Pieces that follow one another are told as one.
type piece struct {
	frame frame
	data  struct {
		SessionID string      `json:"sessionID"`
		Message   string      `json:"assistantMessageID"`
		Ordinal   json.Number `json:"ordinal"`
		Delta     string      `json:"delta"`
	}
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

// put adds an event. The error says that there is no room.
func (q *queue) put(f frame) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.urgent = q.urgent || !isSpoken(f.Type)
	if next := newQueued(f); q.joins(next.piece) {
		q.last.data.Delta += next.piece.data.Delta
		q.size += len(next.piece.data.Delta)
	} else {
		q.events, q.last = append(q.events, next), next.piece
		q.size += next.size()
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
	if len(q.events) > maxQueued || q.size > maxWaiting {
		return errBehind
	}
	return nil
}

// newQueued is an event as it waits.
func newQueued(f frame) queued {
	if p := pieceOf(f); p != nil {
		return queued{piece: p}
	}
	text, _ := encode(f) // of what was decoded: it never fails
	return queued{json: text}
}

// size is about how many bytes it has.
func (e queued) size() int {
	if e.piece != nil {
		return len(e.piece.data.Delta) + 256
	}
	return len(e.json)
}

// pieceOf reads a piece; nil: the event is none.
func pieceOf(f frame) *piece {
	p := piece{frame: f}
	if f.Type != "session.text.delta" || json.Unmarshal(f.Data, &p.data) != nil {
		return nil
	}
	return &p
}

// joins reports whether a piece goes on with the last event.
func (q *queue) joins(p *piece) bool {
	if q.last == nil || p == nil || len(q.last.data.Delta) > batchBytes/2 {
		return false
	}
	a, b := q.last.data, p.data
	a.Delta, b.Delta = "", ""
	return a == b && q.last.frame.Location == p.frame.Location
}

// isUrgent reports whether there is an event that is more than display.
func (q *queue) isUrgent() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.urgent
}

// take takes the events of one request; nil: there are none.
func (q *queue) take() []json.RawMessage {
	q.mu.Lock()
	defer q.mu.Unlock()
	var batch []json.RawMessage
	size := 0
	for len(q.events) > 0 && len(batch) < maxBatch {
		next := q.events[0]
		if size += next.size(); len(batch) > 0 && size > batchBytes {
			return batch
		}
		q.events, q.size = q.events[1:], q.size-next.size()
		batch = append(batch, next.text())
	}
	if len(q.events) == 0 {
		q.events, q.last, q.urgent = nil, nil, false
	}
	return batch
}

// text is the event as hermes gets it.
func (e queued) text() json.RawMessage {
	if e.piece == nil {
		return e.json
	}
	f := e.piece.frame
	f.Data, _ = encode(e.piece.data)
	text, _ := encode(f)
	return text
}
