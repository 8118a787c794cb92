package sessions_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/sessions"
)

// agent is the OpenCode of the session. It fails the test if it is given a prompt whose id
// is not in the store, or whose files were not fetched.
type agent struct {
	w *world

	busy         bool
	away         bool             // it cannot be reached
	unreachable  string           // the process of another one that cannot be reached
	gone         bool             // it has no such session
	slowly       time.Duration    // until it says how a session stood when it was asked
	next         int              // of the ids of prompts
	delayed      int              // how many prompts come too late
	unwilling    error            // of prompts: of as many as are said, or of all
	unwillingFor int              // 0: all
	forgets      bool             // it has no prompt that was sent
	sent         []session.Prompt // that it took
	sentAt       time.Time        // the last one
	tries        []session.Prompt // all of them
	woken        []session.MessageID
	listed       func() []session.Session // waits as long as it wants

	diff    string // what it changed
	agents  []string
	models  []session.Model
	turn    session.MessageID // its last message
	since   time.Time         // that the turn goes on
	cut     bool              // the end of the turn was not written down
	resumes bool              // the session works again when its turn is asked for
	aborted bool              // the turn was stopped
	wrote   string            // in the turn

	fetch func(chat.FileID, int64) ([]byte, error) // of what people sent; nil: the file's id

	stolen []session.Prompt    // that a thief got
	seen   map[session.ID]bool // that a thief was asked about
}

func (w *world) reach(o session.Origin) (sessions.Agent, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case o == nextDoor():
		return neighbour{&w.agent}, true
	case o.Process == "thief":
		return thief{&w.agent}, true
	case o.Process == w.unreachable:
		return nil, false
	}
	return &w.agent, !w.away
}

func (a *agent) Sessions(context.Context, int) ([]session.Session, error) {
	if a.listed == nil {
		return nil, nil
	}
	return a.listed(), nil
}

func (a *agent) state() session.Session {
	return session.Session{ID: testSession, Title: "fix", Directory: "/src/shop", Busy: a.busy}
}

func (a *agent) Session(context.Context, session.ID) (session.Session, error) {
	a.w.mu.Lock()
	gone, state, slow := a.gone, a.state(), a.slowly
	a.w.mu.Unlock()
	time.Sleep(slow)
	if gone {
		return session.Session{}, session.ErrNoSession
	}
	return state, nil
}

func (a *agent) CreateOnce(context.Context, time.Time) (session.Session, error) {
	return session.Session{}, errors.New("none")
}

func (a *agent) NextID(context.Context, session.ID) (session.MessageID, error) {
	a.w.mu.Lock()
	defer a.w.mu.Unlock()
	a.next++
	return session.MessageID(fmt.Sprintf("msg_%03d", a.next)), nil
}

func (a *agent) Prompt(_ context.Context, p session.Prompt) error {
	a.w.mu.Lock()
	defer a.w.mu.Unlock()
	if a.w.dead {
		return errKilled
	}
	a.tries = append(a.tries, p)
	if !slices.ContainsFunc(a.w.driving().Prompts, func(e remote.QueuedPrompt) bool { return e.Prompt.ID == p.ID }) {
		a.w.t.Errorf("%s was sent before it was stored", p.ID)
	}
	for _, part := range p.Parts {
		if part.File != "" || part.Spoken {
			a.w.t.Errorf("%+v was sent as it is in the store", part)
		}
	}
	if a.delayed > 0 {
		a.delayed--
		return errors.Join(permanent{errors.New("400")}, session.ErrLateID)
	}
	if a.unwilling != nil {
		err := a.unwilling
		if a.unwillingFor--; a.unwillingFor == 0 {
			a.unwilling = nil
		}
		return err
	}
	a.sent, a.sentAt = append(a.sent, p), time.Now()
	return nil
}

func (a *agent) Prompted(_ context.Context, _ session.ID, id session.MessageID) (bool, error) {
	a.w.mu.Lock()
	defer a.w.mu.Unlock()
	return !a.forgets && slices.ContainsFunc(a.sent, func(p session.Prompt) bool { return p.ID == id }), nil
}

// Wake notes what the session was told to begin with.
func (a *agent) Wake(_ context.Context, _ session.ID, prompt session.MessageID) error {
	a.w.set(func() { a.woken = append(a.woken, prompt) })
	return nil
}

func (a *agent) Turn(context.Context, session.ID) (session.Turn, error) {
	a.w.mu.Lock()
	defer a.w.mu.Unlock()
	if a.resumes {
		a.busy = true
	}
	t := session.Turn{Message: a.turn, Began: a.since, Text: a.wrote, Aborted: a.aborted, Session: a.state()}
	if !a.busy {
		t.Ended, t.Unfinished, t.Aborted = time.Now(), a.cut, a.cut || a.aborted
	}
	return t, nil
}

func (a *agent) Abort(context.Context, session.ID) error          { return nil }
func (a *agent) Diff(context.Context, session.ID) (string, error) { return a.diff, nil }
func (a *agent) Agents(context.Context) ([]string, error)         { return a.agents, nil }
func (a *agent) Subagents(context.Context) ([]string, error)      { return []string{"explore"}, nil }
func (a *agent) Models(context.Context) ([]session.Model, error)  { return a.models, nil }
func (a *agent) Commands(context.Context) ([]string, error)       { return nil, nil }

// Fetch gives out a file that is called as what is in it.
func (a *agent) Fetch(_ context.Context, id chat.FileID, limit int64) ([]byte, error) {
	a.w.mu.Lock()
	defer a.w.mu.Unlock()
	if a.fetch != nil {
		return a.fetch(id, limit)
	}
	return []byte(id), nil
}

// leave makes the OpenCode one that cannot be reached.
func (w *world) leave(kind event.Kind) {
	w.set(func() { w.away = true })
	w.event(kind, "")
}

func (w *world) comeBack() {
	w.set(func() { w.away = false })
	w.event(event.Opened, "")
}

// begin lets the session work for some seconds.
func (w *world) begin() {
	w.set(func() { w.busy, w.since = true, time.Now() })
	w.event(event.Worked, "")
	pass(3 * time.Second)
}

// rest lets it rest for long enough.
func (w *world) rest() {
	w.set(func() { w.busy, w.turn = false, w.turn+"1" })
	w.event(event.Rested, "")
	pass(8 * time.Second)
}

// flash has a session work and rest at once.
func (w *world) flash(id session.ID) {
	w.Event(event.Event{Kind: event.Worked, Origin: origin(), Session: id})
	w.Event(event.Event{Kind: event.Rested, Origin: origin(), Session: id})
}

// speak is a step of the session.
func (w *world) speak(s session.StreamChunk) {
	w.Event(event.Event{Kind: event.Spoke, Origin: origin(), Session: testSession, Spoken: s})
	synctest.Wait()
}

// prompts are those that were sent: text and files, a prompt a line.
func (w *world) prompts() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var lines []string
	for _, p := range w.sent {
		var parts []string
		for _, part := range p.Parts {
			parts = append(parts, part.Text+string(part.Data))
		}
		lines = append(lines, strings.Join(parts, "+"))
	}
	return strings.Join(lines, "\n")
}

func (w *world) wantPrompts(want string) {
	w.t.Helper()
	pass(10 * time.Second)
	if got := w.prompts(); got != want {
		w.t.Errorf("sent:\n%s\nwant:\n%s", got, want)
	}
}

// neighbour is another OpenCode of the same directory. It reads what the first one
// writes down, and does not know what runs there.
type neighbour struct{ *agent }

func nextDoor() session.Origin {
	return session.Origin{Way: session.Link, Process: "b", Directory: origin().Directory}
}

func (n neighbour) Session(ctx context.Context, id session.ID) (session.Session, error) {
	s, err := n.agent.Session(ctx, id)
	s.Busy = false
	return s, err
}

func (n neighbour) Turn(ctx context.Context, id session.ID) (session.Turn, error) {
	t, err := n.agent.Turn(ctx, id)
	if t.Session.Busy {
		t.Session.Busy, t.Unfinished, t.Aborted, t.Ended = false, true, true, time.Now()
	}
	return t, err
}

// moveIn lets the neighbour be heard of.
func (w *world) moveIn() {
	w.Event(event.Event{Kind: event.Opened, Origin: nextDoor()})
	synctest.Wait()
}

// thief is another OpenCode that says it has the session, and that its turn is over.
type thief struct{ *agent }

func (t thief) Session(_ context.Context, id session.ID) (session.Session, error) {
	t.w.set(func() {
		if t.seen == nil {
			t.seen = map[session.ID]bool{}
		}
		t.seen[id] = true
	})
	return session.Session{ID: testSession, Title: "stolen", Directory: "/src/shop"}, nil
}

func (t thief) Sessions(context.Context, int) ([]session.Session, error) {
	return []session.Session{{ID: testSession, Title: "stolen", Directory: "/src/shop", Busy: true, Updated: time.Now()}}, nil
}

func (t thief) Turn(context.Context, session.ID) (session.Turn, error) {
	return session.Turn{Message: "msg_zzz", Text: "stolen", Ended: time.Now(), Session: session.Session{ID: testSession, Title: "stolen"}}, nil
}

func (t thief) Prompt(_ context.Context, p session.Prompt) error {
	t.w.set(func() { t.stolen = append(t.stolen, p) })
	return nil
}

func (t thief) Prompted(context.Context, session.ID, session.MessageID) (bool, error) {
	return true, nil
}
