package bridge_test

import (
	"errors"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/telegram/ui"
)

// A text that was written before a question could be seen is no answer to it,
// however late it comes in.
func TestAddressing_TextFromBeforeTheQuestion(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(10 * time.Second)
		w.input(inbound.Input{
			Kind: inbound.Typed, Chat: adaChat, Private: true, Message: 1 << 20, Text: "2",
			User: chat.User{ID: ada, Name: "Ada"}, Sent: time.Now().Add(-time.Minute),
		})
		w.wait(time.Second)
		w.shows(id, question.PhaseAsking, "")
		if len(w.chat.notes) != 1 || w.wasNoted(ui.WhichAsk()) != 1 {
			t.Errorf("it was met with %+v", w.chat.notes)
		}
	})
}

// hermes was down for longer than an answer is kept for an OpenCode that is away;
// OpenCode was not away.
func TestDelivery_KeptAnswerOutlivesALongStop(t *testing.T) {
	play(t, func(c *bridge.Config) { c.TTL = 0 }, func(w *world) {
		id := w.askOne()
		w.agent.down()
		w.wait(time.Second)
		w.pick(adaChat, ada, id, 1)
		w.wait(time.Second)
		w.shows(id, question.PhaseWaiting, "")
		w.kill()
		time.Sleep(25 * time.Hour)
		w.start()
		w.wait(5 * time.Second)
		w.agent.comeBack(false)
		w.wait(time.Second)
		w.got(id, question.Answers{{"PostgreSQL (Recommended)"}})
		w.shows(id, question.PhaseEnded, question.OutcomeAnswered)
	})
}

// OpenCode goes while Ada's answer is kept for it, or is on its way: the card says what is known of the answer.
func TestDelivery_OpenCodeGoes(t *testing.T) {
	for name, c := range map[string]struct {
		slow time.Duration // of what is sent
		goes func(*world)
		end  question.OutcomeKind
	}{
		"and forgets it":                    {0, func(w *world) { w.agent.comeBack(true) }, question.OutcomeRestarted},
		"while it is sent":                  {10 * time.Second, func(w *world) { w.agent.close() }, question.OutcomeUnknown},
		"while it is sent, and hermes also": {10 * time.Second, func(w *world) { w.agent.down(); w.restart(); w.wait(25 * time.Hour) }, question.OutcomeUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(w *world) {
				id := w.askOne()
				w.agent.slow = c.slow
				if c.slow == 0 {
					w.agent.down()
				}
				w.pick(adaChat, ada, id, 1)
				w.wait(time.Second)
				c.goes(w)
				w.wait(time.Minute)
				v := w.shows(id, question.PhaseEnded, c.end)
				if v.Sent != (c.slow > 0) || v.Decision == nil || v.Decision.By.Name != "Ada" {
					w.t.Errorf("sent: %v, of the answer it says %+v", v.Sent, v.Decision)
				}
			})
		})
	}
}

// Nobody answers, and OpenCode never comes back: no message asks for ever.
func TestEvents_VanishedOpenCodeEndsItsQuestions(t *testing.T) {
	play(t, func(c *bridge.Config) { c.TTL = 0 }, func(w *world) {
		id := w.askOne()
		w.agent.down()
		w.wait(23 * time.Hour)
		w.shows(id, question.PhaseAsking, "")
		w.wait(2 * time.Hour)
		w.shows(id, question.PhaseEnded, question.OutcomeUnknown)
	})
}

// A question ends while its first messages wait for their turn: nobody is told how, who never
// saw it ask.
func TestDisplay_EndsBeforeItsTurn(t *testing.T) {
	play(t, nil, func(w *world) {
		w.chat.slow = 10 * time.Second
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.agent.settle(id, event.FoundDismissed, nil)
		w.wait(time.Hour)
		if len(w.chat.silent) != 0 {
			t.Errorf("%d messages were sent", len(w.chat.silent))
		}
	})
}

// The group becomes a supergroup while the question is being sent to it.
func TestDisplay_GroupMovesWhileAQuestionIsSent(t *testing.T) {
	const old, moved = chat.ID(-5), chat.ID(-100500)
	play(t, func(c *bridge.Config) { c.Rules = c.Rules.WithDefault(policy.Target{Chat: old}) }, func(w *world) {
		w.chat.slow = 10 * time.Second
		id := w.askOne()
		w.input(inbound.Input{Kind: inbound.Moved, Chat: old, NewChat: moved})
		w.wait(time.Minute)
		if _, v, ok := w.chat.find(moved, id); !ok || v.Phase != question.PhaseAsking {
			t.Errorf("the new group shows %v %+v", ok, v.Phase)
		}
	})
}

func TestRecipients_GreetingInAChatWithoutQuestions(t *testing.T) {
	play(t, func(c *bridge.Config) { c.Rules = c.Rules.WithDefault(policy.Target{Chat: bobChat}) }, func(w *world) {
		for _, chatID := range []chat.ID{adaChat, bobChat} {
			w.command(ada, chatID, "/start")
		}
		w.wait(time.Second)
		if n := w.chat.notes; len(n) != 2 || w.wasNoted(ui.Elsewhere(chat.User{ID: ada, Name: "Eve"})) != 1 || w.wasNoted(ui.Greeting(chat.User{ID: ada, Name: "Eve"})) != 1 {
			t.Errorf("the greetings are %+v", n)
		}
	})
}

// unsent is the error of a call that OpenCode certainly did not get, or may have got.
type unsent struct{ sent bool }

func (unsent) Error() string          { return "the plugin is not certain that this still waits" }
func (e unsent) OutcomeUnknown() bool { return e.sent }

// Somebody gives the same answer at the terminal, in the moment in which hermes' own is
// sent. It is hermes' own only if OpenCode may have got that.
func TestDelivery_WhatWasNotSentIsNobodysAnswer(t *testing.T) {
	for sent, want := range map[bool]question.ActorKind{true: question.Person, false: question.OpenCode} {
		play(t, nil, func(w *world) {
			id := w.askOne()
			w.setFault(func(op string) fate {
				if op != "deliver" {
					return fine
				}
				w.agent.mu.Lock()
				defer w.agent.mu.Unlock()
				r := w.agent.requests[id]
				r.found, r.answers = event.FoundAnswered, question.Answers{{"SQLite"}}
				return fate{err: unsent{sent}}
			})
			w.pick(adaChat, ada, id, 0)
			w.wait(5 * time.Second)
			if v := w.shows(id, question.PhaseEnded, question.OutcomeAnswered); v.Outcome.By.Kind != want {
				t.Errorf("sent: %v, and it is said to be answered by %+v", sent, v.Outcome.By)
			}
		})
	}
}

// An outage of a chat is over with what it did not take: with the end of the question
// that it never saw, with the chat that is lost, with new rules.
func TestDisplay_ChatThatTookNothingIsWellAgain(t *testing.T) {
	for name, over := range map[string]func(*world, question.RequestID){
		"answered in the terminal": func(w *world, id question.RequestID) {
			w.agent.settle(id, event.FoundAnswered, question.Answers{{"Files"}})
		},
		"shown": func(w *world, _ question.RequestID) {
			w.chat.mu.Lock()
			defer w.chat.mu.Unlock()
			w.chat.refuses = nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, adaAlone, func(w *world) {
				w.chat.refuses = func(outbound.Post) (bool, string) { return true, "" }
				id := w.askOne()
				w.wait(time.Minute)
				if err := w.bridge.Trouble(w.t.Context()); !errors.Is(err, bridge.ErrMute) {
					t.Errorf("of a chat that takes nothing: %v", err)
				}
				over(w, id)
				w.wait(5 * time.Minute)
				if err := w.bridge.Trouble(w.t.Context()); err != nil {
					t.Error("still:", err)
				}
			})
		})
	}
}
