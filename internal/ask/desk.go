package ask

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"slices"
	"sync"
	"time"

	"hermes/internal/question"
)

// Desk brings asks to people and answers to askers. Its methods are safe for concurrent
// use.
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

// Origin is where an ask about a directory comes from. It is persisted with every ask.
func Origin(directory string) question.Origin {
	return question.Origin{Way: question.AskAPI, Directory: directory}
}

// Owns reports whether the thread is an ask.
func Owns(t question.Thread) bool {
	return slices.ContainsFunc(t.Origins, func(o question.Origin) bool { return o.Way == question.AskAPI })
}

// Submit asks, and returns the ask's id: that of its idempotency key, else a random
// one. Whether it was stored, or was there before, the events' taker knows.
func (d *Desk) Submit(a question.Ask) question.RequestID {
	if a.Request.ID == "" {
		var b [15]byte
		rand.Read(b[:]) // never fails: crypto/rand
		a.Request.ID = question.RequestID("ask_" + base64.RawURLEncoding.EncodeToString(b[:]))
	}
	d.events(question.Event{Kind: question.Asked, Origin: Origin(a.Directory), Asks: []question.Ask{a}})
	return a.Request.ID
}

// Asker is the program behind the asks of one origin, as their agent: an ask waits until
// it is answered or rejected, and nothing else ends one.
type Asker struct {
	desk   *Desk
	origin question.Origin
}

// Asker is the one of an origin that an ask was stored with.
func (d *Desk) Asker(o question.Origin) Asker { return Asker{d, o} }

// Look finds every ask open: one that has ended is not looked for.
func (a Asker) Look(context.Context, question.Request) (question.Finding, error) {
	return question.Finding{Kind: question.FoundOpen}, nil
}

// Resolve gives the request itself: asks have their ids from the beginning.
func (a Asker) Resolve(_ context.Context, r question.Request) (question.Request, bool, error) {
	return r, true, nil
}

// Reply ends an ask with answers.
func (a Asker) Reply(_ context.Context, r question.Request, answers question.Answers) error {
	a.desk.end(question.Event{Kind: question.Replied, Origin: a.origin, ID: r.ID, Answers: answers})
	return nil
}

// Reject ends an ask without. The note is for the asker of a permission.
func (a Asker) Reject(_ context.Context, r question.Request, note string) error {
	a.desk.end(question.Event{Kind: question.Rejected, Origin: a.origin, ID: r.ID, Note: note})
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
