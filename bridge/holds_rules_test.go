package bridge_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/bridge"
	"hermes/internal/event"
	"hermes/internal/question"
)

// A rule says for what it fits how long decisions are held, whatever is configured.
func TestHolds_OfARule(t *testing.T) {
	for name, c := range map[string]struct {
		says string
		want time.Duration // how long it is held
	}{
		"as configured": {"", 10 * time.Second},
		"longer":        {"undo = \"1m\"", time.Minute},
		"not at all":    {"undo = \"0s\"", 0},
	} {
		t.Run(name, func(t *testing.T) {
			playRules(t, c.says, func(w *world) {
				w.kill()
				w.alter = func(before func(*bridge.Config)) func(*bridge.Config) {
					return func(c *bridge.Config) { before(c); holding(c) }
				}(w.alter)
				w.start()
				id := w.agent.ask(oneItem())
				w.wait(2 * time.Second)
				w.press(adaChat, ada, id, pickTwo)
				decided := time.Now()
				w.wait(2 * time.Minute)
				if sent := w.agent.requests[id].sentAt; len(sent) != 1 || sent[0].Sub(decided).Round(time.Second) != c.want {
					t.Errorf("sent at %v, decided at %v", sent, decided)
				}
			})
		})
	}
}

// What a rule decides by itself is held only where it says so, on a card that can be heard.
func TestHolds_DecidedByARule(t *testing.T) {
	decides := "decide = \"auto\"\nanswers = [{ header = \"database\", answer = \"sqlite\" }]\nnotify = true\nundo = \"20s\""
	for name, c := range map[string]struct {
		then  func(w *world, id question.RequestID)
		found event.FindingKind
		by    string
	}{
		"sent":       {func(*world, question.RequestID) {}, event.FoundAnswered, "databases"},
		"taken back": {func(w *world, id question.RequestID) { w.press(adaChat, ada, id, tapUndo) }, event.FoundOpen, ""},
		"restarted":  {func(w *world, _ question.RequestID) { w.restart() }, event.FoundAnswered, "databases"},
	} {
		t.Run(name, func(t *testing.T) {
			playRules(t, decides, func(w *world) {
				id := w.agent.ask(oneItem())
				w.wait(2 * time.Second)
				if _, v, ok := w.chat.find(adaChat, id); !ok || v.Phase != question.PhaseHeld || !v.Undoable || len(w.chat.silent) != 1 || w.chat.silent[0] {
					t.Errorf("the card (%v) is %s, silent %v", ok, v.Phase, w.chat.silent)
				}
				c.then(w, id)
				w.wait(time.Minute)
				if got := w.agent.requests[id].found; got != c.found {
					t.Errorf("it is %s, want %s", got, c.found)
				}
				w.wantEnd(id, c.found, c.by)
			})
		})
	}
}

// HERMES_UNDO alone does not hold what a rule, a program or the deadline decides.
func TestHolds_OfPeopleAlone(t *testing.T) {
	for name, decide := range map[string]func(w *world, id question.RequestID){
		"a program": func(w *world, id question.RequestID) {
			_, v, _ := w.chat.find(adaChat, id)
			if err := w.bridge.Answer(w.context(), v.Thread, question.Answers{{"SQLite"}}); err != nil {
				w.t.Error(err)
			}
		},
		"the deadline": func(w *world, _ question.RequestID) { w.wait(30 * time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, holding)
				w.start()
				id := w.agent.ask(oneItem())
				w.wait(2 * time.Second)
				decide(w, id)
				w.wait(time.Second)
				if n := len(w.agent.requests[id].sentAt); n != 1 {
					t.Errorf("sent %d times", n)
				}
				w.kill()
			})
		})
	}
}

// An equal ask that has ended while the decision for all was held is done with when that is taken back.
func TestHolds_AnEqualAskEnds(t *testing.T) {
	for name, kind := range map[string]event.FindingKind{"allowed there": event.FoundAnswered, "stopped": event.FoundStopped} {
		t.Run(name, func(t *testing.T) {
			play(t, holding, func(w *world) {
				first, second := w.agent.askLeave("ses_1", "make"), w.agent.askLeave("ses_1", "make")
				w.wait(2 * time.Second)
				leader, other := first, second
				if w.thread(first).Leader != "" {
					leader, other = second, first
				}
				w.press(adaChat, ada, leader, once)
				w.wait(time.Second)
				w.agent.settle(other, kind, nil)
				w.wait(3 * time.Second)
				w.press(adaChat, ada, leader, tapUndo)
				w.wait(5 * time.Minute)
				open, err := w.bridge.Open(w.context())
				if err != nil || len(open) != 1 || open[0].Request.ID != leader || len(open[0].Equals) != 0 {
					t.Errorf("open are %d: %+v (%v)", len(open), open, err)
				}
				w.press(adaChat, ada, leader, once)
				w.wait(time.Minute)
				w.decided(leader, question.Once)
			})
		})
	}
}
