package bridge_test

import (
	"errors"
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/outbound"
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
				if n := len(w.chat.notes); n != 2 || w.chat.notes[0].Kind != outbound.NoteRemind {
					t.Fatalf("notes %+v", w.chat.notes)
				}
				if len(w.chat.unreminded) > 0 {
					t.Errorf("taken away while it waits: %v", w.chat.unreminded)
				}
				if name != "at once" {
					w.setFault(func(op string) fate {
						if op == "unbox" {
							return fate{err: errors.New("429")}
						}
						return fine
					})
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
