package sessions_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/sessions"
	"hermes/internal/storage"
)

// hearsByDefault is a world in which the asks of all sessions are shown in a topic of a chat that has
// settled on nothing, and turns are told of there that ran for two minutes.
func hearsByDefault() *world {
	w := seededWorld(storage.Change{})
	w.silent = false
	w.hearers = []remote.Hearer{{Chat: 2, Topic: 9}}
	w.alter = func(c *sessions.Config) { c.TurnAfter = 2 * time.Minute }
	return w
}

// turnOf lets the session work for so long.
func (w *world) turnOf(works time.Duration) {
	w.begin()
	pass(works - 3*time.Second)
	w.rest()
}

// wantEnds wants ends of turns told to the chat in its topic: with (true) and without the hint how to change that.
func (w *world) wantEnds(when string, hints ...bool) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.told) != len(hints) {
		w.t.Errorf("%s: told %+v, want %d", when, w.told, len(hints))
		return
	}
	for i, m := range w.told {
		if !says(m.text, en.Sessions.GoOn) || m.Chat != 2 || m.Topic != 9 || says(m.text, en.Sessions.Hint) != hints[i] {
			w.t.Errorf("%s: message %d is %+v", when, i, m)
		}
	}
}

// Whoever asked for nothing hears of long turns, and is told once how to change that: also after a restart.
func TestHearing_OfLongTurnsByDefault(t *testing.T) {
	inThat(t, hearsByDefault(), func(w *world) {
		w.turnOf(time.Minute)
		w.wantEnds("a short turn")
		w.turnOf(2 * time.Minute)
		w.wantEnds("a long one", true)
		w.turnOf(3 * time.Minute)
		w.wantEnds("another one", true, false)
		w.restart()
		w.turnOf(3 * time.Minute)
		w.wantEnds("after a restart", true, false, false)
		if s := w.settings(2); s.Level != "" || !s.Hinted {
			t.Errorf("the store has %+v", s)
		}
	})
}

func TestHearing_TheHintIsGivenAgainWhereItDidNotArrive(t *testing.T) {
	inThat(t, hearsByDefault(), func(w *world) {
		w.set(func() { w.refuse = func(telling) error { return permanent{errors.New("kicked")} } })
		w.turnOf(3 * time.Minute)
		w.set(func() { w.refuse = nil })
		w.turnOf(3 * time.Minute)
		w.wantEnds("after one that was refused", true)
	})
}

// A crash when the hint was given and that is not stored yet gives it once more.
func TestHearing_TheHintIsLostInNoCrash(t *testing.T) {
	inThat(t, hearsByDefault(), func(w *world) {
		w.set(func() { w.dies = func() (bool, bool) { return len(w.told) > 0, false } })
		w.turnOf(3 * time.Minute)
		w.wantEnds("before the crash", true)
		w.set(func() { w.dies = nil })
		w.restart()
		w.event(event.Rested, "")
		pass(10 * time.Second)
		w.wantEnds("after the crash", true, true)
	})
}

func TestHearing_ChosenLevelsHaveNoHint(t *testing.T) {
	for level, told := range map[remote.Level]int{remote.LevelQuestions: 0, remote.LevelTurns: 1} {
		w := hearsByDefault()
		w.seed.ChatSettings = []remote.ChatSettings{{Chat: 2, Topic: 9, Level: level}}
		inThat(t, w, func(w *world) {
			w.turnOf(3 * time.Minute)
			w.wantEnds(string(level), make([]bool, told)...)
		})
	}
}

// Who began a turn hears of its end, however short it is, and another chat if it is long.
func TestHearing_ShortTurnsOfOnesOwn(t *testing.T) {
	w := newWorld()
	w.hearers = []remote.Hearer{{Chat: adaChat, Silent: true}, {Chat: 2, Silent: true}}
	w.alter = func(c *sessions.Config) { c.TurnAfter = 2 * time.Minute }
	inThat(t, w, func(w *world) {
		w.set(func() { w.turn = "msg_9" })
		w.say(1, "go on")
		w.turnOf(20 * time.Second)
		w.wantTold(en.Sessions.GoOn)
		w.say(2, "go on")
		w.turnOf(3 * time.Minute)
		silent := map[chat.ID]bool{}
		for _, m := range w.told {
			silent[m.Chat] = m.Silent
		}
		if len(w.told) != 3 || silent[adaChat] || !silent[2] {
			t.Errorf("told %+v", w.told)
		}
	})
}

// A turn that began before hermes did is as long as OpenCode says.
func TestHearing_OfATurnWhoseBeginHermesDidNotSee(t *testing.T) {
	inThat(t, hearsByDefault(), func(w *world) {
		w.begin()
		w.shutDown()
		pass(5 * time.Minute)
		w.open()
		w.start()
		pass(time.Second)
		w.rest()
		w.wantEnds("after the start", true)
	})
}

// A short turn takes no commit: a question that is asked then waits for none. Of a turn
// that lasts it is stored that its end is owed.
func TestHearing_ShortTurnsAreNotStored(t *testing.T) {
	inThat(t, hearsByDefault(), func(w *world) {
		w.turnOf(4 * time.Second)
		if n := len(w.changes); n > 0 {
			t.Errorf("a short turn took %d commits: %+v", n, w.changes)
		}
		w.begin()
		pass(5 * time.Second)
		if n := len(w.driving().TurnWatches); n != 1 {
			t.Errorf("%d watches are stored", n)
		}
		w.rest()
		if n := len(w.driving().TurnWatches); n != 0 {
			t.Errorf("%d watches are left", n)
		}
	})
}

// What waits for people is no work: a turn counts by the rest of its time.
func TestHearing_OfATurnThatWaited(t *testing.T) {
	inThat(t, hearsByDefault(), func(w *world) {
		w.waits.For = 2 * time.Minute
		w.turnOf(3 * time.Minute)
		w.wantEnds("one that waited")
		w.turnOf(5 * time.Minute)
		w.wantEnds("one that waited and worked", true)
		if got := w.told[0].text; !says(got, fmt.Sprintf(en.Sessions.DoneIn, en.Duration(3*time.Minute))) {
			t.Errorf("told %q", got)
		}
	})
}

// A turn that ended with an ask, or was stopped, is told where no card and no message has said so, or where there is more to say.
func TestHearing_OfAnEndThatWasTold(t *testing.T) {
	stop := func(w *world) {
		w.set(func() { w.busy = true })
		w.send(tapped(50, 7, inbound.Button{Kind: inbound.ButtonStop, Session: testSession, At: time.Now()}))
		w.set(func() { w.busy, w.aborted = false, true })
		pass(2 * time.Second)
		w.set(func() { w.told = nil }) // "Stopped"
	}
	for name, c := range map[string]struct {
		alter func(*world)
		text  string
		tells int
	}{
		"a card has said so":  {func(w *world) { w.waits.Told = []chat.ID{adaChat} }, "", 0},
		"and the agent wrote": {func(w *world) { w.waits.Told = []chat.ID{adaChat} }, "I looked", 1},
		"a card elsewhere":    {func(w *world) { w.waits.Told = []chat.ID{2} }, "", 1},
		"no card":             {func(*world) {}, "", 1},
		"stopped from there":  {stop, "", 0},
		"the same, and Telegram is slow": {func(w *world) {
			w.set(func() { w.slow = 7 * time.Second })
			stop(w)
		}, "", 0},
		"stopped, and it had written": {stop, "I looked", 1},
		"stopped at the terminal":     {func(w *world) { w.set(func() { w.aborted = true }) }, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.set(func() { w.turn, w.wrote = "msg_9", c.text })
				w.say(1, "go on")
				w.begin()
				c.alter(w)
				w.rest()
				w.wantTold(slices.Repeat([]string{en.Sessions.GoOn}, c.tells)...)
			})
		})
	}
}
