package ask

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"sync"
	"time"

	"hermes/question"
)

// Desk brings asks to people and answers to askers. It is the agent of every ask: an
// ask waits until it is answered or rejected, and nothing else ends one. Its methods
// are safe for concurrent use.
type Desk struct {
	events func(question.Event) // returns when the event is stored

	mu     sync.Mutex
	ended  chan struct{} // closed and made anew whenever an ask has ended
	closed chan struct{}
	shut   bool
}

// New makes a Desk that tells its events to the function.
func New(events func(question.Event)) *Desk {
	return &Desk{events: events, ended: make(chan struct{}), closed: make(chan struct{})}
}

// origin is where all asks come from. It is persisted with every ask.
func origin() question.Origin { return question.Origin{Way: question.AskAPI} }

// Owns reports whether the thread is an ask.
func Owns(t question.Thread) bool { return t.From(origin()) }

// Submit asks, and returns the ask's id: that of its idempotency key, else a random
// one. Whether it was stored, or was there before, the events' taker knows.
func (d *Desk) Submit(a question.Ask) question.RequestID {
	if a.Request.ID == "" {
		var b [15]byte
		rand.Read(b[:]) // never fails: crypto/rand
		a.Request.ID = question.RequestID("ask_" + base64.RawURLEncoding.EncodeToString(b[:]))
	}
	d.events(question.Event{Kind: question.Asked, Origin: origin(), Asks: []question.Ask{a}})
	return a.Request.ID
}

// Look finds every ask open: one that has ended is not looked for.
func (d *Desk) Look(context.Context, question.Request) (question.Finding, error) {
	return question.Finding{Kind: question.FoundOpen}, nil
}

// Resolve gives the request itself: asks have their ids from the beginning.
func (d *Desk) Resolve(_ context.Context, r question.Request) (question.Request, bool, error) {
	return r, true, nil
}

// Reply ends an ask with answers.
func (d *Desk) Reply(_ context.Context, r question.Request, answers question.Answers) error {
	d.end(question.Event{Kind: question.Replied, Origin: origin(), ID: r.ID, Answers: answers})
	return nil
}

// Reject ends an ask without.
func (d *Desk) Reject(_ context.Context, r question.Request, _ string) error {
	d.end(question.Event{Kind: question.Rejected, Origin: origin(), ID: r.ID})
	return nil
}

// end wakes those who wait once the end is stored: they look for themselves.
func (d *Desk) end(e question.Event) {
	d.events(e)
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.ended)
	d.ended = make(chan struct{})
}

func (d *Desk) nextEnd() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ended
}

// Wait calls done, and again whenever an ask has ended and when the limit is over, until
// it reports true, the limit is over, ctx ends or the Desk is closed.
func (d *Desk) Wait(ctx context.Context, limit time.Duration, done func() bool) {
	enough := time.NewTimer(limit)
	defer enough.Stop()
	for {
		ended := d.nextEnd() // before the look: an end during it counts
		if done() {
			return
		}
		select {
		case <-ended:
		case <-enough.C:
			done() // what else has changed since, such as that people can see it
			return
		case <-ctx.Done():
			return
		case <-d.closed:
			return
		}
	}
}

// Close ends all waits, so that a server can stop.
func (d *Desk) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.shut {
		d.shut = true
		close(d.closed)
	}
}
