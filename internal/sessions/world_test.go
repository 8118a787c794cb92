package sessions

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

const session question.SessionID = "ses_1"

// world is a desk between doubles. It is the agent, the chat and the store.
type world struct {
	*Desk
	t  *testing.T
	mu sync.Mutex

	busy         bool
	next         int                // of the ids
	delayed      int                // how many prompts come too late
	sent         []question.Prompt  // that were taken
	sentAt       time.Time          // the last one
	tries        []question.Prompt  // all of them
	turn         question.MessageID // of the agent's last message
	changes      []question.Change  // that were stored
	told         []question.Telling // that were shown
	refuse       func(question.Telling) error
	halfway      question.TellingShown // what a refused telling has shown all the same
	slow         time.Duration         // until it is known that something was shown
	broken       error                 // of the store
	anyway       bool                  // the next commit that fails is carried out
	reactions    string
	unheard      error // of whoever writes down voices
	noReacts     error // of every reaction
	unwilling    error // of prompts: of as many as are said, or of all
	unwillingFor int
	fetch        func(question.FileID, int64) ([]byte, error)

	woken   []question.MessageID
	alerts  []question.Alert
	threads map[question.ID]question.Thread // that the bridge keeps
	shut    error                           // why the bridge does not take late answers
	foreign map[question.ChatID]bool        // hermes is not set up for

	forgets  bool   // sessions have no prompt that was sent
	shutDown func() // ends the desk and waits for that
	logged   lockedBuffer

	followed
}

// in plays a test with a desk that runs, in a bubble.
func in(t *testing.T, test func(*world)) {
	t.Helper()
	inThat(t, &world{}, test)
}

// inThat does so in a world that there was before.
func inThat(t *testing.T, w *world, test func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w.t, w.turn, w.threads = t, "msg_000", map[question.ID]question.Thread{}
		desk, err := New(Config{
			Store: w, Chat: w, Agents: w.reach,
			Places:  func() []question.Origin { return nil },
			Waiting: func(context.Context) ([]question.Thread, error) { return w.asks, nil },
			Follow:  func(ids []question.SessionID) { w.set(func() { w.wanted = ids }) },
			Again:   func(_ context.Context, in question.Input) { w.Take(in, true) }, Roles: func() []string { return nil },
			Fetch: w.Fetch, Home: func(id question.ChatID) bool { return !w.foreign[id] },
			Log: slog.New(slog.NewTextHandler(&w.logged, nil)), IdleDelay: 5 * time.Second,
			Late: w.bridge,
		})
		if err != nil {
			t.Fatal(err)
		}
		w.Desk = desk
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() { desk.Run(ctx); close(ended) }()
		w.shutDown = func() { stop(); <-ended }
		if len(w.seated) == 0 {
			w.event(question.Opened, "")
			w.seats.Store(question.ChatID(1), question.Seat{Chat: 1, Session: session, Origin: origin(), Title: "fix"})
		}
		test(w)
		w.shutDown()
	})
}

func origin() question.Origin {
	return question.Origin{Way: question.Direct, Process: "http://a", Directory: "/src/shop"}
}

func (w *world) event(kind question.EventKind, text string) {
	w.Event(question.Event{Kind: kind, Origin: origin(), Session: session, Text: text})
	synctest.Wait()
}

func (w *world) say(update int, text string) {
	w.t.Helper()
	w.reply(update, text, 0)
}

func (w *world) reply(update int, text string, to question.PostedID) {
	w.t.Helper()
	if !w.Take(question.Input{
		Kind: question.Typed, Update: question.UpdateID(update), Chat: 1, Private: true, Message: question.PostedID(update), Text: text,
		User: question.User{ID: 1, Name: "Ada"}, Sent: time.Now(), ReplyTo: to,
	}, true) {
		w.t.Errorf("%q was not taken", text)
	}
	synctest.Wait()
}

// set changes the doubles.
func (w *world) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

func (w *world) kinds() []question.TellingKind {
	w.mu.Lock()
	defer w.mu.Unlock()
	var kinds []question.TellingKind
	for _, t := range w.told {
		kinds = append(kinds, t.Kind)
	}
	return kinds
}

func (w *world) Sessions(context.Context, int) ([]question.Session, error) { return nil, nil }

func (w *world) Session(context.Context, question.SessionID) (question.Session, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return question.Session{}, question.ErrNoSession
	}
	return question.Session{ID: session, Title: "fix", Directory: "/src/shop", Busy: w.busy}, nil
}

func (w *world) CreateOnce(context.Context, time.Time) (question.Session, error) {
	return question.Session{}, errors.New("none")
}

func (w *world) NextID(context.Context, question.SessionID) (question.MessageID, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next++
	return question.MessageID(fmt.Sprintf("msg_%03d", w.next)), nil
}

// Prompt fails the test if the id was not stored before.
func (w *world) Prompt(_ context.Context, p question.Prompt) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tries = append(w.tries, p)
	stored := false
	for _, c := range w.changes {
		for _, e := range c.Errands {
			stored = stored || e.Prompt.ID == p.ID
		}
	}
	if !stored {
		w.t.Errorf("%s was sent before it was stored", p.ID)
	}
	if w.delayed > 0 {
		w.delayed--
		return errors.Join(permanent{errors.New("400")}, question.ErrLateID)
	}
	if w.unwilling != nil {
		err := w.unwilling
		if w.unwillingFor--; w.unwillingFor == 0 {
			w.unwilling = nil
		}
		return err
	}
	w.sent, w.sentAt = append(w.sent, p), time.Now()
	return nil
}

func (w *world) Prompted(_ context.Context, _ question.SessionID, id question.MessageID) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.sent {
		if p.ID == id && !w.forgets {
			return true, nil
		}
	}
	return false, nil
}

func (w *world) Turn(context.Context, question.SessionID) (question.Turn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.resumes {
		w.busy = true
	}
	t := question.Turn{Message: w.turn, Began: w.since, Text: "done", Aborted: w.aborted}
	t.Session = question.Session{ID: session, Title: "fix", Directory: "/src/shop", Busy: w.busy}
	if !w.busy {
		t.Ended, t.Unfinished, t.Aborted = time.Now(), w.cut, w.cut || w.aborted
	}
	return t, nil
}

func (w *world) Abort(context.Context, question.SessionID) error          { return nil }
func (w *world) Diff(context.Context, question.SessionID) (string, error) { return "", nil }
func (w *world) Agents(context.Context) ([]string, error)                 { return nil, nil }
func (w *world) Subagents(context.Context) ([]string, error)              { return []string{"explore"}, nil }
func (w *world) Models(context.Context) ([]question.Model, error)         { return nil, nil }
func (w *world) Commands(context.Context) ([]string, error)               { return nil, nil }

// Fetch gives out a file that is called as what is in it.
func (w *world) Fetch(_ context.Context, id question.FileID, limit int64) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fetch != nil {
		return w.fetch(id, limit)
	}
	return []byte(id), nil
}

func (w *world) Tell(t question.Telling, done func(question.TellingShown)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refuse != nil {
		if err := w.refuse(t); err != nil {
			shown := w.halfway
			shown.Err = err
			go done(shown)
			return
		}
	}
	w.told = append(w.told, t)
	id := question.PostedID(1000 + len(w.told))
	go func() {
		time.Sleep(w.slow)
		done(question.TellingShown{Messages: []question.PostedID{id}})
	}()
}

// React writes down the reactions, in one line.
func (w *world) React(_ question.ChatID, m question.PostedID, emoji string, done func(error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reactions += fmt.Sprint(m, emoji, " ")
	go done(w.noReacts)
}

func (w *world) Answer(_ string, a question.Alert, _ string) {
	w.set(func() { w.alerts = append(w.alerts, a) })
}

func (w *world) Chats() ([]question.Chat, error) { return nil, nil }

func (w *world) Driving() (question.Driving, error) {
	return question.Driving{Errands: w.errands(), Seats: w.seated, Watches: w.watching}, nil
}

func (w *world) Said(chat question.ChatID, message question.PostedID) (said question.Said, found bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.changes {
		for _, s := range c.Said {
			if s.Chat == chat && s.Message == message {
				said, found = s, true
			}
		}
	}
	return said, found, nil
}

func (w *world) Told(id question.SessionID) (turn question.MessageID, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.changes {
		for _, told := range c.Told {
			if told.Session == id {
				turn = told.Turn
			}
		}
	}
	return turn, nil
}

func (w *world) Find(k question.Key) (question.Thread, bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t, ok := w.threads[k.ID]
	return t, ok, nil
}

// bridge is what the bridge does.
func (w *world) bridge(_ context.Context, id question.ID, l question.Late, with question.Change) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	t, ok := w.threads[id]
	switch {
	case w.shut != nil:
		return w.shut
	case !ok:
		return question.ErrNoThread
	case !t.TakesLate() && t.Late.Errand != l.Errand:
		return question.ErrLate
	}
	t.Late = &l
	w.threads[id] = t
	w.changes = append(w.changes, with)
	return nil
}

func (w *world) Commit(c question.Change) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken == nil || w.anyway {
		w.changes = append(w.changes, c)
	}
	w.anyway = false
	return w.broken
}

func (w *world) Recorded(e question.Entry) (bool, error) {
	return slices.ContainsFunc(w.entries(e.Kind), e.Same), nil
}

// errands are those that are owed.
func (w *world) errands() (list []question.Errand) {
	w.mu.Lock()
	defer w.mu.Unlock()
	owed := map[question.ID]question.Errand{}
	for _, c := range w.changes {
		for _, e := range c.Errands {
			owed[e.ID] = e
		}
		for _, id := range c.Carried {
			delete(owed, id)
		}
	}
	return slices.Collect(maps.Values(owed))
}
