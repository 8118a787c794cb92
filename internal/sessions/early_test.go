package sessions_test

import (
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// A person may reply to a message before hermes knows that it is there: the reply is
// for that message's session, not for the one in use.
func TestReply_BeforeItsMessageIsKnown(t *testing.T) {
	w := seededWorld(storage.Change{ChatSettings: []remote.ChatSettings{{Chat: adaChat, Session: "ses_other", Origin: origin(), Level: remote.LevelTurns}}})
	w.silent = false
	inThat(t, w, func(w *world) {
		w.set(func() { w.turn, w.slow = "msg_500", time.Second })
		w.event(event.Rested, "")
		pass(5 * time.Second)
		w.wantTold(remote.TellTurn)
		w.reply(1, "go on", 1001)
		w.reply(2, "elsewhere", 7)
		pass(10 * time.Second)
		got := map[string]session.ID{}
		for _, p := range w.sent {
			got[p.Parts[0].Text] = p.Session
		}
		if len(w.sent) != 2 || got["go on"] != testSession || got["elsewhere"] != "ses_other" {
			t.Errorf("sent %+v", w.sent)
		}
	})
}
