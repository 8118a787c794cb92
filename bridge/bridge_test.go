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

// askOne has the agent ask one question, which is shown then.
func (w *world) askOne() question.RequestID {
	id := w.agent.ask(oneItem())
	w.wait(time.Second)
	return id
}

func (w *world) pressAndWait(chat chat.ID, user chat.UserID, id question.RequestID, m question.WizardInput) {
	w.press(chat, user, id, m)
	w.wait(time.Second)
}

// answersWith has somebody pick an option of a question, of which the agent gets this label.
func (w *world) answersWith(chat chat.ID, user chat.UserID, id question.RequestID, option int, label string) {
	w.t.Helper()
	w.pick(chat, user, id, option)
	w.wait(5 * time.Second)
	w.got(id, question.Answers{{label}})
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

// A question that nobody could see is not decided for anybody.
func TestDeadlines_WhatIsNotShownDoesNotExpire(t *testing.T) {
	play(t, nil, func(w *world) {
		w.setFault(failing("show"))
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

// What is answered at the keyboard at once does not ping a phone, and a tool call that fails its arguments never becomes a question.
func TestDisplay_WhatIsOverAtOnceIsNotShown(t *testing.T) {
	for name, story := range map[string]func(*world){
		"answered at the keyboard": func(w *world) {
			id := w.agent.ask(oneItem())
			w.wait(500 * time.Millisecond)
			w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
		},
		"a captured call that never asked": func(w *world) {
			w.agent.requests[""] = &asked{found: event.FoundVoid}
			r := question.Request{Session: "ses_x", Call: "call_x", Items: []question.Item{oneItem()}}
			w.bridge.Event(event.Event{Kind: event.Captured, Origin: w.agent.origin(), Asks: []event.Ask{{Request: r}}})
		},
	} {
		play(t, func(c *bridge.Config) { c.NotifyDelay = 800 * time.Millisecond }, func(w *world) {
			story(w)
			w.wait(time.Minute)
			if open, _ := w.store.Threads(); len(w.chat.screens[adaChat]) != 0 || len(open) != 0 {
				t.Errorf("%s: shown in %d messages, %d threads are kept open", name, len(w.chat.screens[adaChat]), len(open))
			}
		})
	}
}

// Telegram's clients cut long texts into messages of 4096 characters.
func TestAnswers_LongTextInSeveralMessagesIsOneAnswer(t *testing.T) {
	play(t, nil, func(w *world) {
		id := w.askOne()
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
