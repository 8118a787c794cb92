package bridge_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/session"
)

// play runs one story in a bubble, with hermes started.
func play(t *testing.T, alter func(*bridge.Config), story func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, alter)
		w.start()
		w.wait(time.Second)
		defer w.kill()
		story(w)
	})
}

// shows fails the test unless Ada's newest message about the request is in this
// phase and, when it has ended, tells this end.
func (w *world) shows(id question.RequestID, phase question.Phase, end question.OutcomeKind) question.View {
	w.t.Helper()
	_, v, ok := w.chat.find(adaChat, id)
	switch {
	case !ok:
		w.t.Fatalf("%s is not shown", id)
	case v.Phase != phase:
		w.t.Fatalf("%s is shown as %s, want %s", id, v.Phase, phase)
	case v.Outcome != nil && v.Outcome.Kind != end:
		w.t.Fatalf("%s is said to be %s, want %s", id, v.Outcome.Kind, end)
	}
	return v
}

func (w *world) pick(chat chat.ID, user chat.UserID, id question.RequestID, option int) {
	w.press(chat, user, id, question.WizardInput{Action: question.Pick, Option: option})
}

// got is what the agent received.
func (w *world) got(id question.RequestID, want question.Answers) {
	w.t.Helper()
	w.agent.mu.Lock()
	defer w.agent.mu.Unlock()
	r := w.agent.requests[id]
	if r.found != event.FoundAnswered || !r.answers.Equal(want) || r.replies > 1 {
		w.t.Errorf("the agent got %v (%s, %d replies), want %v", r.answers, r.found, r.replies, want)
	}
}

func TestAnswers_FirstWinsAndEveryCopyShowsIt(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.pick(bobChat, bob, id, 1)
		w.pick(adaChat, ada, id, 0)
		w.wait(5 * time.Second)
		w.got(id, question.Answers{{"PostgreSQL (Recommended)"}})
		for _, chat := range []chat.ID{adaChat, bobChat} {
			if _, v, _ := w.chat.find(chat, id); v.Outcome == nil || v.Outcome.By.Name != "Bob" {
				t.Errorf("chat %d does not say that it was Bob: %+v", chat, v.Outcome)
			}
		}
		if last := w.chat.alerts[len(w.chat.alerts)-1]; last.Kind == outbound.AlertNone {
			t.Error("Ada's late tap was acknowledged as if it counted")
		}
	})
}

// TestRecords_AskedOnceThoughTheStoreSaidNo has the store take a new question, and report
// that it did not.
func TestRecords_AskedOnceThoughTheStoreSaidNo(t *testing.T) {
	play(t, nil, func(w *world) {
		failed := false
		w.setFault(func(op string) fate {
			if op == "commit" && !failed {
				failed = true
				return fate{apply: true, err: errFault}
			}
			return fine
		})
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.agent.list()
		w.wait(time.Second)
		w.restart()
		w.wait(time.Second)
		if threads, err := w.bridge.Open(w.t.Context()); err != nil || len(threads) != 1 {
			t.Errorf("%d threads for one question, error %v", len(threads), err)
		}
		w.shows(id, question.PhaseAsking, "")
	})
}

func TestDeadlines_Expiry(t *testing.T) {
	cases := []struct {
		rule question.Expiry
		item question.Item
		end  question.OutcomeKind
		want question.Answers
	}{
		{question.ExpireReject, oneItem(), question.OutcomeDismissed, nil},
		{question.ExpireAccept, oneItem(), question.OutcomeAnswered, question.Answers{{"SQLite"}}},
		{question.ExpireAccept, question.Item{Text: "Name?"}, question.OutcomeDismissed, nil},
	}
	for _, c := range cases {
		alter := func(config *bridge.Config) { config.OnExpiry = c.rule }
		play(t, alter, func(w *world) {
			id := w.agent.ask(c.item)
			w.wait(29 * time.Minute)
			w.shows(id, question.PhaseAsking, "")
			w.wait(2 * time.Minute)
			v := w.shows(id, question.PhaseEnded, c.end)
			if v.Outcome.By.Kind != question.Deadline {
				t.Errorf("%s: decided by %s, want the deadline", c.rule, v.Outcome.By.Kind)
			}
			if c.want != nil {
				w.got(id, c.want)
			}
		})
	}
}

func TestDeadlines_ExpiryWaitsWhenToldTo(t *testing.T) {
	play(t, func(c *bridge.Config) { c.OnExpiry = question.ExpireWait }, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(31 * time.Minute)
		if v := w.shows(id, question.PhaseAsking, ""); !v.Expired || !v.Deadline.IsZero() {
			t.Errorf("the card must say that nobody answered and that it waits on: %+v", v)
		}
		w.pick(adaChat, ada, id, 0)
		w.wait(5 * time.Second)
		w.got(id, question.Answers{{"SQLite"}})
	})
}

func TestDeadlines_RemindersAtHalfTimeAndFiveMinutesBefore(t *testing.T) {
	play(t, nil, func(w *world) {
		w.agent.ask(oneItem())
		for _, step := range []struct {
			after time.Duration
			notes int
		}{{14 * time.Minute, 0}, {2 * time.Minute, 2}, {8 * time.Minute, 2}, {2 * time.Minute, 4}} {
			w.wait(step.after)
			if got := len(w.chat.notes); got != step.notes {
				t.Errorf("%d reminders after another %v, want %d", got, step.after, step.notes)
			}
		}
	})
}

// A question that nobody could see is not decided for anybody.
func TestDeadlines_WhatIsNotShownDoesNotExpire(t *testing.T) {
	play(t, nil, func(w *world) {
		w.setFault(func(op string) fate {
			if op == "show" {
				return fate{err: errFault}
			}
			return fine
		})
		id := w.agent.ask(oneItem())
		w.wait(2 * time.Hour)
		if r := w.agent.requests[id]; r.found != event.FoundOpen {
			t.Fatalf("it was ended as %s", r.found)
		}
		w.setFault(func(string) fate { return fine })
		w.wait(2 * time.Minute)
		if v := w.shows(id, question.PhaseAsking, ""); time.Until(v.Deadline) < 27*time.Minute {
			t.Errorf("only %v are left to answer", time.Until(v.Deadline))
		}
	})
}

// What is answered at the keyboard at once does not ping a phone.
func TestDisplay_QuickAnswerAtTheKeyboardIsNotShown(t *testing.T) {
	play(t, func(c *bridge.Config) { c.NotifyDelay = 800 * time.Millisecond }, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(500 * time.Millisecond)
		w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
		w.wait(time.Minute)
		if _, _, shown := w.chat.find(adaChat, id); shown {
			t.Error("it was shown")
		}
		if open, _ := w.store.Threads(); len(open) != 0 {
			t.Errorf("%d threads are kept open", len(open))
		}
	})
}

func TestDelivery_AnswerWaitsForOpenCode(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.agent.down()
		w.wait(time.Second)
		w.pick(adaChat, ada, id, 1)
		w.wait(time.Minute)
		w.shows(id, question.PhaseWaiting, "")
		w.restart()
		w.wait(time.Minute)
		w.agent.comeBack(false)
		w.wait(time.Minute)
		w.shows(id, question.PhaseEnded, question.OutcomeAnswered)
		w.got(id, question.Answers{{"PostgreSQL (Recommended)"}})
	})
}

func TestDelivery_AnswerForAnOpenCodeThatForgot(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.agent.down()
		w.pick(adaChat, ada, id, 1)
		w.wait(time.Minute)
		w.agent.comeBack(true)
		w.wait(time.Minute)
		v := w.shows(id, question.PhaseEnded, question.OutcomeRestarted)
		if v.Decision == nil || v.Decision.By.Name != "Ada" {
			t.Error("Ada's answer is not told any more")
		}
	})
}

func TestEvents_CapturedCall(t *testing.T) {
	play(t, func(c *bridge.Config) { c.NotifyDelay = 800 * time.Millisecond }, func(w *world) {
		w.setFault(func(op string) fate {
			if op == "event" {
				return fate{} // question.asked is lost: only the capture comes
			}
			return fine
		})
		id := w.agent.ask(oneItem())
		r := w.agent.requests[id].request
		r.ID, r.Message = "", ""
		w.bridge.Event(event.Event{Kind: event.Captured, Origin: w.agent.origin(), Asks: []event.Ask{{Request: r}}})
		w.wait(2 * time.Second)
		w.pick(adaChat, ada, id, 0)
		w.wait(5 * time.Second)
		w.got(id, question.Answers{{"SQLite"}})
	})
}

// A tool call that fails its arguments never becomes a question: the phone must
// not hear of it.
func TestEvents_CapturedCallThatNeverAsked(t *testing.T) {
	play(t, func(c *bridge.Config) { c.NotifyDelay = 800 * time.Millisecond }, func(w *world) {
		w.agent.requests[""] = &asked{found: event.FoundVoid}
		r := question.Request{Session: "ses_x", Call: "call_x", Items: []question.Item{oneItem()}}
		w.bridge.Event(event.Event{Kind: event.Captured, Origin: w.agent.origin(), Asks: []event.Ask{{Request: r}}})
		w.wait(time.Minute)
		if len(w.chat.screens[adaChat]) != 0 {
			t.Error("it was shown")
		}
		if open, _ := w.store.Threads(); len(open) != 0 {
			t.Errorf("%d threads are kept open", len(open))
		}
	})
}

// Telegram's clients cut long texts into messages of 4096 characters.
func TestAnswers_LongTextInSeveralMessagesIsOneAnswer(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		message, _, _ := w.chat.find(adaChat, id)
		first, second := strings.Repeat("long ", 800), "and its end"
		w.say(adaChat, ada, message, first)
		w.wait(500 * time.Millisecond)
		w.say(adaChat, ada, 0, second)
		w.wait(5 * time.Second)
		w.got(id, question.Answers{{first + "\n" + second}})
		if inbox, _ := w.store.Inbox(); len(inbox) != 0 {
			t.Errorf("%d updates are left in the inbox", len(inbox))
		}
	})
}

func TestAnswers_LongTextAloneIsTakenAfterAWhile(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		text := strings.Repeat("long ", 800)
		w.say(adaChat, ada, 0, text)
		w.restart()
		w.wait(5 * time.Second)
		w.got(id, question.Answers{{text}})
	})
}

func TestStrangers_HaveNoEffect(t *testing.T) {
	const eve = chat.UserID(66)
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.pick(adaChat, eve, id, 0)
		message, _, _ := w.chat.find(adaChat, id)
		w.say(adaChat, eve, message, "2")
		w.wait(5 * time.Second)
		w.shows(id, question.PhaseAsking, "")
		if got := w.chat.alerts[0].Kind; got != outbound.AlertStranger {
			t.Errorf("the stranger was told %q", got)
		}
	})
}

func TestDisplay_GroupBecomesSupergroup(t *testing.T) {
	const super = chat.ID(-1001)
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.input(inbound.Input{Kind: inbound.Moved, Chat: adaChat, NewChat: super})
		w.wait(5 * time.Second)
		if _, v, ok := w.chat.find(super, id); !ok || v.Phase != question.PhaseAsking {
			t.Fatal("the question is not asked in the new chat")
		}
		next := w.agent.ask(oneItem())
		w.wait(5 * time.Second)
		if _, _, ok := w.chat.find(super, next); !ok {
			t.Error("a new question does not go to the new chat")
		}
	})
}

func TestAnswers_ByProgram(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem(), question.Item{Text: "Which?", Multiple: true, Options: []question.Option{{Label: "A"}, {Label: "B"}}})
		w.wait(time.Second)
		threads, _ := w.bridge.Open(w.t.Context())
		for _, c := range []struct {
			answers question.Answers
			want    string
		}{
			{question.Answers{{"A"}}, "there are 2 questions, so answers must hold 2 lists"},
			{question.Answers{{"A", "B"}, {"A"}}, "answers[0]: takes one answer only"},
			{question.Answers{{"A"}, {}}, "answers[1]: needs at least one answer"},
			{question.Answers{{"A"}, {"C"}}, `answers[1]: "C" is none of the options`},
		} {
			if err := w.bridge.Answer(w.t.Context(), threads[0].ID, c.answers); err == nil || err.Error() != c.want {
				t.Errorf("Answer(%q) = %v, want %s", c.answers, err, c.want)
			}
		}
		want := question.Answers{{"something else"}, {"A", "B"}}
		if err := w.bridge.Answer(w.t.Context(), threads[0].ID, want); err != nil {
			t.Fatal(err)
		}
		w.wait(5 * time.Second)
		w.got(id, want)
		if err := w.bridge.Answer(w.t.Context(), threads[0].ID, want); err != bridge.ErrSettled {
			t.Errorf("a second answer: %v, want ErrSettled", err)
		}
	})
}

func TestRecipients_HintIsGivenOnce(t *testing.T) {
	play(t, nil, func(w *world) {
		w.say(adaChat, ada, 0, "hello?")
		w.say(adaChat, ada, 0, "anybody?")
		w.wait(time.Second)
		if len(w.chat.notes) != 1 || w.chat.notes[0].Kind != outbound.NoteNothing {
			t.Errorf("hints: %v", w.chat.notes)
		}
	})
}

func TestDisplay_ProjectsOfTheSameNameAreToldApart(t *testing.T) {
	play(t, nil, func(w *world) {
		for _, dir := range []string{"/home/ada/one/api", "/home/ada/two/api", "/home/ada/three/web"} {
			r := question.Request{ID: question.RequestID("que_" + dir), Session: "ses", Items: []question.Item{oneItem()}}
			w.agent.requests[r.ID] = &asked{request: r, found: event.FoundOpen}
			w.bridge.Event(event.Event{
				Kind: event.Asked, Asks: []event.Ask{{Request: r}},
				Origin: session.Origin{Way: session.Link, Process: "p", Directory: dir},
			})
		}
		threads, _ := w.bridge.Open(w.t.Context())
		var got []string
		for _, thread := range threads {
			got = append(got, thread.Project)
		}
		slices.Sort(got)
		if want := []string{"api", "two/api", "web"}; !slices.Equal(got, want) {
			t.Errorf("projects %q, want %q", got, want)
		}
	})
}
