package opencode

import (
	"context"
	"errors"
	"sync"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/recent"
	"hermes/opencode/call"
	"hermes/opencode/link"
)

// maxDoubted bounds of how many asks it is remembered that the plugin was not certain.
const maxDoubted = 1000

// looks are the asks of which the plugin itself makes sure that they wait, in the moment in
// which it sends an answer: all but those of which it was not certain before. A nil one has
// none. Safe for concurrent use.
type looks struct {
	mu      sync.Mutex
	doubted *recent.Map[question.RequestID, bool]
}

func newLooks() *looks {
	return &looks{doubted: recent.New[question.RequestID, bool](maxDoubted)}
}

// covers reports whether the plugin makes sure of an ask.
func (l *looks) covers(r question.Request) bool {
	if l == nil || !hasTurns(r) || r.ID == "" || r.Message == "" {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, doubted := l.doubted.Get(r.ID)
	return !doubted
}

func (l *looks) doubt(r question.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.doubted.Put(r.ID, true)
}

// send sends what settles an ask. Where the plugin is to make sure that the ask waits and is
// not certain, a look tells, and if the ask waits, it is sent all the same; if not, the error
// says first of all that it was not.
func (c *Client) send(ctx context.Context, r question.Request, one call.Call) error {
	c.told.spend(r)
	if !c.looks.covers(r) {
		return c.Endpoint.Do(ctx, one)
	}
	ask := link.Ask{Request: string(r.ID), Session: string(r.Session), Message: string(r.Message)}
	err := c.Endpoint.Do(link.IfWaits(ctx, ask), one)
	var unsure *link.CallError
	if !errors.As(err, &unsure) || !unsure.Doubt {
		return err
	}
	c.looks.doubt(r)
	if f, failed := c.Look(ctx, r); failed != nil || f.Kind != event.FoundOpen {
		return errors.Join(err, failed)
	}
	return c.Endpoint.Do(ctx, one)
}
