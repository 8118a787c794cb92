package sessions_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/outbound"
	"hermes/internal/session"
)

func TestPrompt_TooLateGetsAnotherID(t *testing.T) {
	in(t, func(w *world) {
		w.set(func() { w.delayed = 5 })
		w.say(1, "go on")
		pass(time.Minute)
		if len(w.sent) != 1 || w.tries[0].ID == w.sent[0].ID {
			t.Errorf("tried %+v", w.tries)
		}
		w.wantTold(en.Sessions.Kept, en.Sessions.Taken, en.Sessions.Nothing)
		w.wantReactions("1👀 1👍 ")
	})
}

// The end of a turn is told until the chat takes it.
func TestTurn_ToldUntilTheChatTakesIt(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "go on")
		down := true
		w.set(func() {
			w.turn = "msg_999"
			w.refuse = func(tell telling) error {
				if down && says(tell.text, en.Sessions.GoOn) {
					return passing{errors.New("no network")}
				}
				return nil
			}
		})
		pass(5 * time.Minute)
		w.wantTold()
		w.set(func() { down = false })
		pass(10 * time.Minute)
		w.wantTold(en.Sessions.GoOn)
		if n := len(w.driving().TurnWatches); n != 0 {
			t.Errorf("%d are still watched", n)
		}
	})
}

// What an attempt has shown is passed on to the next one, with whether a file is among it.
func TestTelling_GoesOnWhereItBrokeOff(t *testing.T) {
	for _, unfiled := range []bool{false, true} {
		in(t, func(w *world) {
			tries := 0
			w.set(func() {
				w.busy = true
				w.halfway = outbound.MessageShown{Messages: []chat.MessageID{70, 71}, Unfiled: unfiled}
				w.refuse = func(telling) error {
					if tries++; tries == 1 {
						return passing{errors.New("too many requests")}
					}
					return nil
				}
			})
			w.say(1, "go on")
			pass(20 * time.Second)
			w.wantTold(en.Sessions.Queued)
			if got := w.told[0]; !slices.Equal(got.Shown, w.halfway.Messages) || got.Unfiled != unfiled {
				t.Errorf("shown %v, without a file: %v, want %+v", got.Shown, got.Unfiled, w.halfway)
			}
		})
	}
}

// A prompt that OpenCode cannot begin with leaves nothing but an event.
func TestTurn_NothingComesOfThePrompt(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "go on")
		w.event(event.Failed, "no such model")
		pass(2 * time.Minute)
		w.wantTold(en.Sessions.Nothing)
		if got := w.told[0].text; !says(got, "no such model") {
			t.Errorf("the reason is %q", got)
		}
	})
}

func TestTurn_RetriesAreToldOnce(t *testing.T) {
	in(t, func(w *world) {
		w.set(func() { w.busy = true })
		w.say(1, "go on")
		for range 3 {
			w.event(event.Worked, "")
			w.event(event.Retried, "overloaded")
			pass(time.Minute)
		}
		w.wantTold(en.Sessions.Queued, en.Sessions.Retried)
	})
}

// While somebody at the keyboard goes on, nothing is told.
func TestTurn_NothingIsToldWhileItGoesOn(t *testing.T) {
	w := hearsOfTurns()
	inThat(t, w, func(w *world) {
		for n := range 5 {
			w.set(func() { w.busy = true })
			w.event(event.Worked, "")
			pass(time.Minute)
			w.set(func() { w.busy, w.turn = false, session.MessageID("msg_50"+string(rune('0'+n))) })
			w.event(event.Rested, "")
			w.event(event.Rested, "")
			pass(3 * time.Second)
		}
		w.wantTold()
		pass(10 * time.Second)
		w.wantTold(en.Sessions.GoOn)
	})
}

func TestPrompt_MentionsAgents(t *testing.T) {
	for text, want := range map[string]int{
		"@explore the code": 1, "ask @explore, then @explore.": 1, "mail me@explore": 0, "@nobody": 0, "(@explore)": 0, "no": 0,
	} {
		in(t, func(w *world) {
			w.say(1, text)
			pass(time.Second)
			if len(w.sent) != 1 || len(w.sent[0].Parts) != 1+want || w.sent[0].Parts[0].Text != text {
				t.Errorf("%q became %+v", text, w.sent)
			}
		})
	}
}

// Several prompts of one session that an earlier life of hermes owed go one after another, as
// soon as an OpenCode is there.
func TestPrompt_AllThatWasOwedGoes(t *testing.T) {
	in(t, func(w *world) {
		w.leave(event.Lost)
		w.say(1, "one")
		w.say(2, "two")
		w.say(3, "three")
		w.silent = true
		w.restart()
		w.comeBack()
		w.wantPrompts("one\ntwo\nthree")
	})
}
