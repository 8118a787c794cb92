package bridge_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
)

// A reminder is taken away when the ask waits no more, in each chat: also if Telegram does not do it at first, and if hermes
// is killed meanwhile.
func TestReminders_GoWithTheEnd(t *testing.T) {
	for name, meanwhile := range map[string]func(*world){
		"at once":        func(*world) {},
		"after a kill":   func(w *world) { w.kill(); w.start() },
		"after refusals": func(w *world) { w.wait(time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(w *world) {
				id := w.agent.ask(oneItem())
				w.wait(16 * time.Minute)
				if n := len(w.chat.notes); n != 2 || !strings.HasPrefix(w.chat.notes[0].text, "⏰") {
					t.Fatalf("notes %+v", w.chat.notes)
				}
				if len(w.chat.unreminded) > 0 {
					t.Errorf("taken away while it waits: %v", w.chat.unreminded)
				}
				if name != "at once" {
					w.setFault(meets("unbox", fate{err: errors.New("429")}))
				}
				w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
				w.wait(3 * time.Second)
				if name != "at once" {
					w.setFault(func(string) fate { return fine })
				}
				meanwhile(w)
				w.wait(5 * time.Minute)
				if len(w.chat.unreminded) != 2 {
					t.Errorf("taken away: %v", w.chat.unreminded)
				}
				w.idle()
			})
		})
	}
}

// One reminder is there at a time: the one before is removed. Where Telegram does not do that, it goes with the end.
func TestReminders_OneAtATime(t *testing.T) {
	for name, fault := range map[string]error{"removed": nil, "refused": errors.New("429")} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(w *world) {
				w.setFault(meets("unbox", fate{apply: fault == nil, err: fault}))
				id := w.agent.ask(oneItem())
				w.wait(26 * time.Minute)
				if notes, away := len(w.chat.notes), len(w.chat.unreminded); notes != 4 || fault == nil && away != 2 {
					t.Errorf("%d notes, %d taken away", notes, away)
				}
				w.setFault(func(string) fate { return fine })
				w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
				w.wait(5 * time.Minute)
				if len(w.chat.unreminded) != 4 {
					t.Errorf("taken away: %v", w.chat.unreminded)
				}
				w.idle()
			})
		})
	}
}

// idle fails the test if anything is owed to a thread.
func (w *world) idle() {
	w.t.Helper()
	if open, err := w.store.Threads(); err != nil || len(open) != 0 {
		w.t.Errorf("%d threads are owed something, %v", len(open), err)
	}
}
