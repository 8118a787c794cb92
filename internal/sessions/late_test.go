package sessions_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
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

// decided gives the lost question an answer of Ada's that the agent never got.
func decided(t *question.Thread) {
	t.Decision = &question.Decision{Answers: question.Answers{{"A"}}, By: question.Actor{Kind: question.Person, User: 1}}
}

// sendsLost is Ada's tap on the button of the lost question's card.
func sendsLost(update int) inbound.Input {
	return tapped(update, 50, inbound.Button{Kind: inbound.ButtonLate, Thread: asked})
}

// late lets Ada answer the lost question.
func (w *world) late(in inbound.Input) {
	w.t.Helper()
	if in.Kind == inbound.Tapped {
		in.Thread = asked
		w.receive(in, inbound.Found{Drives: true, Late: true})
	} else {
		in.ReplyTo = 50
		w.receive(in, inbound.Found{Drives: true, Standing: inbound.StandsEnded, Prompts: true, Late: true})
	}
	synctest.Wait()
	pass(4 * time.Second)
}

// An answer that comes too late is offered as a prompt, which its writer sends once, also after a restart.
func TestLateAnswer_IsOfferedAndSentOnce(t *testing.T) {
	choice := tapped(1, 50, inbound.Button{})
	choice.Move = question.WizardInput{Action: question.Pick, Option: 1}
	photo := attached(1, "")
	photo.Text = "B"
	for name, c := range map[string]struct {
		in   inbound.Input
		want string
	}{
		"a text":         {typed(1, "B"), "Your question was: Which?\nMy answer: B"},
		"other words":    {typed(1, "neither"), "Your question was: Which?\nMy answer: neither"},
		"a tap":          {choice, "Your question was: Which?\nMy answer: B"},
		"a photo":        {photo, "Your question was: Which?\nMy answer: B+f1"},
		"only the photo": {attached(1, ""), "f1"},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.lost(nil)
				w.late(c.in)
				w.wantTold(en.Late.Unsent)
				if len(w.tries) != 0 || !w.consumed(1) {
					t.Errorf("tried %+v", w.tries)
				}
				w.restart()
				w.send(sendTo(2, 1001, 2))
				w.send(sendTo(3, 1001, 1))
				pass(time.Second)
				w.send(sendTo(4, 1001, 1))
				pass(time.Second)
				w.wantPrompts(c.want)
				alerts := []ui.Line{ui.NotWriter(), nil, ui.AlreadySent()}
				if c.in.Kind == inbound.Tapped {
					alerts = append([]ui.Line{nil}, alerts...)
				}
				w.wantAlerts(alerts...)
			})
		})
	}
}

// What a person has answered and the agent never got is one tap away, once.
func TestLateAnswer_LostAnswerIsSentOnce(t *testing.T) {
	in(t, func(w *world) {
		w.send(sendsLost(1))
		w.lost(nil)
		w.send(sendsLost(2))
		w.lost(decided)
		elsewhere := sendsLost(3)
		elsewhere.Chat = 7
		w.send(elsewhere)
		w.send(sendsLost(4))
		pass(time.Second)
		w.wantReactions("50👀 50👍 ")
		w.restart()
		w.send(sendsLost(5))
		w.wantPrompts("Your question was: Which?\nMy answer: A")
		w.wantAlerts(ui.NoSuchAsk(), ui.HowItStands(question.View{Outcome: &question.Outcome{Kind: question.OutcomeRestarted}}), ui.NoSuchAsk(), nil, ui.AlreadySent())
	})
}

// What begins nothing is no answer: an answer begins a run.
func TestLateAnswer_NoteIsNone(t *testing.T) {
	in(t, func(w *world) {
		w.lost(nil)
		w.late(typed(1, "/noreply B"))
		w.wantPrompts("B")
		if !w.sent[0].NoReply {
			t.Errorf("sent %+v", w.sent)
		}
	})
}
