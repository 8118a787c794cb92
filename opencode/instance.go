package opencode

import (
	"context"
	"slices"
	"sync"

	"hermes/question"
)

// instance is one origin: an OpenCode process and directory, by one way. It
// turns what that OpenCode says into events.
type instance struct {
	origin question.Origin
	client *Client
	places *places
	emit   func(question.Event)

	mu     sync.Mutex
	listed bool                           // at least once
	open   map[question.RequestID]waiting // as far as is known
}

// waiting is an ask that waits, and whether its tool call was read.
type waiting struct {
	request  question.Request
	detailed bool
}

func newInstance(o question.Origin, c *Client, p *places, emit func(question.Event)) *instance {
	if c.rest == nil {
		c.rest = new(rest)
	}
	return &instance{
		origin: o, client: c, places: p, emit: emit,
		open: map[question.RequestID]waiting{},
	}
}

// refresh lists everything that waits, and tells it as Opened.
func (i *instance) refresh(ctx context.Context) error {
	list, busy, err := i.client.pending(ctx, func() ([]question.Request, error) { return i.client.Pending(ctx) })
	if err != nil {
		return err
	}
	i.opened(ctx, list, busy)
	return nil
}

// opened tells what waits. What an aborted turn left listed does not.
func (i *instance) opened(ctx context.Context, list []question.Request, busy map[question.SessionID]bool) {
	asks := make([]question.Ask, 0, len(list))
	open := map[question.RequestID]waiting{}
	for _, r := range list {
		if i.waits(ctx, r, busy) {
			open[r.ID] = i.detailed(ctx, r, list)
			asks = append(asks, question.Ask{Request: open[r.ID].request, Place: i.places.of(ctx, i.client, r.Session)})
		}
	}
	i.mu.Lock()
	i.open, i.listed = open, true
	i.mu.Unlock()
	i.emit(question.Event{Kind: question.Opened, Origin: i.origin, Asks: asks})
}

// waits reports false only when it is certain that no agent waits any more.
func (i *instance) waits(ctx context.Context, r question.Request, busy map[question.SessionID]bool) bool {
	f, err := i.client.waits(ctx, r, busy)
	return err != nil || f.Kind == question.FoundOpen
}

// waiting reports whether anything is known to wait there.
func (i *instance) waiting() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return len(i.open) > 0
}

// unlisted reports whether no listing has succeeded yet.
func (i *instance) unlisted() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return !i.listed
}

func (i *instance) asked(ctx context.Context, r question.Request) {
	i.mu.Lock()
	others := make([]question.Request, 0, len(i.open))
	for _, w := range i.open {
		others = append(others, w.request)
	}
	i.mu.Unlock()
	w := i.detailed(ctx, r, others)
	i.mu.Lock()
	i.open[r.ID] = w
	i.mu.Unlock()
	ask := question.Ask{Request: w.request, Place: i.places.of(ctx, i.client, r.Session)}
	i.emit(question.Event{Kind: question.Asked, Origin: i.origin, Asks: []question.Ask{ask}})
}

// detailed reads the ask's tool call, unless that was done, or cannot be: asks of several
// calls that have one id wait together with others.
func (i *instance) detailed(ctx context.Context, r question.Request, others []question.Request) waiting {
	if slices.ContainsFunc(others, func(o question.Request) bool { return sharesCall(r, o) }) {
		return waiting{r, false}
	}
	i.mu.Lock()
	w, known := i.open[r.ID]
	i.mu.Unlock()
	if known && w.detailed {
		return w
	}
	full, ok := i.client.Detailed(ctx, r)
	return waiting{full, ok}
}

func (i *instance) settled(e question.Event) {
	i.mu.Lock()
	delete(i.open, e.ID)
	i.mu.Unlock()
	e.Origin = i.origin
	i.emit(e)
}

// named tells the new name of a session in which something waits.
func (i *instance) named(ctx context.Context, s wireSession) {
	before, known := i.places.known(question.SessionID(s.ID))
	i.places.learn(s)
	if known && before.title() == s.title() {
		return
	}
	i.mu.Lock()
	var asks []question.Ask
	for _, w := range i.open {
		asks = append(asks, question.Ask{Request: w.request})
	}
	i.mu.Unlock()
	for n := range asks {
		asks[n].Place = i.places.of(ctx, i.client, asks[n].Request.Session)
	}
	if len(asks) > 0 {
		i.emit(question.Event{Kind: question.Named, Origin: i.origin, Asks: asks})
	}
}

func (i *instance) touched(session question.SessionID) {
	i.emit(question.Event{Kind: question.Touched, Origin: i.origin, Session: session})
}

// finished tells that a session was deleted or archived, which may end its asks too.
func (i *instance) finished(session question.SessionID) {
	i.emit(question.Event{Kind: question.Finished, Origin: i.origin, Session: session})
}

func (i *instance) lost(kind question.EventKind) {
	i.emit(question.Event{Kind: kind, Origin: i.origin})
}
