package rig

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/daemon"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending"
)

// FillStore makes open questions that were shown, of an OpenCode that is away, and
// settled ones.
func FillStore(b *testing.B, s *pending.Store, open, settled int) {
	b.Helper()
	make1 := func(i int) question.Thread {
		id := question.NewID()
		return question.Thread{
			ID: id, Request: question.Request{
				ID: question.RequestID(fmt.Sprintf("que_%d_%s", i, id)), Session: "ses_1", Message: "msg_1", Call: "call_1",
				Items: []question.Item{{Header: "Database", Text: "Which database?", Options: []question.Option{{Label: "A"}, {Label: "B"}}}},
			},
			Origins: []session.Origin{{Way: session.Link, Process: "gone", Directory: "/home/ada/other"}},
			Asked:   time.Now(), Rev: 1, Cards: []question.Card{{Chat: 7, Messages: []chat.MessageID{chat.MessageID(i + 1)}, Rev: 1}},
		}
	}
	var c storage.Change
	for i := range open {
		c.Threads = append(c.Threads, make1(i))
	}
	for i := range settled {
		t := make1(open + i)
		t.Outcome = &question.Outcome{Kind: question.OutcomeAnswered, At: time.Now()}
		c.Retired = append(c.Retired, t)
	}
	if err := s.Commit(c); err != nil {
		b.Fatal(err)
	}
}

// Lease is a lease on a shared store that is never lost.
type Lease struct{}

// Valid implements database.Right, as do Done and Err.
func (Lease) Valid() error { return nil }

// Done never ends.
func (Lease) Done() <-chan struct{} { return nil }

// Err is nil.
func (Lease) Err() error { return nil }

// Reach always does.
func (Lease) Reach(context.Context) error { return nil }

// Epoch implements database.Figures, as do Reach, Age and Delay.
func (Lease) Epoch() int64 { return 7 }

// Age is how long ago it was renewed.
func (Lease) Age() time.Duration { return 1500 * time.Millisecond }

// Delay is how long that took.
func (Lease) Delay() time.Duration { return 4 * time.Millisecond }

// WithLease lets the daemon act by a lease.
func WithLease(out daemon.Outside) daemon.Outside {
	out.Turn = Lease{}
	return out
}
