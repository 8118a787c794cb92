package inprocess

import (
	"net/http"
	"sync"
	"time"
)

// Frames is the queue of one open event stream. It has no limit, so a slow
// reader delays nobody. It is safe for concurrent use.
type Frames struct {
	mu     sync.Mutex
	frames [][]byte
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
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *Frames) take() (frames [][]byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	frames, q.frames = q.frames, nil
	return frames
}

// Stream writes the queue until the client goes or the stream is cut; what was
// said before that is written. Beat is called again and again.
func (q *Frames) Stream(w http.ResponseWriter, r *http.Request, every time.Duration, beat func(), cut <-chan struct{}) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for q.send(w) {
		select {
		case <-q.wake:
		case <-ticker.C:
			beat()
		case <-r.Context().Done():
			return
		case <-cut:
			q.send(w)
			panic(http.ErrAbortHandler)
		}
	}
}

// send writes what is queued. It reports whether the stream goes on.
func (q *Frames) send(w http.ResponseWriter) bool {
	for _, f := range q.take() {
		if _, err := w.Write(f); err != nil {
			return false
		}
	}
	if fl, ok := w.(http.Flusher); ok {
		fl.Flush()
	}
	return true
}
