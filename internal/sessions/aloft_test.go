package sessions

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

// A person may reply to a message before hermes knows that it is there: the reply is
// for that message's session, not for the one in use.
func TestAReplyBeforeItsMessageIsKnown(t *testing.T) {
	in(t, func(w *world) {
		w.seats.Store(question.ChatID(1), question.Seat{Chat: 1, Session: "ses_other", Origin: origin(), Level: question.LevelTurns})
		w.set(func() { w.turn, w.slow = "msg_500", time.Second })
		w.event(question.Rested, "")
		time.Sleep(5 * time.Second)
		synctest.Wait()
		wantKinds(t, w, question.TellTurn)
		w.reply(1, "go on", 1001)
		w.reply(2, "elsewhere", 7)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		got := map[string]question.SessionID{}
		for _, p := range w.sent {
			got[p.Parts[0].Text] = p.Session
		}
		if len(w.sent) != 2 || got["go on"] != session || got["elsewhere"] != "ses_other" {
			t.Errorf("sent %+v", w.sent)
		}
	})
}
