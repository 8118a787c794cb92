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
	words    *lastWords
	turn     chan struct{} // holds one while Opened or an end is noted and emitted
	life     context.Context
	end      context.CancelFunc
	stopped  sync.Once
	listings chan struct{} // holds one for the listing that is under way, and one for that which follows
	listing  chan struct{} // holds one while a listing is under way
}

func newInstance(o session.Origin, c *Client, names *sessionNames, emit func(event.Event)) *instance {
	i := &instance{
		origin: o, client: c, names: names, emit: emit, lanes: newLanes(), asks: newOpenAsks(new(room)), words: newLastWords(),
		turn: make(chan struct{}, 1), listings: make(chan struct{}, 2), listing: make(chan struct{}, 1),
	}
	i.life, i.end = context.WithCancel(context.Background())
	return i
}

// refresh lists everything that waits, and emits it as Opened. What an aborted turn left
// listed does not wait, nor does what ended while it was read.
func (i *instance) refresh(ctx context.Context) error {
	i.asks.beginListing()
	defer i.asks.endListing()
	list, busy, err := i.client.listWithBusy(ctx, func() ([]question.Request, error) { return i.client.Pending(ctx) })
	if err != nil {
		return err
	}
	short, cancel := context.WithTimeout(ctx, placeTimeout)
	for n := range list {
		list[n] = i.offered(short, list[n])
	}
	cancel()
	i.asks.addListed(list)
	found, places := i.readAll(ctx, list, busy)
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
func (i *instance) readAll(ctx context.Context, list []question.Request, busy map[session.ID]bool) ([]openAsk, []session.Place) {
	found, places := make([]openAsk, len(list)), make([]session.Place, len(list))
	var reading sync.WaitGroup
	slots := make(chan struct{}, maxReading)
	for n, r := range list {
		slots <- struct{}{}
		reading.Go(func() {
			if i.mayWait(ctx, r, busy) {
				found[n], places[n] = i.readCall(ctx, r, list), i.placeOf(ctx, r)
			}
			<-slots
		})
	}
	reading.Wait()
	return found, places
}

// mayWait reports false only when it is certain that no agent waits any more.
func (i *instance) mayWait(ctx context.Context, r question.Request, busy map[session.ID]bool) bool {
	f, err := i.client.findListed(ctx, r, busy)
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

// noProject is what OpenCode 2 names the project of every folder that has no repository, or one without commits. What is
// always allowed there holds in all of them (measured on a preview of 2.0).
const noProject = "global"

// offered is an ask as people are to see it: without Always where that is not known to hold for one project alone.
func (i *instance) offered(ctx context.Context, r question.Request) question.Request {
	if i.client.V2 == nil || r.Permission == nil || len(r.Permission.Always) == 0 {
		return r
	}
	ctx, cancel := context.WithTimeout(ctx, placeTimeout)
	defer cancel()
	if s, err := i.names.find(ctx, i.client, r.Session); err == nil && s.Project != "" && s.Project != noProject {
		return r
	}
	p := *r.Permission
	p.Always, r.Permission = nil, &p
	return r
}

// emitAsk emits an ask as soon as its tool call was read.
func (i *instance) emitAsk(ctx context.Context, r question.Request) {
	if _, known := i.asks.get(r.ID); !known {
		i.asks.putHeard(openAsk{request: r})
	}
	said := i.words.before(r.Session)
	i.lanes.startRead(r.Session, func() {
		r := i.offered(ctx, r)
		ask := i.readCall(ctx, r, i.asks.requests())
		if sharesCallWithAny(r, i.asks.requests()) {
			ask = openAsk{request: r} // by now
		}
		i.asks.putHeard(ask)
		told := event.Ask{Request: ask.request, Place: i.placeOf(ctx, r), Said: said}
		i.emit(event.Event{Kind: event.Asked, Origin: i.origin, Asks: []event.Ask{told}})
	})
}

// emitCall emits a call that is about to ask, at once: with its place if that is known.
func (i *instance) emitCall(r question.Request) {
	ask := event.Ask{Request: r, Said: i.words.before(r.Session)}
	if place, known := i.names.knownPlace(r.Session); known {
		ask.Place = place
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
func (i *instance) learnName(s session.Session) {
	before, known := i.names.get(s.ID)
	i.names.put(s)
	if known && before.Title == s.Title || i.asks.isEmpty() {
		return
	}
	i.lanes.onceAfterReads(s.ID, event.Named, i.emitNames)
}

// emitNames emits the present titles of the sessions in which something waits. Those that are not
// known come with the next listing.
func (i *instance) emitNames() {
	var asks []event.Ask
	for _, r := range i.asks.requests() {
		if place, known := i.names.knownPlace(r.Session); known {
			asks = append(asks, event.Ask{Request: r, Place: place})
		}
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

// stopAs stops, and emits that nothing can be reached there any more when all that was heard is
// emitted; empty: another one has replaced it.
func (i *instance) stopAs(kind event.Kind) {
	i.end()
	i.stopped.Do(func() {
		for range cap(i.listings) {
			i.listings <- struct{}{} // when those have ended; none begins any more
		}
	})
	i.lanes.wait()
	if kind != "" {
		i.emit(event.Event{Kind: kind, Origin: i.origin})
	}
}
