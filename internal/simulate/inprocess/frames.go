package inprocess

import (
	"net/http"
	"sync"
)

// Frames is the queue of one open event stream. It has no limit, so a slow
// reader delays nobody. It is safe for concurrent use.
type Frames struct {
	mu     sync.Mutex
	frames [][]byte
	done   bool
	wake   chan struct{}
}

// NewFrames makes an empty queue.
func NewFrames() *Frames { return &Frames{wake: make(chan struct{}, 1)} }

// Push queues the data of a frame.
func (q *Frames) Push(data []byte) { q.queue(append(append([]byte("data: "), data...), "\n\n"...)) }

// Comment queues a frame that readers skip.
func (q *Frames) Comment(text string) { q.queue([]byte(": " + text + "\n\n")) }

func (q *Frames) queue(frame []byte) {
	q.mu.Lock()
	q.frames = append(q.frames, frame)
	q.mu.Unlock()
	q.signal()
}

// Finish lets the stream end after the frames that are queued.
func (q *Frames) Finish() {
	q.mu.Lock()
	q.done = true
	q.mu.Unlock()
	q.signal()
}

// Queued is how many frames wait to be written.
func (q *Frames) Queued() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.frames)
}

// Woken gets a value when there is more to write.
func (q *Frames) Woken() <-chan struct{} { return q.wake }

func (q *Frames) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *Frames) take() (frames [][]byte, done bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	frames, q.frames = q.frames, nil
	return frames, q.done
}

// Send writes what is queued. It reports whether the stream goes on.
func (q *Frames) Send(w http.ResponseWriter) bool {
	frames, done := q.take()
	for _, f := range frames {
		if _, err := w.Write(f); err != nil {
			return false
		}
	}
	if fl, ok := w.(http.Flusher); ok {
		fl.Flush()
	}
	return !done
}
