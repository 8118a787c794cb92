package bridge_test

import (
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
)

// A dismissal takes two taps, each on its own step; between them anything may happen.
func TestAnswers_DismissalIsAskedTwice(t *testing.T) {
	first := question.WizardInput{Action: question.Dismiss}
	sure := question.WizardInput{Action: question.Dismiss, On: true}
	for name, c := range map[string]struct {
		between func(w *world, id question.RequestID)
		want    event.FindingKind
		by      string
	}{
		"at once":          {func(*world, question.RequestID) {}, event.FoundDismissed, "Ada"},
		"after a restart":  {func(w *world, _ question.RequestID) { w.restart() }, event.FoundDismissed, "Ada"},
		"by somebody else": {func(w *world, id question.RequestID) { w.press(bobChat, bob, id, sure) }, event.FoundDismissed, "Bob"},
		"by a stranger alone": {func(w *world, id question.RequestID) {
			w.pressAndWait(bobChat, 99, id, sure)
			w.press(adaChat, ada, id, back())
		}, event.FoundOpen, ""},
		"answered there": {func(w *world, id question.RequestID) {
			w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
		}, event.FoundAnswered, ""},
		"answered in words": {func(w *world, _ question.RequestID) { w.say(bobChat, bob, 0, "1") }, event.FoundAnswered, "Bob"},
		"somebody else's pick": {func(w *world, id question.RequestID) {
			w.press(bobChat, bob, id, question.WizardInput{Action: question.Pick})
		}, event.FoundDismissed, "Ada"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(w *world) {
				id := w.askOne()
				w.press(adaChat, ada, id, first)
				w.wait(2 * time.Second)
				if r := w.agent.requests[id]; r.replies != 0 || r.found != event.FoundOpen {
					t.Errorf("one tap did it: %s", r.found)
				}
				c.between(w, id)
				w.wait(5 * time.Second)
				w.press(adaChat, ada, id, sure)
				w.wait(5 * time.Second)
				_, v, _ := w.chat.find(adaChat, id)
				if got := w.agent.requests[id].found; got != c.want {
					t.Errorf("it is %s, want %s", got, c.want)
				}
				switch {
				case c.want == event.FoundOpen && (v.Phase != question.PhaseAsking || v.Wizard.Dismissing):
					t.Errorf("the card is %s", v.Phase)
				case c.want != event.FoundOpen && (v.Outcome == nil || v.Outcome.By.Name != c.by):
					t.Errorf("the card ends with %+v, want by %s", v.Outcome, c.by)
				}
			})
		})
	}
}

func back() question.WizardInput { return question.WizardInput{Action: question.Go} }
