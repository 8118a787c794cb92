package telegram_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
)

// tellIDs tells something, and waits for what comes of it.
func (w *world) tellIDs(t remote.Message) (ids []chat.MessageID, err error) {
	got := w.tell(t)
	return got.Messages, got.Err
}

// tell does the same, with all that comes of it.
func (w *world) tell(t remote.Message) (got remote.MessageShown) {
	w.bot.Tell(t, func(s remote.MessageShown) { got = s })
	time.Sleep(time.Minute)
	synctest.Wait()
	return got
}

// A message that is not true any more is deleted; one that is too old for that (Bot API deleteMessage: 48 hours) is changed, and
// one that is gone already is as it should be.
func TestTell_RemovesAMessage(t *testing.T) {
	inWorld(t, func(w *world) {
		for age, goes := range map[time.Duration]bool{time.Hour: true, 49 * time.Hour: false} {
			before := len(w.tele.Messages(7))
			ids, err := w.tellIDs(remote.Message{Kind: remote.TellQueued, Chat: 7})
			if err != nil || len(ids) != 1 {
				t.Fatal(ids, err)
			}
			time.Sleep(age)
			for range 2 {
				if shown, err := w.tellIDs(remote.Message{Kind: remote.TellTaken, Chat: 7, Edit: ids[0], Remove: true}); err != nil || len(shown) != 0 {
					t.Errorf("after %v: it shows %v, %v", age, shown, err)
				}
			}
			all := w.tele.Messages(7)[before:]
			if len(all) != 1 || all[0].Deleted != goes || strings.HasPrefix(all[0].Text, "👍") == goes {
				t.Errorf("after %v there are %+v", age, all)
			}
		}
	})
}
