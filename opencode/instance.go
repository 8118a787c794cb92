package opencode

import (
	"context"
	"sync/atomic"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
)

// instance is one origin: an OpenCode process and directory, by one way. It turns what that OpenCode says into events. One
// thing is read and emitted after another, in the order in which it was said: what takes time has a time limit.
type instance struct {
	origin   session.Origin
	client   *Client
	names    *sessionNames
	emit     func(event.Event)
	inOrder  *inOrder
	asks     *openAsks
	words    *lastWords
	life     context.Context
	end      context.CancelFunc
	listings atomic.Int32 // that are under way or wait for their turn
}

func newInstance(o session.Origin, c *Client, names *sessionNames, emit func(event.Event)) *instance {
	i := &instance{origin: o, client: c, names: names, emit: emit, inOrder: newInOrder(), asks: newOpenAsks(new(room)), words: newLastWords()}
	i.life, i.end = context.WithCancel(context.Background())
	return i
}

// listLimit bounds what a listing reads of single asks: what is read later is emitted without.
const listLimit = 5 * time.Second

// refresh lists everything that waits, and emits it as Opened. What an aborted turn left
// listed does not wait.
func (i *instance) refresh(ctx context.Context) error {
	if ctx.Err() != nil { // it has stopped: nothing is emitted behind its end
		return ctx.Err()
	}
	list, waits, err := i.client.Pending(ctx)
	if err != nil {
		return err
	}
	i.asks.putUnknown(list)
	short, cancel := context.WithTimeout(ctx, listLimit)
	defer cancel()
	var bare []question.Request
	var found []openAsk
	var asks []event.Ask
	for _, r := range list {
		if waits(short, r) {
			r = i.offered(short, r)
			bare, found = append(bare, r), append(found, i.readCall(short, r, list))
			asks = append(asks, event.Ask{Place: i.placeOf(short, r)})
		}
	}
	heard := i.asks.requests()
	for n, r := range bare {
		if sharesCallWithAny(r, heard) {
			found[n] = openAsk{request: r} // by now
		}
		asks[n].Request = found[n].request
	}
	i.asks.replace(found)
	i.emit(event.Event{Kind: event.Opened, Origin: i.origin, Asks: asks})
	return nil
}

// list is refresh in its turn.
func (i *instance) list(ctx context.Context) error {
	done := make(chan error, 1)
	i.inOrder.add(func() { done <- i.refresh(ctx) })
	return <-done
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
	if !i.client.isV2() || r.Permission == nil || len(r.Permission.Always) == 0 {
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

// emitAsk emits an ask when its tool call was read.
func (i *instance) emitAsk(ctx context.Context, r question.Request) {
	if _, known := i.asks.get(r.ID); !known {
		i.asks.put(openAsk{request: r, isNew: true})
	}
	said := i.words.before(r.Session)
	i.inOrder.add(func() {
		r := i.offered(ctx, r)
		ask := i.readCall(ctx, r, i.asks.requests())
		if sharesCallWithAny(r, i.asks.requests()) {
			ask = openAsk{request: r} // by now
		}
		i.asks.put(ask)
		told := event.Ask{Request: ask.request, Place: i.placeOf(ctx, r), Said: said}
		i.emit(event.Event{Kind: event.Asked, Origin: i.origin, Asks: []event.Ask{told}})
	})
}

// emitCall emits a question tool call that is about to ask, at once: with its place if that is known, as one that came later
// would be one more edit.
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
	i.inOrder.add(func() {
		i.asks.remove(e.ID)
		i.emit(e)
	})
}

// learnName emits the new name of a session if something waits.
func (i *instance) learnName(s session.Session) {
	before, known := i.names.get(s.ID)
	i.names.put(s)
	if known && before.Title == s.Title || i.asks.isEmpty() {
		return
	}
	i.inOrder.add(i.emitNames)
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

// emitInOrder emits something behind what was heard before.
func (i *instance) emitInOrder(e event.Event) {
	e.Origin = i.origin
	i.inOrder.add(func() { i.emit(e) })
}

// emitTouched emits a reason to look.
func (i *instance) emitTouched(session session.ID) {
	i.emitInOrder(event.Event{Kind: event.Touched, Session: session})
}

// stopAs stops, and emits that nothing can be reached there any more when all that was heard is
// emitted; empty: another one has replaced it.
func (i *instance) stopAs(kind event.Kind) {
	i.end()
	i.inOrder.wait()
	if kind != "" {
		i.emit(event.Event{Kind: kind, Origin: i.origin})
	}
}
