package sessions_test

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

// fakeChat is the stand-in for Telegram. It numbers the messages that it shows from 1001, and
// live messages from 2001. It fails the test if something is told that nobody could see.
type fakeChat struct {
	w *world

	told      []remote.Message // that were shown
	refuse    func(remote.Message) error
	halfway   remote.MessageShown // what a refused telling has shown all the same
	slow      time.Duration       // until it is known that something was shown
	alerts    []string            // that taps were answered with, in English
	reactions string              // in one line
	noReacts  error               // of every reaction
	live      []remote.LiveMessage
	shown     []remote.Message // in live messages
	refused   error            // of every live message
}

func (c *fakeChat) Tell(t remote.Message, done func(remote.MessageShown)) {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if t.Kind == "" || c.w.foreign[t.Chat] && t.Kind != remote.TellNotHere {
		c.w.t.Errorf("told %+v", t)
	}
	if c.w.dead {
		go done(remote.MessageShown{Err: errKilled})
		return
	}
	if c.refuse != nil {
		if err := c.refuse(t); err != nil {
			shown := c.halfway
			shown.Err = err
			go done(shown)
			return
		}
	}
	c.told = append(c.told, t)
	id := chat.MessageID(1000 + len(c.told))
	go func() {
		time.Sleep(c.slow)
		done(remote.MessageShown{Messages: []chat.MessageID{id}})
	}()
}

func (c *fakeChat) React(chat chat.ID, m chat.MessageID, emoji string, done func(error)) {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if chat == 0 || m == 0 {
		c.w.t.Errorf("%s was put under message %d of chat %d", emoji, m, chat)
	}
	if c.w.dead {
		go done(errKilled)
		return
	}
	c.reactions += fmt.Sprint(m, emoji, " ")
	go done(c.noReacts)
}

func (c *fakeChat) Answer(_ string, say ui.Line, _ string) {
	c.w.set(func() { c.alerts = append(c.alerts, say.Alert(english())) })
}

// Follow shows at once whatever it is told to, one after another: what is shown last is the newest.
func (c *fakeChat) Follow(f remote.LiveMessage) (touch, end func()) {
	c.w.set(func() { c.live = append(c.live, f) })
	id := f.Message
	if id == 0 {
		id = chat.MessageID(2000 + len(c.live))
	}
	var turn sync.Mutex
	show := func() {
		go func() {
			turn.Lock()
			defer turn.Unlock()
			t := f.Now()
			c.w.set(func() { c.shown = append(c.shown, t) })
			f.Shown(id, c.refused)
		}()
	}
	show()
	return show, show
}

func (w *world) kinds() []remote.MessageKind {
	w.mu.Lock()
	defer w.mu.Unlock()
	var kinds []remote.MessageKind
	for _, t := range w.told {
		kinds = append(kinds, t.Kind)
	}
	return kinds
}

func (w *world) wantTold(want ...remote.MessageKind) {
	w.t.Helper()
	if got := w.kinds(); !slices.Equal(got, want) {
		w.t.Errorf("told %q, want %q", got, want)
	}
}

func english() ui.Reader { return ui.Reader{Words: words.For("en"), Now: time.Now()} }

// wantAlerts wants that taps were answered so; nil: without words.
func (w *world) wantAlerts(want ...ui.Line) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var texts []string
	for _, l := range want {
		texts = append(texts, l.Alert(english()))
	}
	if !slices.Equal(w.alerts, texts) {
		w.t.Errorf("alerts %q, want %q", w.alerts, texts)
	}
}

func (w *world) wantReactions(want string) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.reactions != want {
		w.t.Errorf("reactions %q, want %q", w.reactions, want)
	}
}

// wantTurn wants that one end of a turn was told.
func (w *world) wantTurn(aborted, unfinished bool) {
	w.t.Helper()
	w.wantTold(remote.TellTurn)
	if len(w.told) == 1 && (w.told[0].Turn.Aborted != aborted || w.told[0].Turn.Unfinished != unfinished) {
		w.t.Errorf("told %+v", w.told[0].Turn)
	}
}

// lastShown is what the live message shows.
func (w *world) lastShown() remote.Message {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.shown) == 0 {
		w.t.Error("nothing was shown")
		return remote.Message{}
	}
	return w.shown[len(w.shown)-1]
}

func (w *world) wantShown(live remote.LiveState, text, words string) {
	w.t.Helper()
	if t := w.lastShown(); t.Live != live || t.Text != text || t.Turn.Text != words || t.Session.ID != testSession || t.Kind != remote.TellLive {
		w.t.Errorf("it shows %q, %q, %q of %+v, want %q, %q, %q", t.Live, t.Text, t.Turn.Text, t.Session, live, text, words)
	}
}
