package bridge_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/policy"
	"hermes/internal/question"
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
		if len(w.chat.notes) != 1 || w.chat.notes[0].Kind != outbound.NoteWhich {
			t.Errorf("it was met with %+v", w.chat.notes)
		}
	})
}

// A long reply to one question, and at once a short one to another.
func TestAddressing_RepliesToTwoQuestionsAreTwo(t *testing.T) {
	play(t, nil, func(w *world) {
		first, second := w.agent.ask(oneItem()), w.agent.ask(oneItem())
		w.wait(time.Second)
		one, _, _ := w.chat.find(adaChat, first)
		two, _, _ := w.chat.find(adaChat, second)
		long := strings.Repeat("long ", 800)
		w.say(adaChat, ada, one, long)
		w.say(adaChat, ada, two, "2")
		w.wait(5 * time.Second)
		w.got(first, question.Answers{{long}})
		w.got(second, question.Answers{{"PostgreSQL (Recommended)"}})
	})
}

// The same update comes again and again while the store does not take it.
func TestAnswers_WhatCannotBeSavedIsToldOnce(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.setFault(func(op string) fate {
			if op == "commit" {
				return fate{err: errFault}
			}
			return fine
		})
		in := inbound.Input{
			Update: 99, Kind: inbound.Typed, Chat: adaChat, Private: true, Text: "2",
			User: chat.User{ID: ada, Name: "Ada"}, Sent: time.Now(),
		}
		for range 20 {
			w.intake.Handle(w.t.Context(), in)
			w.wait(time.Second)
		}
		if len(w.chat.notes) != 1 || w.chat.notes[0].Kind != outbound.NoteNotSaved {
			t.Errorf("%d notes: %+v", len(w.chat.notes), w.chat.notes)
		}
		if err := w.bridge.Trouble(w.t.Context()); !errors.Is(err, bridge.ErrStore) {
			t.Errorf("the trouble is %v", err)
		}
		w.setFault(func(string) fate { return fine })
		w.intake.Handle(w.t.Context(), in)
		w.wait(time.Second)
		w.got(id, question.Answers{{"PostgreSQL (Recommended)"}})
	})
}

// hermes was down for longer than an answer is kept for an OpenCode that is away;
// OpenCode was not away.
func TestDelivery_KeptAnswerOutlivesALongStop(t *testing.T) {
	play(t, func(c *bridge.Config) { c.TTL = 0 }, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.agent.down()
		w.wait(time.Second)
		w.pick(adaChat, ada, id, 1)
		w.wait(time.Second)
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

// OpenCode closes while the answer is being sent: nobody knows whether it arrived.
func TestDelivery_ClosedWhileTheAnswerIsSent(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.agent.slow = 10 * time.Second
		w.pick(adaChat, ada, id, 1)
		w.wait(time.Second)
		w.agent.close()
		w.wait(30 * time.Second)
		if v := w.shows(id, question.PhaseEnded, question.OutcomeUnknown); !v.Sent {
			t.Error("the message says that the answer was not used")
		}
	})
}

// hermes is killed between sending an answer and noting that, and OpenCode never
// comes back.
func TestDelivery_KilledWhileTheAnswerIsSent(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.agent.slow = 10 * time.Second
		w.pick(adaChat, ada, id, 1)
		w.wait(time.Second)
		w.agent.down()
		w.restart()
		w.wait(25 * time.Hour)
		if v := w.shows(id, question.PhaseEnded, question.OutcomeUnknown); !v.Sent {
			t.Error("the message says that the answer was not used")
		}
	})
}

// Nobody answers, and OpenCode never comes back: no message asks for ever.
func TestEvents_VanishedOpenCodeEndsItsQuestions(t *testing.T) {
	play(t, func(c *bridge.Config) { c.TTL = 0 }, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.agent.down()
		w.wait(23 * time.Hour)
		w.shows(id, question.PhaseAsking, "")
		w.wait(2 * time.Hour)
		w.shows(id, question.PhaseEnded, question.OutcomeUnknown)
	})
}

// A chat that does not take questions is told of where the operator looks.
func TestDisplay_ChatThatTakesNothing(t *testing.T) {
	play(t, nil, func(w *world) {
		w.setFault(func(op string) fate {
			if op == "show" {
				return fate{err: errFault}
			}
			return fine
		})
		w.agent.ask(oneItem())
		w.wait(time.Minute)
		if err := w.bridge.Trouble(w.t.Context()); !errors.Is(err, bridge.ErrMute) {
			t.Errorf("the trouble is %v", err)
		}
		w.setFault(func(string) fate { return fine })
		w.wait(2 * time.Minute)
		if err := w.bridge.Trouble(w.t.Context()); err != nil {
			t.Errorf("the trouble is still %v", err)
		}
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
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
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
			w.input(inbound.Input{
				Kind: inbound.Typed, Command: "start", Text: "/start", Chat: chatID, Private: true,
				User: chat.User{ID: ada, Name: "Ada"}, Sent: time.Now(),
			})
		}
		w.wait(time.Second)
		if n := w.chat.notes; len(n) != 2 || n[0].Kind != outbound.NoteElsewhere || n[1].Kind != outbound.NoteGreeting {
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
			id := w.agent.ask(oneItem())
			w.wait(time.Second)
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
