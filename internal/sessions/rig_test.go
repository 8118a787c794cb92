package sessions_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/intake"
	"hermes/internal/loop"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/sessions"
	"hermes/internal/storage"
	"hermes/pending"
)

const (
	testSession session.ID = "ses_1"
	adaChat     chat.ID    = 1
)

// world is a Controller on the real store, between a stand-in agent and a stand-in chat. It
// must live in a synctest bubble.
type world struct {
	*sessions.Controller
	loop *loop.Loop
	t    *testing.T
	mu   sync.Mutex // for all below that a stand-in reads or writes

	agent
	fakeChat

	path   string
	seed   storage.Change         // what an earlier life left in the store
	silent bool                   // no OpenCode is heard of at the start
	alter  func(*sessions.Config) // before the start

	real    *pending.Store
	dies    func() (dead, applied bool) // asked at each commit: whether it fails, which ends hermes
	dead    bool                        // it has: nothing that hermes does has an effect
	changes []storage.Change            // that the store took
	inputs  map[chat.UpdateID]inbound.Input

	unheard     error                           // of whoever writes down voices
	writtenDown int                             // voices
	hearers     []remote.Hearer                 // where the asks of every session are shown
	waits       remote.Waits                    // of every turn
	asks        []question.Thread               // that people are shown
	found       map[chat.UpdateID]inbound.Found // how the asks stand to an input
	left        []inbound.Input                 // that were for no session
	wanted      []session.ID                    // that are to be heard while they work
	foreign     map[chat.ID]bool                // hermes is not set up for
	moves       map[chat.ID]chat.ID             // groups that became others
	places      []session.Origin                // that the configuration names

	intake   *intake.Intake // by which people reach the Controller
	shutDown func()         // ends the Controller and waits for that
	logged   lockedBuffer
}

// newWorld is one in which Ada's chat uses the session, whose OpenCode is there.
func newWorld() *world {
	w := seededWorld(storage.Change{ChatSettings: []remote.ChatSettings{{Chat: adaChat, Session: testSession, Origin: origin(), Title: "fix"}}})
	w.silent = false
	return w
}

// seededWorld is one with this in its store, and no OpenCode.
func seededWorld(seed storage.Change) *world {
	w := &world{seed: seed, silent: true, inputs: map[chat.UpdateID]inbound.Input{}, found: map[chat.UpdateID]inbound.Found{}, moves: map[chat.ID]chat.ID{}}
	w.agent.w, w.fakeChat.w = w, w
	w.turn, w.wrote = "msg_000", "done"
	return w
}

// in plays a test in a bubble, with Ada's chat and its OpenCode.
func in(t *testing.T, test func(*world)) {
	t.Helper()
	inThat(t, newWorld(), test)
}

// inThat does so in a world that was made before.
func inThat(t *testing.T, w *world, test func(*world)) {
	t.Helper()
	w.path = filepath.Join(t.TempDir(), "hermes.db")
	synctest.Test(t, func(t *testing.T) {
		w.t = t
		w.open()
		if err := w.real.Commit(w.seed); err != nil {
			t.Fatal(err)
		}
		w.start()
		test(w)
		w.shutDown()
	})
}

func (w *world) open() {
	store, err := pending.Open(w.path, pending.Options{NoSync: true})
	if err != nil {
		w.t.Fatal(err)
	}
	w.real = store
}

// start begins a life of hermes.
func (w *world) start() {
	c := sessions.Config{
		Loop: loop.New(5 * time.Second), Store: faultyStore{w.real, w}, Chat: &w.fakeChat, Agents: w.reach,
		Places: func() []session.Origin { return w.places },
		Follow: func(ids []session.ID) { w.set(func() { w.wanted = ids }) },
		Roles:  func() []string { return nil },
		Fetch:  w.Fetch, Chats: chatsStandIn{w},
		Log: slog.New(slog.NewTextHandler(&w.logged, nil)), IdleDelay: 5 * time.Second,
		Asks: askStandIn{w}, Sending: func(id chat.ID) func() { return w.intake.SendingMessage(id) },
	}
	if w.alter != nil {
		w.alter(&c)
	}
	controller := sessions.New(c)
	w.loop, w.Controller, w.intake = c.Loop, controller, intake.New(c.Loop, askStandIn{w}, controller)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		if err := c.Loop.Run(ctx, controller.Start, func() {}); err != nil && !errors.Is(err, errKilled) {
			w.t.Error(err)
		}
		close(ended)
	}()
	w.shutDown = sync.OnceFunc(func() {
		stop()
		<-ended
		synctest.Wait()
		if err := w.real.Close(); err != nil {
			w.t.Error(err)
		}
	})
	if !w.silent {
		w.event(event.Opened, "")
	}
}

// inLoop runs f in the loop.
func (w *world) inLoop(f func()) {
	w.t.Helper()
	if err := w.loop.Do(context.Background(), f); err != nil {
		w.t.Error(err)
	}
}

// restart ends hermes and begins its next life, which is given what is in the inbox.
func (w *world) restart() {
	w.t.Helper()
	w.shutDown()
	w.set(func() { w.dead = false })
	w.open()
	w.start()
	for _, id := range w.inbox() {
		w.intake.Handle(context.Background(), w.inputs[id])
	}
	synctest.Wait()
}

// owe leaves a prompt in the store to the next life of hermes.
func (w *world) owe(e remote.QueuedPrompt) {
	w.t.Helper()
	if err := w.real.Commit(storage.Change{Prompts: []remote.QueuedPrompt{e}}); err != nil {
		w.t.Error(err)
	}
	w.restart()
}

// set changes what the stand-ins do.
func (w *world) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

// pass lets time pass, and all that is due happen.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func origin() session.Origin {
	return session.Origin{Way: session.Direct, Process: "http://a", Directory: "/src/shop"}
}

func linkOf(process, token string) session.Origin {
	return session.Origin{Way: session.Link, Process: process, Directory: "/src/shop", Token: token}
}

// event is one of the session's OpenCode.
func (w *world) event(kind event.Kind, text string) {
	w.Event(event.Event{Kind: kind, Origin: origin(), Session: testSession, Text: text})
	synctest.Wait()
}

// faultyStore is the real store behind the world's faults.
type faultyStore struct {
	*pending.Store
	w *world
}

func (s faultyStore) Commit(c storage.Change) error {
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	if s.w.dead {
		return errKilled
	}
	if s.w.dies != nil {
		dead, applied := s.w.dies()
		s.w.dead = dead
		if dead && !applied {
			return errKilled
		}
	}
	if err := s.Store.Commit(c); err != nil {
		return err
	}
	s.w.changes = append(s.w.changes, c)
	if s.w.dead {
		return errKilled
	}
	return nil
}

// fullDisk has the next commit fail.
func (w *world) fullDisk() {
	failed := false
	w.set(func() {
		w.dies = func() (dead, applied bool) {
			first := !failed
			failed = true
			return first, false
		}
	})
}

// Take puts the input into the inbox, as Telegram's adapter does, and gives it to the intake. It
// reports whether it was not for an ask or nobody. drives says whether its sender may drive sessions.
func (w *world) Take(in inbound.Input, drives bool) bool {
	w.t.Helper()
	return w.receive(in, inbound.Found{Drives: drives})
}

func (w *world) receive(in inbound.Input, found inbound.Found) bool {
	w.t.Helper()
	found.User, found.Known = in.User, true
	w.set(func() { w.found[in.Update] = found })
	w.inputs[in.Update] = in
	if _, err := w.real.Put([]chat.Update{{ID: in.Update, Raw: []byte("{}")}}); err != nil {
		w.t.Error(err)
	}
	before := len(w.left)
	w.intake.Handle(context.Background(), in)
	return len(w.left) == before
}

// send is Take of what the Controller must take.
func (w *world) send(in inbound.Input) {
	w.t.Helper()
	if !w.Take(in, true) {
		w.t.Errorf("%+v was not taken", in)
	}
	synctest.Wait()
}

// typed is a text of Ada's; one that begins with a slash is a command.
func typed(update int, text string) inbound.Input {
	in := inbound.Input{
		Kind: inbound.Typed, Update: chat.UpdateID(update), Chat: adaChat, Private: true, Message: chat.MessageID(update), Text: text,
		User: chat.User{ID: 1, Name: "Ada"}, Sent: time.Now(),
	}
	if command, ok := bytes.CutPrefix(bytes.Fields([]byte(text + " x"))[0], []byte("/")); ok {
		in.Command = string(command)
	}
	return in
}

func (w *world) say(update int, text string) {
	w.t.Helper()
	w.send(typed(update, text))
}

func (w *world) reply(update int, text string, to chat.MessageID) {
	w.t.Helper()
	in := typed(update, text)
	in.ReplyTo = to
	w.send(in)
}

// tapped is a tap of Ada's.
func tapped(update int, message chat.MessageID, o inbound.Button) inbound.Input {
	return inbound.Input{
		Kind: inbound.Tapped, Update: chat.UpdateID(update), Chat: adaChat, Private: true, Message: message, Callback: "c",
		User: chat.User{ID: 1, Name: "Ada"}, Button: o,
	}
}

// chatsStandIn are chats that the world tells what to say.
type chatsStandIn struct{ w *world }

func (c chatsStandIn) Home(id chat.ID) bool {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	return !c.w.foreign[id]
}

func (c chatsStandIn) Current(id chat.ID) chat.ID {
	if to, moved := c.w.moves[id]; moved {
		return to
	}
	return id
}

func (c chatsStandIn) Moves() map[chat.ID]chat.ID { return c.w.moves }

func (c chatsStandIn) GroupMoved(from, to chat.ID) {
	c.w.moves[from] = to
	c.w.Moved(from, to)
}

// move has a group become another.
func (w *world) move(from, to chat.ID) {
	w.t.Helper()
	w.inLoop(func() { chatsStandIn{w}.GroupMoved(from, to) })
	synctest.Wait()
}

// askStandIn are asks that the world tells what to say.
type askStandIn struct{ w *world }

func (a askStandIn) Recognize(in inbound.Input) inbound.Found {
	a.w.mu.Lock()
	defer a.w.mu.Unlock()
	return a.w.found[in.Update]
}

func (a askStandIn) Take(in inbound.Input, _ inbound.Recipient, _ question.ID) {
	a.w.set(func() { a.w.left = append(a.w.left, in) })
}

// Hearers are those that the world names.
func (a askStandIn) Hearers(context.Context, session.Origin, session.Turn) ([]remote.Hearer, error) {
	a.w.mu.Lock()
	defer a.w.mu.Unlock()
	return a.w.hearers, nil
}

// Waits are what the world says.
func (a askStandIn) Waits(context.Context, session.Origin, session.Turn) (remote.Waits, error) {
	a.w.mu.Lock()
	defer a.w.mu.Unlock()
	return a.w.waits, nil
}

func (a askStandIn) Open(context.Context) ([]question.Thread, error) {
	a.w.mu.Lock()
	defer a.w.mu.Unlock()
	return a.w.asks, nil
}

// hears lets the Controller have voices written down: what is in the file, in capitals.
func (w *world) hears() *world {
	w.alter = func(c *sessions.Config) {
		c.Hear = func(_ context.Context, _, _ string, sound []byte) (string, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.writtenDown++
			return string(bytes.ToUpper(sound)), w.unheard
		}
	}
	return w
}

// driving is what the store has.
func (w *world) driving() storage.SessionRecords {
	w.t.Helper()
	d, err := w.real.SessionRecords()
	if err != nil {
		w.t.Error(err)
	}
	return d
}

// settings is what the store has of a chat.
func (w *world) settings(chat chat.ID) remote.ChatSettings {
	w.t.Helper()
	for _, s := range w.driving().ChatSettings {
		if s.Chat == chat {
			return s
		}
	}
	return remote.ChatSettings{}
}

func (w *world) inbox() (ids []chat.UpdateID) {
	w.t.Helper()
	updates, err := w.real.Inbox()
	if err != nil {
		w.t.Error(err)
	}
	for _, u := range updates {
		ids = append(ids, u.ID)
	}
	return ids
}

// consumed reports whether an update that was received is not in the inbox any more.
func (w *world) consumed(update int) bool {
	w.t.Helper()
	return !slices.Contains(w.inbox(), chat.UpdateID(update))
}

// entries are the journal's, of some kinds.
func (w *world) entries(kinds ...storage.EntryKind) (list []storage.Entry) {
	w.t.Helper()
	err := w.real.Journal(0, func(l pending.Line) error {
		if slices.Contains(kinds, l.Entry.Kind) {
			list = append(list, l.Entry)
		}
		return nil
	})
	if err != nil {
		w.t.Error(err)
	}
	return list
}

type permanent struct{ error }

func (permanent) Temporary() bool { return false }

type passing struct{ error }

func (passing) Temporary() bool { return true }

var errKilled = errors.New("hermes was killed")

// lockedBuffer is a buffer that several goroutines may write to.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
