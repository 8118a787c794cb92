package bridge_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/outbound"
	"hermes/internal/question"
)

// A chat that certainly got no message of a question is not told how it ended, whatever
// becomes of the same question in another chat.
func TestDisplay_ChatThatNeverGotTheQuestionIsNotToldItsEnd(t *testing.T) {
	for name, delay := range map[string]time.Duration{"at once": 0, "after a delay": 300 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, func(c *bridge.Config) { c.NotifyDelay = delay })
				w.start()
				defer w.kill()
				refuse := true
				w.chat.waits = map[chat.ID]time.Duration{adaChat: time.Minute, bobChat: 5 * time.Second}
				w.chat.refuses = func(p outbound.Post) (bool, string) { return refuse, "" }
				id := w.agent.ask(oneItem())
				w.wait(3 * time.Second)
				w.chat.mu.Lock()
				w.chat.refuses = func(p outbound.Post) (bool, string) { return p.Chat == adaChat && len(p.Messages) == 0, "" }
				w.chat.mu.Unlock()
				w.wait(27 * time.Second)
				if _, _, ok := w.chat.find(bobChat, id); !ok {
					t.Fatal("the other chat does not show it")
				}
				w.chat.mu.Lock()
				w.chat.refuses = nil
				w.chat.mu.Unlock()
				w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
				w.wait(2 * time.Minute)
				if _, v, ok := w.chat.find(adaChat, id); ok {
					t.Errorf("the chat is told of what it never saw: %s", v.Phase)
				}
				if _, v, ok := w.chat.find(bobChat, id); !ok || v.Outcome == nil {
					t.Error("the other chat is not told")
				}
			})
		})
	}
}

// A thread is not let go of while copies of its card are looked for, through restarts, for two
// days at most.
func TestCopies_SearchOutlivesTheEndAndIsGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		works time.Duration // after the end
		found bool
	}{
		"the edit works after a day": {24 * time.Hour, true},
		"it never does":              {60 * time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, nil)
				w.start()
				defer func() { w.kill() }()
				lost := 2 // one in each chat
				works := false
				w.setFault(func(op string) fate {
					switch {
					case op == "show" && lost > 0:
						lost--
						return fate{apply: true, err: errFault}
					case op == "search" && !works:
						return fate{err: errFault}
					}
					return fine
				})
				id := w.agent.ask(oneItem())
				w.wait(5 * time.Second)
				w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
				w.wait(time.Hour)
				w.restart()
				w.wait(c.works - time.Hour)
				if threads, err := w.store.Threads(); err != nil || len(threads) == 1 != c.found {
					t.Errorf("%d threads are open, %v", len(threads), err)
				}
				works = true
				w.wait(time.Hour)
				if threads, err := w.store.Threads(); err != nil || len(threads) > 0 {
					t.Errorf("at the end %d threads are open, %v", len(threads), err)
				}
				copies := 0
				for _, screens := range w.chat.screens {
					for _, s := range screens {
						if s.stray {
							copies++
						}
					}
				}
				if want := map[bool]int{true: 2}[c.found]; copies != want {
					t.Errorf("%d copies were found, want %d", copies, want)
				}
			})
		})
	}
}

// While copies of an ended card are looked for, OpenCode may come and go, as after each restart of hermes: the end says nothing of that, and is not
// edited again.
func TestCopies_EndIsNotEditedAgainWhereOpenCodeComesAndGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.start()
		defer func() { w.kill() }()
		lost, shows := 2, 0 // one in each chat
		w.setFault(func(op string) fate {
			switch {
			case op == "show" && lost > 0:
				lost--
				return fate{apply: true, err: errFault}
			case op == "show":
				shows++
			case op == "search":
				return fate{err: errFault}
			}
			return fine
		})
		id := w.agent.ask(oneItem())
		w.wait(5 * time.Second)
		w.press(adaChat, ada, id, question.WizardInput{Action: question.Pick, Option: 1})
		w.wait(5 * time.Second)
		if threads, err := w.store.Threads(); err != nil || len(threads) != 1 || !threads[0].Settled() {
			t.Fatalf("%+v, %v", threads, err)
		}
		before := shows
		for range 3 {
			w.agent.down()
			w.wait(time.Minute)
			w.agent.comeBack(false)
			w.wait(time.Minute)
		}
		w.restart()
		w.wait(time.Minute)
		if shows != before {
			t.Errorf("%d edits after the end", shows-before)
		}
	})
}
