package bridge_test

import (
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending"
)

var (
	pickTwo = question.WizardInput{Action: question.Pick, Option: 1}
	pickOne = question.WizardInput{Action: question.Pick}
	tapUndo = question.WizardInput{Action: question.Undo}
)

func holding(c *bridge.Config) { c.Undo = 10 * time.Second }

// journaled are the kinds of entries of a request, in their order.
func (w *world) journaled(id question.RequestID, kinds ...storage.EntryKind) (list []storage.EntryKind) {
	w.t.Helper()
	err := w.store.Journal(0, func(line pending.Line) error {
		for _, kind := range kinds {
			if line.Entry.Request == id && line.Entry.Kind == kind {
				list = append(list, kind)
			}
		}
		return nil
	})
	if err != nil {
		w.t.Error(err)
	}
	return list
}

// What is tapped is sent when its hold is over, and not before: whatever happens meanwhile.
func TestHolds_Ends(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(w *world, id question.RequestID)
		found     event.FindingKind
		answer    string
		by        string
		after     time.Duration // when it is so
	}{
		"nothing happens":       {func(*world, question.RequestID) {}, event.FoundAnswered, "PostgreSQL (Recommended)", "Ada", 10 * time.Second},
		"taken back":            {func(w *world, id question.RequestID) { w.press(adaChat, ada, id, tapUndo) }, event.FoundOpen, "", "", time.Minute},
		"taken back by who may": {func(w *world, id question.RequestID) { w.press(bobChat, bob, id, tapUndo) }, event.FoundOpen, "", "", time.Minute},
		"a stranger's tap":      {func(w *world, id question.RequestID) { w.press(bobChat, 99, id, tapUndo) }, event.FoundAnswered, "PostgreSQL (Recommended)", "Ada", 10 * time.Second},
		"tapped twice":          {func(w *world, id question.RequestID) { w.press(adaChat, ada, id, pickTwo) }, event.FoundAnswered, "PostgreSQL (Recommended)", "Ada", 10 * time.Second},
		"a text for it": {func(w *world, id question.RequestID) {
			m, _, _ := w.chat.find(bobChat, id)
			w.say(bobChat, bob, m, "1")
		}, event.FoundAnswered, "PostgreSQL (Recommended)", "Ada", 10 * time.Second},
		"taken back, and decided": {func(w *world, id question.RequestID) {
			w.pressAndWait(adaChat, ada, id, tapUndo)
			w.press(adaChat, ada, id, pickOne)
		}, event.FoundAnswered, "SQLite", "Ada", 13 * time.Second},
		"answered there": {func(w *world, id question.RequestID) {
			w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
		}, event.FoundAnswered, "SQLite", "", time.Second},
		"the same answered there": {func(w *world, id question.RequestID) {
			w.agent.settle(id, event.FoundAnswered, question.Answers{{"PostgreSQL (Recommended)"}})
		}, event.FoundAnswered, "PostgreSQL (Recommended)", "", time.Second},
		"dismissed there":       {func(w *world, id question.RequestID) { w.agent.settle(id, event.FoundDismissed, nil) }, event.FoundDismissed, "", "", time.Second},
		"stopped there":         {func(w *world, id question.RequestID) { w.agent.settle(id, event.FoundStopped, nil) }, event.FoundStopped, "", "", time.Second},
		"a restart":             {func(w *world, _ question.RequestID) { w.restart() }, event.FoundAnswered, "PostgreSQL (Recommended)", "Ada", 10 * time.Second},
		"down until it is over": {func(w *world, _ question.RequestID) { w.kill(); time.Sleep(time.Minute); w.start() }, event.FoundAnswered, "PostgreSQL (Recommended)", "Ada", 3 * time.Second},
		"down, and then Undo": {func(w *world, id question.RequestID) {
			w.kill()
			time.Sleep(time.Minute)
			w.start()
			w.press(adaChat, ada, id, tapUndo)
		}, event.FoundOpen, "", "", time.Minute},
		"OpenCode away for a time": {func(w *world, _ question.RequestID) {
			w.agent.down()
			time.Sleep(5 * time.Second)
			w.agent.comeBack(false)
		}, event.FoundAnswered, "PostgreSQL (Recommended)", "Ada", 10 * time.Second},
		"OpenCode closed": {func(w *world, _ question.RequestID) { w.agent.close() }, event.FoundOpen, "", "", 15 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, holding, func(w *world) {
				id := w.askOne()
				w.pressAndWait(adaChat, ada, id, pickTwo)
				if _, v, _ := w.chat.find(bobChat, id); v.Phase != question.PhaseHeld || !v.Undoable || v.Decision == nil {
					t.Errorf("Bob's card is %s, undoable %v", v.Phase, v.Undoable)
				}
				c.meanwhile(w, id)
				w.wait(c.after)
				r := w.agent.requests[id]
				if got := r.answers; r.found != c.found || c.answer != "" && !got.Equal(question.Answers{{c.answer}}) {
					t.Errorf("it is %s with %v, want %s with %s", r.found, got, c.found, c.answer)
				}
				for _, at := range r.sentAt {
					if r.replies != 1 || len(r.sentAt) != 1 || c.by == "" {
						t.Errorf("sent %d times, at %v", len(r.sentAt), at)
					}
				}
				if name != "OpenCode closed" {
					w.wantEnd(id, c.found, c.by)
				}
			})
		})
	}
}

// wantEnd fails the test unless Ada's card tells the end of a request, or asks it.
func (w *world) wantEnd(id question.RequestID, found event.FindingKind, by string) {
	w.t.Helper()
	w.wait(2 * time.Second)
	_, v, _ := w.chat.find(adaChat, id)
	switch {
	case found == event.FoundOpen && (v.Phase != question.PhaseAsking || v.Decision != nil || v.Undoable):
		w.t.Errorf("the card is %s with %+v", v.Phase, v.Decision)
	case found != event.FoundOpen && (v.Outcome == nil || v.Outcome.Kind != outcomeOf(found) || v.Outcome.By.Name != by):
		w.t.Errorf("the card ends with %+v, want %s by %q", v.Outcome, found, by)
	}
}

// What was prepared is there again, and no button from before counts.
func TestHolds_TakenBackIsAsItWas(t *testing.T) {
	play(t, holding, func(w *world) {
		id := w.agent.ask(oneItem(), oneItem())
		w.wait(2 * time.Second)
		w.pressAndWait(adaChat, ada, id, pickTwo)
		w.pressAndWait(adaChat, ada, id, question.WizardInput{Action: question.Pick, Item: 1})
		_, before, _ := w.chat.find(adaChat, id)
		w.pressAndWait(adaChat, ada, id, question.WizardInput{Action: question.Send})
		w.press(adaChat, ada, id, tapUndo)
		w.press(adaChat, ada, id, tapUndo)
		w.wait(40 * time.Minute) // its deadline has come meanwhile
		_, after, _ := w.chat.find(adaChat, id)
		if len(w.agent.requests[id].sentAt) != 1 || after.Outcome == nil || after.Outcome.By.Kind != question.Deadline {
			t.Errorf("the deadline is over, and it is %s, %+v", after.Phase, after.Outcome)
		}
		if after.Wizard.Step != before.Wizard.Step || len(after.Wizard.Choices) != 2 || !after.Wizard.Choices[1].Has(0) || after.Step <= before.Step {
			t.Errorf("it was %+v, and is %+v", before.Wizard, after.Wizard)
		}
		if got := w.journaled(id, storage.EntryAnswered, storage.EntryHeld, storage.EntryUndone, storage.EntryDelivered); len(got) != 4 || got[1] != storage.EntryHeld || got[2] != storage.EntryUndone {
			t.Errorf("the journal has %v", got)
		}
	})
}

// A deadline that comes while a decision is held does not touch it, and gives people time when it is taken back.
func TestHolds_Deadline(t *testing.T) {
	for name, takeBack := range map[string]bool{"held to its end": false, "taken back": true} {
		t.Run(name, func(t *testing.T) {
			play(t, func(c *bridge.Config) { c.Undo, c.TTL = 10*time.Minute, time.Minute }, func(w *world) {
				id := w.agent.ask(oneItem())
				w.wait(30 * time.Second)
				w.press(adaChat, ada, id, pickTwo)
				w.wait(2 * time.Minute)
				if len(w.agent.requests[id].sentAt) > 0 {
					t.Error("the deadline came before the decision")
				}
				if takeBack {
					w.press(adaChat, ada, id, tapUndo)
					w.wait(time.Minute)
					w.wantEnd(id, event.FoundOpen, "")
					w.wait(2 * time.Minute)
					w.wantEnd(id, event.FoundDismissed, "")
				} else {
					w.wait(9 * time.Minute)
					w.wantEnd(id, event.FoundAnswered, "Ada")
				}
			})
		})
	}
}

// Of a team the last approval is held, and taken back alone.
func TestHolds_LastApproval(t *testing.T) {
	play(t, func(c *bridge.Config) {
		holding(c)
		c.Rules = law(t, 0).book
	}, func(w *world) {
		id := w.agent.askLeave("ses_1", "rm -rf build")
		w.wait(2 * time.Second)
		w.pressAndWait(adaChat, ada, id, pickOne)
		if _, v, _ := w.chat.find(adaChat, id); v.Phase != question.PhaseAsking || len(v.Votes) != 1 {
			t.Errorf("an approval that does not decide is %s, with %d", v.Phase, len(v.Votes))
		}
		w.pressAndWait(bobChat, bob, id, pickOne)
		w.press(adaChat, ada, id, tapUndo)
		w.wait(time.Minute)
		if _, v, _ := w.chat.find(adaChat, id); v.Phase != question.PhaseAsking || len(v.Votes) != 1 || v.Votes[0].By.User != ada || len(w.agent.requests[id].sentAt) > 0 {
			t.Errorf("taken back, it is %s with %+v", v.Phase, v.Votes)
		}
		w.press(bobChat, bob, id, pickOne)
		w.wait(15 * time.Second)
		w.wantEnd(id, event.FoundAnswered, "Bob")
	})
}

// Equal asks are held, taken back and sent together.
func TestHolds_EqualAsks(t *testing.T) {
	playThree := func(t *testing.T, then func(w *world, ids []question.RequestID)) {
		play(t, holding, func(w *world) {
			var ids []question.RequestID
			for range 3 {
				ids = append(ids, w.agent.askLeave("ses_1", "make"))
				w.wait(10 * time.Millisecond)
			}
			w.wait(2 * time.Second)
			w.pressAndWait(adaChat, ada, ids[0], pickOne)
			for _, id := range ids {
				if n := len(w.agent.requests[id].sentAt); n > 0 {
					t.Errorf("%s was sent", id)
				}
			}
			then(w, ids)
		})
	}
	each := func(w *world, ids []question.RequestID, want event.FindingKind) {
		w.t.Helper()
		for _, id := range ids {
			if got := w.agent.requests[id].found; got != want {
				w.t.Errorf("%s is %s, want %s", id, got, want)
			}
		}
	}
	t.Run("sent", func(t *testing.T) {
		playThree(t, func(w *world, ids []question.RequestID) { w.wait(15 * time.Second); each(w, ids, event.FoundAnswered) })
	})
	t.Run("taken back", func(t *testing.T) {
		playThree(t, func(w *world, ids []question.RequestID) {
			w.press(adaChat, ada, ids[0], tapUndo)
			w.wait(time.Minute)
			each(w, ids, event.FoundOpen)
			if _, v, _ := w.chat.find(adaChat, ids[0]); v.Count != 3 || v.Phase != question.PhaseAsking {
				t.Errorf("the card is %s for %d", v.Phase, v.Count)
			}
		})
	})
	for name, ends := range map[string]func(*world, question.RequestID){
		"decided there": func(w *world, id question.RequestID) { w.agent.atScreen(id, question.Once) },
		"stopped":       func(w *world, id question.RequestID) { w.agent.settle(id, event.FoundStopped, nil) },
	} {
		t.Run("a follower is "+name+", then it is taken back, and decided", func(t *testing.T) {
			playThree(t, func(w *world, ids []question.RequestID) {
				ends(w, ids[1])
				w.wait(3 * time.Second)
				w.press(adaChat, ada, ids[0], tapUndo)
				w.wait(time.Minute)
				each(w, []question.RequestID{ids[0], ids[2]}, event.FoundOpen)
				if _, v, _ := w.chat.find(adaChat, ids[0]); v.Count != 2 || v.Phase != question.PhaseAsking || w.openThreads() != 2 {
					t.Errorf("the card is %s for %d, and %d are open", v.Phase, v.Count, w.openThreads())
				}
				w.press(adaChat, ada, ids[0], once)
				w.wait(time.Minute)
				each(w, []question.RequestID{ids[0], ids[2]}, event.FoundAnswered)
			})
		})
	}
	for name, restart := range map[string]bool{"the leader is decided there": false, "the leader is decided there, and hermes restarts": true} {
		t.Run(name, func(t *testing.T) {
			playThree(t, func(w *world, ids []question.RequestID) {
				w.agent.atScreen(ids[0], question.Once)
				w.wait(5 * time.Second)
				if restart {
					w.restart()
				}
				w.wait(time.Minute)
				each(w, ids[1:], event.FoundOpen)
				_, one, ok := w.chat.find(adaChat, ids[1])
				_, other, or := w.chat.find(adaChat, ids[2])
				if ok == or || one.Phase != question.PhaseAsking && other.Phase != question.PhaseAsking {
					t.Errorf("the others are %s (%v) and %s (%v)", one.Phase, ok, other.Phase, or)
				}
			})
		})
	}
}
