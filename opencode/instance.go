package opencode

import (
	"context"
	"maps"
	"slices"
	"sync"

	"hermes/internal/question"
	v1 "hermes/opencode/v1"
)

// instance is one origin: an OpenCode process and directory, by one way. It
// turns what that OpenCode says into events.
type instance struct {
	origin question.Origin
	client *Client
	places *places
	emit   func(question.Event)
	lanes  *lanes
	beside sync.WaitGroup  // listings
	life   context.Context // ends when nothing can be reached there any more
	end    context.CancelFunc
	turn   chan struct{} // holds one while Opened or an end is noted and told

	mu       sync.Mutex
	listed   bool                           // at least once
	listings int                            // under way
	listing  bool                           // one that Gateway.list began is under way
	again    bool                           // and another is to follow it
	open     map[question.RequestID]waiting // as far as is known
	since    since                          // a listing that is under way began
}

// since is what became known since the first of the listings that are under way began: a
// listing tells what was when it began.
type since struct {
	listed map[question.RequestID]question.Request // being read
	heard  map[question.RequestID]bool             // to wait
	ended  map[question.RequestID]bool
}

func newSince() since {
	return since{
		listed: map[question.RequestID]question.Request{},
		heard:  map[question.RequestID]bool{}, ended: map[question.RequestID]bool{},
	}
}

// waiting is an ask that waits, and whether its tool call was read.
type waiting struct {
	request  question.Request
	detailed bool
}

func newInstance(o question.Origin, c *Client, p *places, emit func(question.Event)) *instance {
	i := &instance{
		origin: o, client: c, places: p, emit: emit, lanes: newLanes(),
		open: map[question.RequestID]waiting{}, turn: make(chan struct{}, 1),
	}
	i.life, i.end = context.WithCancel(context.Background())
	return i
}

// refresh lists everything that waits, and tells it as Opened.
func (i *instance) refresh(ctx context.Context) error {
	i.beginReading()
	defer i.endReading()
	list, busy, err := i.client.listWithBusy(ctx, func() ([]question.Request, error) { return i.client.Pending(ctx) })
	if err != nil {
		return err
	}
	i.noteListed(list)
	i.opened(ctx, list, busy)
	return nil
}

func (i *instance) beginReading() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.listings++; i.listings == 1 {
		i.since = newSince()
	}
}

func (i *instance) endReading() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.listings--; i.listings == 0 {
		i.since = since{}
	}
}

// noteListed lets asks that are heard while the list is read know of those in it.
func (i *instance) noteListed(list []question.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, r := range list {
		if len(i.since.listed) < maxWaiting && !i.since.ended[r.ID] {
			i.since.listed[r.ID] = r
		}
	}
}

// opened tells what waits. What an aborted turn left listed does not, nor what ended while
// it was read.
func (i *instance) opened(ctx context.Context, list []question.Request, busy map[question.SessionID]bool) {
	found, places := i.readAll(ctx, list, busy)
	i.inTurn(func() {
		asks := i.takeIn(list, found, places)
		i.emit(question.Event{Kind: question.Opened, Origin: i.origin, Asks: asks})
	})
}

// inTurn lets what a listing found and the end of an ask be noted and told one after the
// other, so that none is told as open behind its end. What f tells may block: nobody whom
// it waits for may wait for this.
func (i *instance) inTurn(f func()) {
	i.turn <- struct{}{}
	defer func() { <-i.turn }()
	f()
}

// takeIn remembers what a listing found, and what was heard since it began, and nothing
// else. It returns what of the former still waits.
func (i *instance) takeIn(list []question.Request, found []waiting, places []question.Place) []question.Ask {
	i.mu.Lock()
	defer i.mu.Unlock()
	others, before := i.othersLocked(), i.open
	i.open, i.listed = map[question.RequestID]waiting{}, true
	for id := range i.since.heard {
		i.open[id] = before[id]
	}
	asks := make([]question.Ask, 0, len(list))
	for n, w := range found {
		if w.request.ID == "" || i.since.ended[w.request.ID] {
			continue
		}
		if sharing(list[n], others) {
			w = waiting{request: list[n]} // by now
		}
		i.put(w)
		asks = append(asks, question.Ask{Request: w.request, Place: places[n]})
	}
	return asks
}

// readAll reads side by side what is listed. What does not wait any more stays empty.
func (i *instance) readAll(ctx context.Context, list []question.Request, busy map[question.SessionID]bool) ([]waiting, []question.Place) {
	found, places := make([]waiting, len(list)), make([]question.Place, len(list))
	var reading sync.WaitGroup
	slots := make(chan struct{}, maxReading)
	for n, r := range list {
		slots <- struct{}{}
		reading.Go(func() {
			if i.waits(ctx, r, busy) {
				found[n], places[n] = i.detailed(ctx, r, list), i.places.of(ctx, i.client, r.Session)
			}
			<-slots
		})
	}
	reading.Wait()
	return found, places
}

// waits reports false only when it is certain that no agent waits any more.
func (i *instance) waits(ctx context.Context, r question.Request, busy map[question.SessionID]bool) bool {
	f, err := i.client.findListed(ctx, r, busy)
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

// emitAsk tells an ask as soon as its tool call was read.
func (i *instance) emitAsk(ctx context.Context, r question.Request) {
	i.mu.Lock()
	if _, known := i.open[r.ID]; !known {
		i.remember(waiting{request: r})
	}
	i.mu.Unlock()
	i.lanes.read(r.Session, func() {
		w := i.detailed(ctx, r, i.others())
		if sharing(r, i.others()) {
			w = waiting{request: r} // by now
		}
		i.mu.Lock()
		i.remember(w)
		i.mu.Unlock()
		ask := question.Ask{Request: w.request, Place: i.places.of(ctx, i.client, r.Session)}
		i.emit(question.Event{Kind: question.Asked, Origin: i.origin, Asks: []question.Ask{ask}})
	})
}

// maxWaiting bounds how many asks are remembered to wait, so that what an OpenCode says
// does not fill the memory. What is beyond is told all the same.
const maxWaiting = 1000

// remember notes that an ask is heard to wait. It is called with the lock held.
func (i *instance) remember(w waiting) {
	if i.put(w) && i.listings > 0 {
		i.since.heard[w.request.ID] = true
	}
}

// put reports false if too many asks wait. It is called with the lock held.
func (i *instance) put(w waiting) bool {
	_, known := i.open[w.request.ID]
	if !known && len(i.open) >= maxWaiting {
		return false
	}
	i.open[w.request.ID] = w
	return true
}

// others are the asks that are known to wait, and those that a listing is reading.
func (i *instance) others() []question.Request {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.othersLocked()
}

func (i *instance) othersLocked() []question.Request {
	return slices.AppendSeq(i.known(), maps.Values(i.since.listed))
}

// known are the asks that are known to wait. It is called with the lock held.
func (i *instance) known() []question.Request {
	list := make([]question.Request, 0, len(i.open)+len(i.since.listed))
	for _, w := range i.open {
		list = append(list, w.request)
	}
	return list
}

// sharing reports whether an ask says that it is of the call of another one.
func sharing(r question.Request, others []question.Request) bool {
	return slices.ContainsFunc(others, func(o question.Request) bool { return sharesCall(r, o) })
}

// detailed reads the ask's tool call, unless that was done, or cannot be: asks of several
// calls that have one id wait together with others.
func (i *instance) detailed(ctx context.Context, r question.Request, others []question.Request) waiting {
	if sharing(r, others) {
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

// emitEnd tells the end of an ask.
func (i *instance) emitEnd(e question.Event) {
	e.Origin = i.origin
	i.lanes.then(e.Session, func() {
		i.inTurn(func() {
			i.noteEnd(e.ID)
			i.emit(e)
		})
	})
}

func (i *instance) noteEnd(id question.RequestID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.open, id)
	if i.listings > 0 {
		delete(i.since.listed, id)
		delete(i.since.heard, id)
		i.since.ended[id] = true
	}
}

// learnName tells the new name of a session in which something waits.
func (i *instance) learnName(ctx context.Context, s v1.SessionInfo) {
	before, known := i.places.known(question.SessionID(s.ID))
	i.places.learn(s)
	if known && before.GivenTitle() == s.GivenTitle() {
		return
	}
	if i.waiting() {
		i.lanes.beside(question.SessionID(s.ID), question.Named, func() { i.rename(ctx) })
	}
}

// rename tells where everything that waits comes from, as it is called now.
func (i *instance) rename(ctx context.Context) {
	i.mu.Lock()
	list := i.known()
	i.mu.Unlock()
	var asks []question.Ask
	for _, r := range list {
		asks = append(asks, question.Ask{Request: r, Place: i.places.of(ctx, i.client, r.Session)})
	}
	if len(asks) > 0 {
		i.emit(question.Event{Kind: question.Named, Origin: i.origin, Asks: asks})
	}
}

// emitInOrder tells something of a session behind its asks that were heard before.
func (i *instance) emitInOrder(e question.Event) {
	e.Origin = i.origin
	i.lanes.then(e.Session, func() { i.emit(e) })
}

// emitTouched tells a reason to look, unless one waits to be told.
func (i *instance) emitTouched(session question.SessionID) {
	e := question.Event{Kind: question.Touched, Origin: i.origin, Session: session}
	i.lanes.once(session, question.Touched, func() { i.emit(e) })
}

// emitFinished tells that a session was deleted or archived, which may end its asks too.
func (i *instance) emitFinished(session question.SessionID) {
	i.emitInOrder(question.Event{Kind: question.Finished, Session: session})
}

// beginListing reports whether a listing may begin. If one is under way, another that must
// be follows it.
func (i *instance) beginListing(must bool) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.listing || i.life.Err() != nil {
		i.again = i.again || must
		return false
	}
	i.listing = true
	i.beside.Add(1)
	return true
}

// endListing reports whether another one follows.
func (i *instance) endListing() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.listing, i.again = i.again, false
	return i.listing
}

// settleDown ends listings, and returns when all that was heard is told.
func (i *instance) settleDown() {
	i.mu.Lock()
	i.end() // no listing begins from here on
	i.mu.Unlock()
	i.beside.Wait()
	i.lanes.wait()
}

// lost tells that nothing can be reached there any more, behind all that was heard.
func (i *instance) lost(kind question.EventKind) {
	i.settleDown()
	i.emit(question.Event{Kind: kind, Origin: i.origin})
}
