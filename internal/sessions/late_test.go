package sessions_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

const asked question.ID = "abcdefghijkl"

// lost is a question that OpenCode forgot, shown in chat 1.
func (w *world) lost(alter func(*question.Thread)) {
	t := question.Thread{
		ID: asked, Origins: []session.Origin{origin()}, Cards: []question.Card{{Chat: 1, Messages: []chat.MessageID{50}}},
		Request: question.Request{ID: "que_1", Session: testSession, Items: []question.Item{
			{Text: "Which?", Options: []question.Option{{Label: "A"}, {Label: "B"}}},
		}},
		Outcome: &question.Outcome{Kind: question.OutcomeRestarted},
	}
	if alter != nil {
		alter(&t)
	}
	if err := w.real.Commit(storage.Change{Retired: []question.Thread{t}}); err != nil {
		w.t.Error(err)
	}
}

// tap is Ada's, on a button about the lost question.
func (w *world) tap(update int, chat chat.ID, message chat.MessageID, m question.WizardInput) {
	in := tapped(update, message, inbound.Button{Kind: inbound.ButtonLate, Thread: asked, Move: m})
	in.Chat = chat
	w.Take(in, true)
	synctest.Wait()
	pass(time.Second)
}

func pick(option int) question.WizardInput {
	return question.WizardInput{Action: question.Pick, Option: option}
}

// lateAnswer is what the question has; nil: none.
func (w *world) lateAnswer() *question.Late {
	w.t.Helper()
	t, _, err := w.real.Find(storage.Key{ID: asked})
	if err != nil {
		w.t.Error(err)
	}
	return t.Late
}

func TestLateAnswer_IsSentOnce(t *testing.T) {
	in(t, func(w *world) {
		w.lost(nil)
		w.tap(1, 1, 50, question.WizardInput{})
		w.tap(2, 1, 50, question.WizardInput{})
		w.tap(3, 1, 1001, pick(1))
		w.tap(4, 1, 1001, pick(0))
		w.tap(5, 1, 1002, pick(0))
		w.tap(6, 1, 50, question.WizardInput{})
		if len(w.sent) != 1 || w.sent[0].Parts[0].Text != "Your question was: Which?\nMy answer: B" {
			t.Errorf("sent %+v", w.sent)
		}
		none, late := outbound.AlertNone, outbound.AlertLate
		w.wantAlerts(none, none, none, late, late, late)
		if l := w.lateAnswer(); l == nil || l.State != question.LateSent || l.By.Name != "Ada" {
			t.Errorf("the question has %+v", l)
		}
	})
}

// Only a chat that shows the question can answer it, and only a thread that was lost.
func TestLateAnswer_TapsTurnedAway(t *testing.T) {
	in(t, func(w *world) {
		w.tap(1, 1, 50, question.WizardInput{})
		w.lost(nil)
		w.tap(2, 7, 50, pick(0))
		w.tap(3, 1, 50, pick(9))
		w.lost(func(t *question.Thread) { t.Outcome.Kind = question.OutcomeDeleted })
		w.tap(4, 1, 50, question.WizardInput{})
		w.wantAlerts(outbound.AlertUnknown, outbound.AlertUnknown, outbound.AlertUnknown, outbound.AlertEnded)
		if len(w.sent) != 0 || len(w.kinds()) != 0 {
			t.Errorf("sent %+v, told %q", w.sent, w.kinds())
		}
	})
}

// An offer of which only hermes' word is lost counts; one that shows an older step is
// brought to where it is.
func TestLateAnswer_OffersAfterACrash(t *testing.T) {
	in(t, func(w *world) {
		w.lost(func(t *question.Thread) { t.Request.Items = append(t.Request.Items, t.Request.Items[0]) })
		w.tap(1, 1, 70, pick(0))
		w.tap(2, 1, 70, question.WizardInput{Action: question.Done, Rev: 0, Item: 0})
		w.tap(3, 1, 70, question.WizardInput{Action: question.Pick, Rev: 1, Item: 1, Option: 1})
		w.tap(4, 1, 70, question.WizardInput{Action: question.Send, Rev: 2})
		if len(w.sent) != 1 || w.sent[0].Parts[0].Text != "Your question was: Which?\nMy answer: A\n\nYour question was: Which?\nMy answer: B" {
			t.Errorf("sent %+v", w.sent)
		}
		w.wantAlerts(outbound.AlertNone, outbound.AlertStale, outbound.AlertNone, outbound.AlertNone)
		var steps []int
		for _, tell := range w.told[:3] {
			if tell.Edit != 70 {
				t.Errorf("told %+v", tell)
			}
			steps = append(steps, tell.Wizard.Step)
		}
		if want := []int{1, 1, 2}; !slices.Equal(steps, want) {
			t.Errorf("shown %v, want %v", steps, want)
		}
	})
}

// What the bridge does not store is not sent, and a tap that comes again is taken.
func TestLateAnswer_NotStored(t *testing.T) {
	in(t, func(w *world) {
		w.lost(nil)
		w.set(func() { w.shut = errors.New("the disk is full") })
		w.tap(1, 1, 50, pick(0))
		if len(w.tries) != 0 {
			t.Errorf("tried %+v", w.tries)
		}
		w.wantTold(remote.TellNotSaved)
		w.set(func() { w.shut = nil })
		w.tap(1, 1, 50, pick(0))
		if len(w.sent) != 1 {
			t.Errorf("sent %+v", w.sent)
		}
	})
}

// The question is told before the prompt is off the queue, for as long as that takes.
func TestLateAnswer_QuestionIsToldFirst(t *testing.T) {
	inThat(t, newWorld(), func(w *world) {
		w.lost(func(t *question.Thread) { t.Late = &question.Late{Prompt: "prompt", Answers: question.Answers{{"A"}}} })
		owed := remote.QueuedPrompt{
			ID: "prompt", Answers: asked, Origin: origin(), Prompt: session.Prompt{ID: "msg_1", Session: testSession}, At: time.Now(),
		}
		w.set(func() { w.sent, w.shut = []session.Prompt{owed.Prompt}, errors.New("the disk is full") })
		w.owe(owed)
		w.event(event.Opened, "")
		pass(3 * time.Second)
		if len(w.driving().Prompts) == 0 {
			t.Error("the prompt was off the queue before the question was told")
		}
		w.set(func() { w.shut = nil })
		pass(time.Minute)
		if l := w.lateAnswer(); len(w.driving().Prompts) != 0 || l.State != question.LateSent || !l.Answers.Equal(question.Answers{{"A"}}) {
			t.Errorf("owed are %+v, the question has %+v", w.driving().Prompts, l)
		}
		if len(w.tries) != 0 {
			t.Errorf("sent again: %+v", w.tries)
		}
	})
}
