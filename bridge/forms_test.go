package bridge_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// askForm makes a program ask for what these fields take.
func (a *agent) askForm(fields ...question.Item) question.RequestID {
	a.mu.Lock()
	r := question.Request{
		ID: "frm_1", Protocol: session.V1, Session: "ses_form", Items: fields, Form: &question.Form{Server: "elicitor"},
	}
	a.requests[r.ID] = &asked{request: r, found: event.FoundOpen, life: a.life, listed: true}
	a.mu.Unlock()
	a.event(event.Event{Kind: event.Asked, Asks: []event.Ask{{Request: r}}})
	return r.ID
}

func codeField() question.Item {
	return question.FieldItem("code", "Code", "", fields.Field{Kind: fields.String, Required: true, Pattern: "^(?=A)"}, nil, false)
}

func countField() question.Item {
	return question.FieldItem("n", "How many", "", fields.Field{Kind: fields.Integer}, nil, false)
}

// onlyA takes no code that does not begin with an A, as the pattern of codeField has it for those who know JavaScript.
func onlyA(answers question.Answers) error {
	if strings.HasPrefix(answers[0][0], "A") {
		return nil
	}
	return &question.RefusedAnswers{Message: "Form field does not match pattern: code"}
}

// What the server refuses is asked again with its words, in time and with what was typed, also after a kill; nothing is sent
// again by itself.
func TestDelivery_RefusedFormIsAskedAgain(t *testing.T) {
	play(t, nil, func(w *world) {
		w.agent.refuses = onlyA
		id := w.agent.askForm(codeField())
		w.wait(time.Second)
		message, _, _ := w.chat.find(adaChat, id)
		w.say(adaChat, ada, message, "B7")
		w.wait(5 * time.Second)
		v := w.shows(id, question.PhaseAsking, "")
		if n := v.Wizard.Notice; n.Kind != question.Refused || n.Text != "Form field does not match pattern: code" || strings.Join(v.Labels(0), "") != "B7" {
			t.Errorf("the card has %+v and %q", n, v.Labels(0))
		}
		if left := time.Until(v.Deadline); left < v.TTL-10*time.Second {
			t.Errorf("%v are left of %v", left, v.TTL)
		}
		w.restart()
		w.wait(5 * time.Second)
		w.shows(id, question.PhaseAsking, "")
		w.say(adaChat, ada, message, "A7")
		w.wait(5 * time.Second)
		w.got(id, question.Answers{{"A7"}})
		w.shows(id, question.PhaseEnded, question.OutcomeAnswered)
	})
}

// The journal has the server's words, and who is asked again.
func TestDelivery_RefusedFormIsInTheJournal(t *testing.T) {
	play(t, nil, func(w *world) {
		w.agent.refuses = onlyA
		id := w.agent.askForm(codeField(), countField())
		w.wait(time.Second)
		thread, err := w.bridge.Request(w.t.Context(), w.agent.origin(), id)
		if err == nil {
			err = w.bridge.Answer(w.t.Context(), thread.ID, question.Answers{{"B"}, {"2"}})
		}
		must(t, err)
		w.wait(5 * time.Second)
		v := w.shows(id, question.PhaseAsking, "")
		if !v.Review() || strings.Join(v.Labels(1), "") != "2" {
			t.Errorf("it shows %+v", v.Wizard)
		}
		found := false
		w.journalOf(id, func(e storage.Entry) {
			found = found || e.Kind == storage.EntryRefused && e.By.Kind == question.Caller && strings.Contains(e.Detail, "does not match pattern")
		})
		if !found {
			t.Error("the journal does not say why")
		}
	})
}
