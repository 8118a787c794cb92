package sessions_test

import (
	"fmt"
	"slices"
	"time"

	"hermes/internal/question"
)

// chat is the stand-in for Telegram. It numbers the messages that it shows from 1001, and
// live messages from 2001. It fails the test if something is told that nobody could see.
type chat struct {
	w *world

	told      []question.Telling // that were shown
	refuse    func(question.Telling) error
	halfway   question.TellingShown // what a refused telling has shown all the same
	slow      time.Duration         // until it is known that something was shown
	alerts    []question.Alert      // in answer to taps
	reactions string                // in one line
	noReacts  error                 // of every reaction
	live      []question.Following
	shown     []question.Telling // in live messages
	refused   error              // of every live message
}

func (c *chat) Tell(t question.Telling, done func(question.TellingShown)) {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if t.Kind == "" || c.w.foreign[t.Chat] && t.Kind != question.TellNotHere {
		c.w.t.Errorf("told %+v", t)
	}
	if c.w.dead {
		go done(question.TellingShown{Err: errKilled})
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
	id := question.PostedID(1000 + len(c.told))
	go func() {
		time.Sleep(c.slow)
		done(question.TellingShown{Messages: []question.PostedID{id}})
	}()
}

func (c *chat) React(chat question.ChatID, m question.PostedID, emoji string, done func(error)) {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if chat == 0 || m == 0 {
		c.w.t.Errorf("%s was put under message %d of chat %d", emoji, m, chat)
	}
	c.reactions += fmt.Sprint(m, emoji, " ")
	go done(c.noReacts)
}

func (c *chat) Answer(_ string, a question.Alert, _ string) {
	c.w.set(func() { c.alerts = append(c.alerts, a) })
}

// Follow shows at once whatever it is told to.
func (c *chat) Follow(f question.Following) (touch, end func()) {
	c.w.set(func() { c.live = append(c.live, f) })
	id := f.Message
	if id == 0 {
		id = question.PostedID(2000 + len(c.live))
	}
	show := func() {
		go func() {
			t := f.Now()
			c.w.set(func() { c.shown = append(c.shown, t) })
			f.Shown(id, c.refused)
		}()
	}
	show()
	return show, show
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

func (w *world) wantTold(want ...question.TellingKind) {
	w.t.Helper()
	if got := w.kinds(); !slices.Equal(got, want) {
		w.t.Errorf("told %q, want %q", got, want)
	}
}

func (w *world) wantAlerts(want ...question.AlertKind) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var got []question.AlertKind
	for _, a := range w.alerts {
		got = append(got, a.Kind)
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("alerts %q, want %q", got, want)
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
	w.wantTold(question.TellTurn)
	if len(w.told) == 1 && (w.told[0].Turn.Aborted != aborted || w.told[0].Turn.Unfinished != unfinished) {
		w.t.Errorf("told %+v", w.told[0].Turn)
	}
}

// lastShown is what the live message shows.
func (w *world) lastShown() question.Telling {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.shown) == 0 {
		w.t.Error("nothing was shown")
		return question.Telling{}
	}
	return w.shown[len(w.shown)-1]
}

func (w *world) wantShown(live question.Live, text, words string) {
	w.t.Helper()
	if t := w.lastShown(); t.Live != live || t.Text != text || t.Turn.Text != words || t.Session.ID != session || t.Kind != question.TellLive {
		w.t.Errorf("it shows %q, %q, %q of %+v, want %q, %q, %q", t.Live, t.Text, t.Turn.Text, t.Session, live, text, words)
	}
}
