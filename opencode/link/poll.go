package link

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// serveCalls answers GET /v1/link/{id}/calls.
func (h *Hub) serveCalls(w http.ResponseWriter, r *http.Request, l *Link) {
	given := r.URL.Query().Get("after")
	after, err := strconv.Atoi(given)
	if given != "" && (err != nil || after < 0) {
		refuse(w, http.StatusBadRequest, `"after" must be the id of a call`)
		return
	}
	h.tellSeen(l)
	poll, newer := l.startPoll(after)
	news := h.newsFor(r)
	batch := l.nextCalls(r.Context(), newer, news, h.config.Poll)
	l.startGrace(poll, h.graceAfter(r.Context()), h.closeLost)
	told := Handed{Calls: append([]Call{}, batch...), Follow: news()}
	switch {
	case len(batch) > 0 || told.Follow != nil && l.Reason() == Open:
		answer(w, told)
	case l.Reason() != Open:
		refuseUnknown(w)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// startPoll takes over from an older poll, and queues again what was handed out but did not arrive.
func (l *Link) startPoll(after int) (poll int, newer <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.poll++
	close(l.newer)
	l.newer = make(chan struct{})
	if l.timer != nil {
		l.timer.Stop()
	}
	for number, c := range l.handed {
		if number > after {
			delete(l.handed, number)
			l.queue = append(l.queue, c)
		}
	}
	slices.SortFunc(l.queue, func(a, b *pendingCall) int { return cmp.Compare(a.number, b.number) })
	return l.poll, l.newer
}

// nextCalls waits for calls; none if there were none for wait, there is news of what is followed, or the poll is over for another reason.
func (l *Link) nextCalls(ctx context.Context, newer <-chan struct{}, news func() *FollowList, wait time.Duration) []Call {
	enough := time.NewTimer(wait)
	defer enough.Stop()
	for {
		if batch := l.takeCalls(ctx, newer); len(batch) > 0 || news() != nil {
			return batch
		}
		select {
		case <-l.wake:
		case <-enough.C:
			return nil
		case <-ctx.Done():
			return nil
		case <-newer:
			l.wakePoll() // it may have been this poll that was woken
			return nil
		case <-l.done:
			return nil
		}
	}
}

// takeCalls hands out what is queued, to a poll that still has someone to give it to.
func (l *Link) takeCalls(ctx context.Context, newer <-chan struct{}) []Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-newer:
		return nil
	default:
	}
	if ctx.Err() != nil || l.reason != Open {
		return nil
	}
	n := countFitting(l.queue)
	batch := make([]Call, 0, n)
	for _, c := range l.queue[:n] {
		l.handed[c.number] = c
		batch = append(batch, c.wire)
	}
	l.queue = slices.Delete(l.queue, 0, n)
	return batch
}

// countFitting is how many of the queued calls one answer holds: one at least.
func countFitting(queue []*pendingCall) int {
	size := 0
	for n, c := range queue {
		if size += len(c.wire.Body); n == maxBatch || n > 0 && size > maxCallBody {
			return n
		}
	}
	return len(queue)
}

// wakePoll makes the poll look at the queue.
func (l *Link) wakePoll() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Call is a call as the plugin gets it: see RoundTripper.
type Call struct {
	ID     string            `json:"id"` // decimal, counted from 1
	Method string            `json:"method"`
	Path   string            `json:"path"`
	Query  map[string]string `json:"query,omitempty"`
	Body   json.RawMessage   `json:"body,omitempty"`
}
