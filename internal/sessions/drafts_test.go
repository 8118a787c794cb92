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

// sendTo is a tap of a person's that sends a draft to the session.
func sendTo(update int, message chat.MessageID, by chat.UserID) inbound.Input {
	in := tapped(update, message, inbound.Button{Kind: inbound.ButtonSend, Session: testSession})
	in.User.ID = by
	return in
}

// usesNone is a world whose chat uses no session.
func usesNone() *world {
	w := seededWorld(storage.Change{})
	w.silent = false
	w.listed = func() []session.Session { return []session.Session{{ID: testSession, Title: "fix"}} }
	return w
}

// A draft is bound to who wrote it and to the message that offers it.
func TestDraft_IsItsWritersAlone(t *testing.T) {
	inThat(t, usesNone(), func(w *world) {
		w.say(1, "Now the tests.")
		pass(time.Second)
		w.wantTold(en.Unsent.Which)
		if !w.consumed(1) {
			t.Error("the text is in the inbox and in the draft")
		}
		w.send(sendTo(2, 1001, 2))
		w.send(sendTo(3, 77, 1))
		w.restart()
		w.send(sendTo(4, 1001, 1))
		pass(time.Second)
		w.send(sendTo(5, 1001, 1))
		pass(time.Second)
		w.wantAlerts(ui.NotWriter(), ui.NotKept(), nil, ui.AlreadySent())
		if len(w.sent) != 1 || w.sent[0].Parts[0].Text != "Now the tests." {
			t.Errorf("sent %+v", w.sent)
		}
		w.wantReactions("1👀 1👍 ")
	})
}

// What the store does not take is not sent: the next start sends it.
func TestDraft_NotStored(t *testing.T) {
	inThat(t, usesNone(), func(w *world) {
		w.say(1, "Now the tests.")
		w.fullDisk()
		w.send(sendTo(2, 1001, 1))
		pass(time.Second)
		if len(w.tries) != 0 {
			t.Errorf("tried %+v", w.tries)
		}
		w.restart()
		pass(time.Second)
		if len(w.sent) != 1 {
			t.Errorf("sent %+v", w.sent)
		}
	})
}

// An ask of another OpenCode names no session of this one: a reply to its card goes nowhere.
func TestReply_ToAnAskThatNamesASessionOfOthers(t *testing.T) {
	inThat(t, newWorld(), func(w *world) {
		w.event("worked", "")
		w.lost(func(t *question.Thread) {
			t.Origins[0] = linkOf("other", "theirs")
			t.Outcome = &question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"A"}}, By: question.Actor{Kind: question.Person, User: 1}}
		})
		in := typed(1, "Now the tests.")
		in.ReplyTo = 50
		w.receive(in, inbound.Found{Drives: true, Standing: inbound.StandsEnded, Prompts: true})
		synctest.Wait()
		pass(time.Minute)
		if len(w.tries) != 0 || !w.consumed(1) {
			t.Errorf("tried %+v", w.tries)
		}
		w.wantTold(en.Sessions.Gone)
	})
}
