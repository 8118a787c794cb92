package telegramsim

import (
	"context"
	"encoding/json"
	"time"
)

const (
	maxPoll       = 50 * time.Second // longer timeouts are cut
	conflictPause = 3 * time.Second  // repeated conflicts are answered late
	twoPollers    = "terminated by other getUpdates request; make sure that only one bot instance is running"
	pollAndHook   = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
	pollByWebhook = "terminated by setWebhook request"
)

// pollState is what the server remembers between polls.
type pollState struct {
	current      *poll
	offset       int
	started      time.Time
	nextConflict time.Time
}

// poll is one getUpdates.
type poll struct {
	ctx     context.Context
	limit   int
	timeout time.Duration
	ended   *refusal
	wakened bool // to come back with what there is
}

// getUpdates is the long poll: it returns when there is an update, at its
// timeout, or when another poll that has to wait, or a webhook, takes over. One that
// need not wait, for its timeout is 0 or an update is there, ends no other
// (Client.cpp:16386-16387).
func (s *Server) getUpdates(q *request) (any, *refusal) {
	p, refused := s.startPoll(q)
	if refused != nil {
		return nil, s.slowConflict(q.ctx, refused)
	}
	defer s.endPoll(p)
	deadline := time.NewTimer(p.timeout)
	defer deadline.Stop()
	for {
		batch, wake, refused := s.nextBatch(p)
		if refused != nil {
			return nil, s.slowConflict(q.ctx, refused)
		}
		if len(batch) > 0 || wake == nil || p.timeout <= 0 {
			return batch, nil
		}
		select {
		case <-wake:
		case <-deadline.C:
			return batch, nil
		case <-q.ctx.Done():
			return batch, nil
		}
	}
}

// startPoll confirms by the offset.
func (s *Server) startPoll(q *request) (*poll, *refusal) {
	p := q.params
	defer s.acting()()
	if s.hook != nil {
		return nil, conflict(pollAndHook)
	}
	s.queue.allow(p)
	limit := p.integer("limit")
	if p.text("limit") == "" {
		limit = 100
	}
	next := &poll{
		ctx:     q.ctx,
		limit:   int(min(max(limit, 1), 100)),
		timeout: min(max(0, time.Duration(p.integer("timeout"))*time.Second), maxPoll),
	}
	s.poll.slow(next, int(p.integer("offset")))
	s.queue.confirm(int(p.integer("offset")))
	return next, nil
}

// replace ends the older poll that waits, unless its client has gone already.
func (st *pollState) replace(next *poll) {
	if old := st.current; old != nil && old != next && old.ctx.Err() == nil {
		old.ended = conflict(twoPollers)
		old.ended.misuse = true
	}
	st.current = next
}

// slow holds back a client that asks for the same offset again and again.
func (st *pollState) slow(p *poll, offset int) {
	since := time.Since(st.started)
	same := offset == st.offset && !st.started.IsZero()
	if same && p.timeout < 3*time.Second && since < 3*time.Second {
		p.timeout = 3 * time.Second
	}
	if same && since < 500*time.Millisecond {
		p.limit = 1
	}
	st.offset, st.started = offset, time.Now()
}

func (s *Server) endPoll(p *poll) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.poll.current == p {
		s.poll.current = nil
	}
}

// nextBatch returns what there is and the channel that tells of a change; nil if the
// poll waits no longer.
func (s *Server) nextBatch(p *poll) ([]json.RawMessage, <-chan struct{}, *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.ended != nil {
		return nil, nil, p.ended
	}
	batch := s.queue.take(p.limit)
	if len(batch) == 0 && p.timeout > 0 && s.poll.current != p {
		s.poll.replace(p)
		s.announce()
	}
	if p.wakened {
		return batch, nil, nil
	}
	return batch, s.changed, nil
}

// slowConflict delays a conflict that follows another within three seconds.
func (s *Server) slowConflict(ctx context.Context, refused *refusal) *refusal {
	s.mu.Lock()
	now := time.Now()
	wait := s.poll.nextConflict.After(now)
	if !wait {
		s.poll.nextConflict = now.Add(conflictPause)
	}
	s.mu.Unlock()
	if wait {
		t := time.NewTimer(conflictPause)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
		}
	}
	return refused
}
