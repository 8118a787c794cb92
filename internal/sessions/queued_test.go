package sessions_test

import (
	"errors"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// queueOne has a prompt taken while the session works: message 1001 says that it waits.
func (w *world) queueOne() {
	w.begin()
	w.set(func() { w.turn = "msg_9" })
	w.say(1, "go on")
	pass(4 * time.Second)
	w.wantTold(en.Sessions.Queued)
}

// wantRemoved wants that the message which says that a prompt waits was taken away so often, and last of all.
func (w *world) wantRemoved(times int) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, m := range w.told {
		if m.Remove {
			if n++; m.Edit != 1001 || m.Chat != adaChat || !m.Silent {
				w.t.Errorf("removed %+v", m)
			}
		}
	}
	if n != times {
		w.t.Errorf("removed %d times, want %d: %+v", n, times, w.told)
	}
}

// The end of a prompt that waited names its session as the message did before, where nothing is known of the session any more.
func TestQueued_NamesASessionThatIsGone(t *testing.T) {
	in(t, func(w *world) {
		w.queueOne()
		w.restart()
		w.set(func() { w.gone = true })
		w.rest()
		w.wantRemoved(1)
		for _, m := range w.told {
			if m.Remove && !says(m.text, "shop · fix") {
				t.Errorf("it says %q", m.text)
			}
		}
	})
}

// What Telegram does not do now is done later: the end of the turn is told once all the same.
func TestQueued_GoesWhenTelegramTakesItAgain(t *testing.T) {
	in(t, func(w *world) {
		w.queueOne()
		w.set(func() {
			w.refuse = func(m telling) error {
				if m.Remove {
					return passing{errors.New("429")}
				}
				return nil
			}
		})
		w.rest()
		pass(5 * time.Minute)
		w.wantTold(en.Sessions.Queued, en.Sessions.GoOn)
		w.set(func() { w.refuse = nil })
		pass(3 * time.Minute)
		w.wantTold(en.Sessions.Queued, en.Sessions.GoOn, en.Sessions.Taken)
		w.wantRemoved(1)
		if d := w.driving(); len(d.TurnWatches) != 0 {
			t.Errorf("left %+v", d.TurnWatches)
		}
	})
}

// A kill at any commit between the prompt and the end of its turn leaves no message that is not true any more, but
// where hermes is killed between the two commits in which it learns the number of that message.
func TestQueued_KilledAtEachCommit(t *testing.T) {
	left, commits := 0, 0
	for kill := 1; kill == commits+1; kill++ {
		commits = 0
		in(t, func(w *world) {
			w.begin()
			w.set(func() {
				w.turn = "msg_9"
				w.dies = func() (bool, bool) { commits++; return commits == kill, true }
			})
			w.say(1, "go on")
			pass(4 * time.Second)
			w.set(func() { w.busy, w.turn = false, w.turn+"1" })
			w.event(event.Rested, "")
			pass(8 * time.Second)
			w.set(func() { w.dies = nil })
			w.restart()
			pass(time.Minute)
			waits := map[chat.MessageID]bool{}
			for i, m := range w.told {
				switch {
				case says(m.text, en.Sessions.Queued):
					waits[chat.MessageID(1001+i)] = true
				case m.Remove:
					delete(waits, m.Edit)
				}
			}
			left += len(waits)
		})
	}
	if commits < 5 || left > 1 {
		t.Errorf("%d messages were left behind by kills at %d commits", left, commits)
	}
}

// A reaction says that a prompt is owed and that it has arrived. Words say what it cannot,
// and all of it where there are no reactions.
func TestReaction_SaysHowThePromptStands(t *testing.T) {
	for name, c := range map[string]struct {
		alter     func(*world)
		reactions string
		told      []string
	}{
		"taken":               {func(*world) {}, "1👀 1👍 ", nil},
		"busy":                {func(w *world) { w.busy = true }, "1👀 1👍 ", []string{en.Sessions.Queued}},
		"refused":             {func(w *world) { w.unwilling = permanent{session.ErrNoAgent} }, "1👀 1 ", []string{en.Sessions.Refused}},
		"without reactions":   {func(w *world) { w.noReacts = errors.New("REACTION_INVALID") }, "1👀 1👍 ", []string{en.Sessions.Taken}},
		"kept, and sent then": {func(w *world) { w.unwilling, w.unwillingFor = passing{errors.New("502")}, 3 }, "1👀 1👍 ", []string{en.Sessions.Kept, en.Sessions.Taken}},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.set(func() { w.turn = "msg_999"; c.alter(w) })
				w.say(1, "go on")
				pass(4 * time.Second)
				if len(c.told) > 1 {
					pass(20 * time.Second)
					c.told = append(c.told, en.Sessions.GoOn)
				}
				w.wantTold(c.told...)
				w.wantReactions(c.reactions)
			})
		})
	}
}

// What a killed hermes may not have put under a prompt that arrived, the next one does: until the chat takes it, and no more then.
func TestReaction_IsOwedByTheNextStart(t *testing.T) {
	for name, c := range map[string]struct {
		owed  remote.Listener
		alter func(*world)
		want  string
	}{
		"owed":                       {remote.Listener{Message: 1, Unmarked: true}, func(*world) {}, "1👍 "},
		"set, or of an older hermes": {remote.Listener{Message: 1}, func(*world) {}, ""},
		"left behind":                {remote.Listener{Unmarked: true}, func(*world) {}, ""},
		"not taken for a while":      {remote.Listener{Message: 1, Unmarked: true}, func(w *world) { w.noReacts = passing{errors.New("502")} }, "1👍 1👍 1👍 "},
		"never taken":                {remote.Listener{Message: 1, Unmarked: true}, func(w *world) { w.noReacts = errors.New("REACTION_INVALID") }, "1👍 "},
	} {
		t.Run(name, func(t *testing.T) {
			c.owed.Chat, c.owed.Prompt = adaChat, "msg_1"
			w := seededWorld(storage.Change{TurnWatches: []remote.TurnWatch{{Session: testSession, Since: time.Now(), For: []remote.Listener{c.owed}}}})
			c.alter(w)
			inThat(t, w, func(w *world) {
				pass(2 * time.Second) // the attempts are 1 s and 2 s apart
				w.set(func() { w.noReacts = nil })
				pass(time.Minute)
				w.wantReactions(c.want)
			})
		})
	}
}
