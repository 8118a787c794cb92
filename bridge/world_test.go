package bridge_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/intake"
	"hermes/internal/loop"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending"
)

const (
	adaChat = chat.ID(1)
	bobChat = chat.ID(2)
	ada     = chat.UserID(11)
	bob     = chat.UserID(12)
)

var errFault = errors.New("injected fault")

// fate is what becomes of one operation: a fault hook's answer.
type fate struct {
	apply   bool
	err     error
	certain bool // with err: it is known that nothing was sent
}

var fine = fate{apply: true}

// world is an OpenCode, a Telegram and a store, with a bridge between them that
// can be killed and started again. It must live in a synctest bubble.
type world struct {
	t     *testing.T
	path  string
	alter func(*bridge.Config)
	mu    sync.Mutex
	fault func(op string) fate // for everything that leaves the bridge
	turns atomic.Int64         // what a test read before a wait happens before what follows it

	agent *agent
	chat  *phone

	store  *pending.Store
	bridge *bridge.Bridge
	intake *intake.Intake // by which people reach the bridge
	kills  atomic.Int64
	fell   func()       // called when a commit that failed has ended hermes; nil: nothing
	dead   *atomic.Bool // of the running generation: its effects count no more
	loop   *loop.Loop
	stop   context.CancelFunc
	ended  chan struct{}
	update chat.UpdateID
	inputs []input // all that people did, as the bridge was told
}

// input is what a person did, and when the bridge was told.
type input struct {
	at time.Time
	inbound.Input
}

func newWorld(t *testing.T, alter func(*bridge.Config)) *world {
	w := &world{t: t, path: filepath.Join(t.TempDir(), "hermes.db"), alter: alter}
	w.fault = func(string) fate { return fine }
	w.agent = &agent{w: w, up: true, requests: map[question.RequestID]*asked{}}
	w.chat = &phone{w: w, screens: map[chat.ID]map[chat.MessageID]*screen{}}
	return w
}

// start begins a generation of the bridge, as a new process would.
func (w *world) start() {
	store, err := pending.Open(w.path, pending.Options{NoSync: true})
	must(w.t, err)
	dead := &atomic.Bool{}
	w.store, w.dead = store, dead
	c := bridge.Config{
		Loop: loop.New(5 * time.Second), Store: faultyStore{store, w, dead}, Chat: phoneOf{w.chat, dead},
		Agents: func(o session.Origin) (bridge.Agent, bool) {
			return agentOf{w.agent, dead}, w.agent.reaches(o)
		},
		Log:   slog.New(slog.NewTextHandler(io.Discard, nil)),
		Rules: policy.Everyone([]chat.UserID{ada, bob}, []policy.Target{{Chat: adaChat}, {Chat: bobChat}}),
		TTL:   30 * time.Minute, OnExpiry: question.ExpireReject,
		ResolveAttempts: 20, ResolveInterval: 300 * time.Millisecond,
	}
	if w.alter != nil {
		w.alter(&c)
	}
	var in *intake.Intake
	c.Sending = func(id chat.ID) func() { return in.SendingCard(id) }
	w.bridge = bridge.New(c)
	in = intake.New(c.Loop, w.bridge, nil)
	w.loop, w.intake = c.Loop, in
	w.run()
}

// inLoop runs f in the loop.
func (w *world) inLoop(f func()) { must(w.t, w.loop.Do(context.Background(), f)) }

func (w *world) run() {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	b, in, l := w.bridge, w.intake, w.loop
	w.stop, w.ended = stop, ended
	go func() {
		if err := l.Run(ctx, b.Start, b.End); err != nil && !errors.Is(err, errFault) {
			w.t.Error("the bridge ended:", err)
		}
		close(ended)
	}()
	inbox, err := w.store.Inbox()
	must(w.t, err)
	for _, u := range inbox {
		w.inputs = append(w.inputs, input{time.Now(), w.chat.sent[u.ID]})
		in.Handle(context.Background(), w.chat.sent[u.ID])
	}
	w.agent.list()
}

// kill ends the generation as SIGKILL would: nothing it does from now on has an
// effect, and what it had not stored is gone.
func (w *world) kill() {
	w.dead.Store(true)
	w.kills.Add(1)
	w.stop()
	<-w.ended
	synctest.Wait() // what the phone still shows counts, as the store is open until then
	for chat, screens := range w.chat.screens {
		for id, s := range screens {
			_, known, err := w.store.Find(storage.Key{Chat: chat, Message: id})
			s.lost = s.lost || !known || err != nil
		}
	}
	must(w.t, w.store.Close())
}

func (w *world) restart() {
	w.kill()
	w.start()
}

// wait lets time pass, and everything that is due happen. A commit that fails ends hermes; like a service manager, wait starts it again.
func (w *world) wait(d time.Duration) {
	w.turns.Add(1)
	time.Sleep(d)
	synctest.Wait()
	if w.dead.Load() {
		if w.fell != nil {
			w.fell()
		}
		w.restart()
		synctest.Wait()
	}
	w.wantRuled()
}

// wantRuled fails the test unless all that is open is as the rules have it now.
func (w *world) wantRuled() {
	w.t.Helper()
	wrong, err := w.bridge.Unruled(context.Background())
	if err != nil && !errors.Is(err, loop.ErrEnded) {
		w.t.Error(err)
	}
	for _, one := range wrong {
		w.t.Error(one)
	}
}

// faultyStore is the real store behind the fault hook. A commit that fails ends the generation: nothing that it does later has an effect.
type faultyStore struct {
	*pending.Store
	w    *world
	dead *atomic.Bool
}

func (s faultyStore) Commit(c storage.Change) error {
	f := s.w.fate("commit", s.dead)
	if f.apply {
		if err := s.Store.Commit(c); err != nil {
			return err
		}
	}
	if f.err != nil {
		s.dead.Store(true)
	}
	return f.err
}

func (s faultyStore) Find(k storage.Key) (question.Thread, bool, error) {
	return s.Store.Find(k)
}

func (w *world) fate(op string, dead *atomic.Bool) fate {
	w.turns.Load()
	if dead.Load() {
		return fate{err: errFault}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fault(op)
}

func (w *world) setFault(f func(op string) fate) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = f
}

// agent is OpenCode: what it has asked, and what it was told.
type agent struct {
	w     *world
	mu    sync.Mutex
	up    bool
	life  int // changes when the process is restarted
	count int
	slow  time.Duration // between a reply's effect and its answer

	resolved string         // where its directory is by the word of its machine
	at       session.Origin // where it is; zero: at a direct server

	refuses func(question.Answers) error // what the server says of answers that it does not take; nil: it takes all

	modern bool // a decision without an effect is an error: OpenCode since 1.15.8
	second bool // it is OpenCode 2, where a dismissal and a stop read alike

	requests map[question.RequestID]*asked
}

type asked struct {
	request question.Request
	life    int
	found   event.FindingKind
	answers question.Answers
	replies int // that had an effect
	listed  bool
	sentAt  []time.Time // when hermes sent something that arrived
	leave   *leave      // nil: it is a question
}

func (a *agent) origin() session.Origin {
	if a.at != (session.Origin{}) {
		return a.at
	}
	return session.Origin{Way: session.Direct, Process: "http://opencode", Directory: "/home/ada/shop-api", Resolved: a.resolved}
}

func (a *agent) reaches(session.Origin) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.up
}

// ask makes the agent ask, and returns the request's id.
func (a *agent) ask(items ...question.Item) question.RequestID {
	a.mu.Lock()
	a.count++
	id := question.RequestID("que_" + string(rune('a'+a.count)))
	r := question.Request{ID: id, Protocol: session.V1, Session: session.ID("ses_" + string(id)), Items: items, Call: "call", Message: "msg"}
	a.requests[id] = &asked{request: r, found: event.FoundOpen, life: a.life, listed: true}
	up := a.up
	a.mu.Unlock()
	if up {
		a.event(event.Event{Kind: event.Asked, Asks: []event.Ask{{Request: r}}})
	}
	return id
}

// event tells the bridge something, unless the event is lost.
func (a *agent) event(e event.Event) {
	e.Origin = a.origin()
	if a.w.fate("event", a.w.dead).apply {
		b := a.w.bridge
		go b.Event(e)
	}
}

// list tells what waits, as after every connection.
func (a *agent) list() {
	a.mu.Lock()
	var asks []event.Ask
	for _, r := range a.requests {
		if r.found == event.FoundOpen {
			asks = append(asks, event.Ask{Request: r.request})
		}
	}
	up := a.up
	a.mu.Unlock()
	if up {
		b, e := a.w.bridge, event.Event{Kind: event.Opened, Origin: a.origin(), Asks: asks}
		go b.Event(e)
	}
}

// settle is what happens at the terminal.
func (a *agent) settle(id question.RequestID, kind event.FindingKind, answers question.Answers) {
	a.mu.Lock()
	r := a.requests[id]
	open := r.found == event.FoundOpen
	if open {
		r.found, r.answers = kind, answers
	}
	a.mu.Unlock()
	if open {
		a.tell(r)
	}
}

func (a *agent) tell(r *asked) {
	a.mu.Lock()
	e := event.Event{Kind: event.Touched, Session: r.request.Session}
	switch r.found {
	case event.FoundAnswered:
		e = event.Event{Kind: event.Replied, ID: r.request.ID, Session: r.request.Session, Answers: r.answers}
	case event.FoundDismissed:
		e = event.Event{Kind: event.Rejected, ID: r.request.ID, Session: r.request.Session}
	}
	a.mu.Unlock()
	a.event(e)
}

func (a *agent) down() {
	a.mu.Lock()
	a.up = false
	a.mu.Unlock()
	b, e := a.w.bridge, event.Event{Kind: event.Lost, Origin: a.origin()}
	go b.Event(e)
}

// close ends it for good.
func (a *agent) close() {
	a.mu.Lock()
	a.up = false
	a.mu.Unlock()
	b, e := a.w.bridge, event.Event{Kind: event.Closed, Origin: a.origin()}
	go b.Event(e)
}

// comeBack makes it reachable again; with forget it is a new process.
func (a *agent) comeBack(forget bool) {
	a.mu.Lock()
	a.up = true
	for _, r := range a.requests {
		if forget && (r.found == event.FoundOpen || r.running()) {
			if r.leave != nil {
				r.leave.begun = r.running()
			}
			r.found = event.FoundForgotten
		}
	}
	a.mu.Unlock()
	a.list()
}

// agentOf is the agent as one generation of the bridge reaches it.
type agentOf struct {
	*agent
	dead *atomic.Bool
}

func (a agentOf) Look(_ context.Context, r question.Request) (event.Finding, error) {
	f := a.w.fate("look", a.dead)
	a.mu.Lock()
	defer a.mu.Unlock()
	if f.err != nil || !a.up {
		return event.Finding{}, errFault
	}
	return a.requests[r.ID].look(), nil
}

func (a agentOf) Resolve(_ context.Context, r question.Request) (question.Request, bool, error) {
	f := a.w.fate("resolve", a.dead)
	a.mu.Lock()
	defer a.mu.Unlock()
	if f.err != nil || !a.up {
		return r, false, errFault
	}
	for _, is := range a.requests {
		if is.request.Session == r.Session && is.found == event.FoundOpen {
			return is.request, true, nil
		}
	}
	return r, false, nil
}

func (a agentOf) Reply(_ context.Context, r question.Request, answers question.Answers) error {
	if r.Permission != nil {
		return a.decideOver(r, answers[0][0], "")
	}
	if a.refuses != nil {
		if err := a.refuses(answers); err != nil {
			return err
		}
	}
	return a.take(r, event.FoundAnswered, answers)
}

func (a agentOf) Reject(_ context.Context, r question.Request, note string) error {
	if r.Permission != nil {
		return a.decideOver(r, "reject", note)
	}
	if a.second {
		return a.take(r, event.FoundCancelled, nil)
	}
	return a.take(r, event.FoundDismissed, nil)
}

func (a agentOf) take(r question.Request, kind event.FindingKind, answers question.Answers) error {
	f := a.w.fate("deliver", a.dead)
	a.mu.Lock()
	is := a.requests[r.ID]
	applied := f.apply && a.up && is.found == event.FoundOpen
	if f.apply && a.up {
		is.sentAt = append(is.sentAt, time.Now())
	}
	if applied {
		is.found, is.answers = kind, answers
		is.replies++
	}
	up, slow := a.up, a.slow
	a.mu.Unlock()
	time.Sleep(slow)
	if applied && !a.dead.Load() {
		a.tell(is)
	}
	if !up {
		return errFault
	}
	return f.err // without an effect it is nil all the same: OpenCode before 1.15.8
}

// must ends the test with an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
