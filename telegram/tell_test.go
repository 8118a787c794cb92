package telegram_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/remote"
	"hermes/telegram/ui"
)

// note is a message that can be left out.
func note(in chat.ID) outbound.Message {
	return outbound.Message{Chat: in, Text: ui.NothingAsked().Text(), Answer: true}
}

// tellIDs tells something, and waits for what comes of it.
func (w *world) tellIDs(t outbound.Message) (ids []chat.MessageID, err error) {
	got := w.tell(t)
	return got.Messages, got.Err
}

// tell does the same, with all that comes of it.
func (w *world) tell(t outbound.Message) (got outbound.MessageShown) {
	w.bot.Tell(t, func(s outbound.MessageShown) { got = s })
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
			ids, err := w.tellIDs(outbound.Message{Text: ui.Prompt{Status: remote.PromptQueued}.Text(), Chat: 7})
			if err != nil || len(ids) != 1 {
				t.Fatal(ids, err)
			}
			time.Sleep(age)
			for range 2 {
				if shown, err := w.tellIDs(outbound.Message{Text: ui.Prompt{Status: remote.PromptTaken}.Text(), Chat: 7, Edit: ids[0], Remove: true}); err != nil || len(shown) != 0 {
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
