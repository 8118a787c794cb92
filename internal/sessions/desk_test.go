package sessions

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

func wantKinds(t *testing.T, w *world, want ...question.TellingKind) {
	t.Helper()
	if got := w.kinds(); !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

func TestAPromptThatComesTooLateGetsAnotherID(t *testing.T) {
	in(t, func(w *world) {
		w.set(func() { w.delayed = 5 })
		w.say(1, "go on")
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(w.sent) != 1 || w.tries[0].ID == w.sent[0].ID {
			t.Errorf("tried %+v", w.tries)
		}
		wantKinds(t, w, question.TellKept, question.TellTaken, question.TellNothing)
		w.wantReactions("1👀 1👍 ")
	})
}

// What the store does not take is not sent: it comes again.
func TestAPromptThatIsNotStoredIsNotSent(t *testing.T) {
	in(t, func(w *world) {
		w.set(func() { w.broken = errors.New("the disk is full") })
		w.say(1, "go on")
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(w.tries) != 0 {
			t.Errorf("tried %+v", w.tries)
		}
		wantKinds(t, w, question.TellNotSaved)
		w.set(func() { w.broken = nil })
		w.say(1, "go on")
		time.Sleep(time.Second)
		synctest.Wait()
		if len(w.sent) != 1 {
			t.Errorf("sent %+v", w.sent)
		}
	})
}

// The end of a turn is told until the chat takes it.
func TestTheEndIsToldUntilItIsTaken(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "go on")
		down := true
		w.set(func() {
			w.turn = "msg_999"
			w.refuse = func(tell question.Telling) error {
				if down && tell.Kind == question.TellTurn {
					return passing{errors.New("no network")}
				}
				return nil
			}
		})
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		wantKinds(t, w)
		w.set(func() { down = false })
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		wantKinds(t, w, question.TellTurn)
		if len(w.watches) != 0 {
			t.Errorf("%d are still watched", len(w.watches))
		}
	})
}

// A chat that takes no more messages for some seconds has the acknowledgement later.
func TestAnAcknowledgementIsSentAgain(t *testing.T) {
	in(t, func(w *world) {
		tries := 0
		w.set(func() {
			w.busy = true
			w.refuse = func(question.Telling) error {
				if tries++; tries < 4 {
					return passing{errors.New("too many requests")}
				}
				return nil
			}
		})
		w.say(1, "go on")
		time.Sleep(20 * time.Second)
		synctest.Wait()
		wantKinds(t, w, question.TellQueued)
	})
}

// What an attempt has shown is passed on to the next one, with whether a file is among it.
func TestATellingThatBrokeOffIsGoneOnWith(t *testing.T) {
	for _, unfiled := range []bool{false, true} {
		in(t, func(w *world) {
			tries := 0
			w.set(func() {
				w.busy = true
				w.halfway = question.TellingShown{Messages: []question.PostedID{70, 71}, Unfiled: unfiled}
				w.refuse = func(question.Telling) error {
					if tries++; tries == 1 {
						return passing{errors.New("too many requests")}
					}
					return nil
				}
			})
			w.say(1, "go on")
			time.Sleep(20 * time.Second)
			synctest.Wait()
			wantKinds(t, w, question.TellQueued)
			if got := w.told[0]; !slices.Equal(got.Shown, w.halfway.Messages) || got.Unfiled != unfiled {
				t.Errorf("shown %v, without a file: %v, want %+v", got.Shown, got.Unfiled, w.halfway)
			}
		})
	}
}

// A prompt that OpenCode cannot begin with leaves nothing but an event.
func TestAPromptThatNothingComesOf(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "go on")
		w.event(question.Failed, "no such model")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		wantKinds(t, w, question.TellNothing)
		if got := w.told[0].Text; got != "no such model" {
			t.Errorf("the reason is %q", got)
		}
	})
}

func TestRetriesAreToldOnce(t *testing.T) {
	in(t, func(w *world) {
		w.set(func() { w.busy = true })
		w.say(1, "go on")
		for range 3 {
			w.event(question.Worked, "")
			w.event(question.Retried, "overloaded")
			time.Sleep(time.Minute)
		}
		wantKinds(t, w, question.TellQueued, question.TellRetried)
	})
}

// While somebody at the keyboard goes on, nothing is told.
func TestNothingIsToldWhileItGoesOn(t *testing.T) {
	in(t, func(w *world) {
		w.seats.Store(question.ChatID(2), question.Seat{Chat: 2, Level: question.LevelTurns})
		for n := range 5 {
			w.set(func() { w.busy = true })
			w.event(question.Worked, "")
			time.Sleep(time.Minute)
			w.set(func() { w.busy, w.turn = false, question.MessageID("msg_50"+string(rune('0'+n))) })
			w.event(question.Rested, "")
			w.event(question.Rested, "")
			time.Sleep(3 * time.Second)
		}
		wantKinds(t, w)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		wantKinds(t, w, question.TellTurn)
	})
}

func TestMentionsOfAgents(t *testing.T) {
	for text, want := range map[string]int{
		"@explore the code": 1, "ask @explore, then @explore.": 1, "mail me@explore": 0, "@nobody": 0, "(@explore)": 0, "no": 0,
	} {
		p, err := mentioned(t.Context(), way{Agent: &world{}}, question.Prompt{Parts: []question.Part{{Text: text}}})
		if err != nil || len(p.Parts) != 1+want || p.Parts[0].Text != text {
			t.Errorf("%q became %+v, %v", text, p.Parts, err)
		}
	}
}
