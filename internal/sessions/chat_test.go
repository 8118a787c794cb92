package sessions_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

// fakeChat is the stand-in for Telegram. It numbers the messages that it shows from 1001, and
// live messages from 2001. It fails the test if something is told that nobody could see.
type fakeChat struct {
	w *world

	told      []telling // that were shown
	refuse    func(telling) error
	halfway   outbound.MessageShown // what a refused telling has shown all the same
	slow      time.Duration         // until it is known that something was shown
	alerts    []string              // that taps were answered with, in English
	reactions string                // in one line
	noReacts  error                 // of every reaction
	live      []outbound.LiveMessage
	shown     []string // in live messages
	refused   error    // of every live message
}

// telling is a message as people read it, in English.
type telling struct {
	outbound.Message
	text string
	rows [][]ui.Button
}

var en = words.For("en")

func english() ui.Reader { return ui.Reader{Words: en, Now: time.Now()} }

// textOf is all that a body shows.
func textOf(b ui.Body) string {
	text := b.File
	for _, part := range b.Parts {
		text += part.String()
	}
	return text
}

// says reports whether a text says what a sentence of package words does, with anything in place of its verbs.
func says(text, sentence string) bool {
	for i, part := range strings.Split(sentence, "%") {
		if i > 0 {
			part = part[1:]
		}
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

func (c *fakeChat) Tell(m outbound.Message, done func(outbound.MessageShown)) {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	body := m.Text(english())
	t := telling{m, textOf(body), body.Rows}
	if c.w.foreign[t.Chat] && !t.Anywhere {
		c.w.t.Errorf("told %+v", t)
	}
	if c.w.dead {
		go done(outbound.MessageShown{Err: errKilled})
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
		done(outbound.MessageShown{Messages: []chat.MessageID{id}})
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
func (c *fakeChat) Follow(f outbound.LiveMessage) (touch, end func()) {
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
			text, _ := f.Now()
			c.w.set(func() { c.shown = append(c.shown, textOf(text(english()))) })
			f.Shown(id, c.refused)
		}()
	}
	show()
	return show, show
}

func (w *world) texts() (texts []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range w.told {
		texts = append(texts, t.text)
	}
	return texts
}

// wasTold reports whether one of the messages says it.
func (w *world) wasTold(sentence string) bool {
	return slices.ContainsFunc(w.texts(), func(text string) bool { return says(text, sentence) })
}

// wantTold wants that messages were told that say this.
func (w *world) wantTold(want ...string) {
	w.t.Helper()
	if got := w.texts(); !slices.EqualFunc(got, want, says) {
		w.t.Errorf("told %q, want %q", got, want)
	}
}

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

// lastShown is what the live message shows.
func (w *world) lastShown() string {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.shown) == 0 {
		w.t.Error("nothing was shown")
		return ""
	}
	return w.shown[len(w.shown)-1]
}

// wantShown wants that the live message says all this, of the session.
func (w *world) wantShown(want ...string) {
	w.t.Helper()
	got := w.lastShown()
	for _, part := range append(want, "shop · fix\n") {
		if !says(got, part) {
			w.t.Errorf("it shows %q, want %q", got, part)
		}
	}
}
