package opencode

import (
	"context"
	"sync"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
)

// instance is one origin: an OpenCode process and directory, by one way. It
// turns what that OpenCode says into events.
type instance struct {
	origin   session.Origin
	client   *Client
	names    *sessionNames
	emit     func(event.Event)
	lanes    *lanes
	asks     *openAsks
	listings *listings
	words    *lastWords
	turn     chan struct{} // holds one while Opened or an end is noted and emitted
}

func newInstance(o session.Origin, c *Client, names *sessionNames, emit func(event.Event)) *instance {
	return &instance{
		origin: o, client: c, names: names, emit: emit, lanes: newLanes(), asks: newOpenAsks(new(room)), listings: newListings(),
		words: newLastWords(), turn: make(chan struct{}, 1),
	}
}

// refresh lists everything that waits, and emits it as Opened. What an aborted turn left
// listed does not wait, nor does what ended while it was read.
func (i *instance) refresh(ctx context.Context) error {
	i.asks.beginListing()
	defer i.asks.endListing()
	seen := i.client.told.looking()
	list, busy, err := i.client.listWithBusy(ctx, func() ([]question.Request, error) { return i.client.Pending(ctx) })
	if err != nil {
		return err
	}
	i.asks.addListed(list)
	found, places := i.readAll(ctx, list, busy, seen)
	i.inTurn(func() {
		asks := i.asks.replace(list, found, places)
		i.emit(event.Event{Kind: event.Opened, Origin: i.origin, Asks: asks})
	})
	return nil
}

// inTurn serializes noting and emitting the result of a listing with that of the end of an
// ask, so that no ask is emitted as open after its end. f may block while it emits; what it
// blocks on must not wait for inTurn.
func (i *instance) inTurn(f func()) {
	i.turn <- struct{}{}
	defer func() { <-i.turn }()
	f()
}

// readAll reads side by side what is listed. What does not wait any more stays empty.
func (i *instance) readAll(
	ctx context.Context, list []question.Request, busy map[session.ID]bool, seen func(question.Request, event.Finding),
) ([]openAsk, []session.Place) {
	found, places := make([]openAsk, len(list)), make([]session.Place, len(list))
	var reading sync.WaitGroup
	slots := make(chan struct{}, maxReading)
	for n, r := range list {
		slots <- struct{}{}
		reading.Go(func() {
			if i.mayWait(ctx, r, busy, seen) {
				found[n], places[n] = i.readCall(ctx, r, list), i.placeOf(ctx, r)
			}
			<-slots
		})
	}
	reading.Wait()
	return found, places
}

// mayWait reports false only when it is certain that no agent waits any more.
func (i *instance) mayWait(
	ctx context.Context, r question.Request, busy map[session.ID]bool, seen func(question.Request, event.Finding),
) bool {
	f, err := i.client.findListed(ctx, r, busy)
	if err == nil {
		seen(r, f)
	}
	return err != nil || f.Kind == event.FoundOpen
}

// readCall reads the ask's tool call, unless that was done, or cannot be: asks of several
// calls that have one id wait together with others.
func (i *instance) readCall(ctx context.Context, r question.Request, others []question.Request) openAsk {
	if sharesCallWithAny(r, others) {
		return openAsk{request: r}
	}
	if ask, known := i.asks.get(r.ID); known && ask.detailed {
		return ask
	}
	full, ok := i.client.Detailed(ctx, r)
	return openAsk{request: full, detailed: ok}
}

func (i *instance) placeOf(ctx context.Context, r question.Request) session.Place {
	return i.names.placeOf(ctx, i.client, r.Session)
}

// emitAsk emits an ask as soon as its tool call was read.
func (i *instance) emitAsk(ctx context.Context, r question.Request) {
	i.asks.addHeard(r)
	said := i.words.before(r.Session)
	i.lanes.startRead(r.Session, func() {
		ask := i.readCall(ctx, r, i.asks.others())
		if sharesCallWithAny(r, i.asks.others()) {
			ask = openAsk{request: r} // by now
		}
		i.asks.putHeard(ask)
		told := event.Ask{Request: ask.request, Place: i.placeOf(ctx, r), Said: said}
		i.emit(event.Event{Kind: event.Asked, Origin: i.origin, Asks: []event.Ask{told}})
	})
}

// emitCall emits a call that is about to ask, at once: with its place if that is known.
func (i *instance) emitCall(ctx context.Context, r question.Request) {
	ask := event.Ask{Request: r, Said: i.words.before(r.Session)}
	if i.names.has(r.Session) {
		ask.Place = i.placeOf(ctx, r)
	}
	i.emit(event.Event{Kind: event.Captured, Origin: i.origin, Asks: []event.Ask{ask}})
}

// emitEnd emits the end of an ask.
func (i *instance) emitEnd(e event.Event) {
	e.Origin = i.origin
	i.lanes.afterReads(e.Session, func() {
		i.inTurn(func() {
			i.asks.remove(e.ID)
			i.emit(e)
		})
	})
}

// learnName emits the new name of a session if something waits.
func (i *instance) learnName(ctx context.Context, s session.Session) {
	before, known := i.names.get(s.ID)
	i.names.put(s)
	if known && before.Title == s.Title || i.asks.isEmpty() {
		return
	}
	i.lanes.addSlow(s.ID, event.Named, func() { i.emitNames(ctx) })
}

// emitNames emits the present titles of the sessions in which something waits.
func (i *instance) emitNames(ctx context.Context) {
	var asks []event.Ask
	for _, r := range i.asks.requests() {
		asks = append(asks, event.Ask{Request: r, Place: i.placeOf(ctx, r)})
	}
	if len(asks) > 0 {
		i.emit(event.Event{Kind: event.Named, Origin: i.origin, Asks: asks})
	}
}

// emitInOrder emits something of a session behind its asks that were heard before.
func (i *instance) emitInOrder(e event.Event) {
	e.Origin = i.origin
	i.lanes.afterReads(e.Session, func() { i.emit(e) })
}

// emitTouched emits a reason to look, unless one is queued already.
func (i *instance) emitTouched(session session.ID) {
	e := event.Event{Kind: event.Touched, Origin: i.origin, Session: session}
	i.lanes.onceAfterReads(session, event.Touched, func() { i.emit(e) })
}

// stop ends listings, and returns when all that was heard is emitted.
func (i *instance) stop() {
	i.listings.stop()
	i.lanes.wait()
}

// stopAs stops, and emits that nothing can be reached there any more.
func (i *instance) stopAs(kind event.Kind) {
	i.stop()
	i.emit(event.Event{Kind: kind, Origin: i.origin})
}
