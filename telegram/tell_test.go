package telegram_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/simulate/telegramsim"
)

// What a first attempt has shown of a long text, a second one does not show again.
func TestTell_GoesOnWhereItStopped(t *testing.T) {
	inWorld(t, func(w *world) {
		tell := remote.Message{Kind: remote.TellLast, Chat: 7, Turn: session.Turn{Message: "m", Text: strings.Repeat("A long word. ", 800)}}
		sent := 0
		w.tele.SetFault(func(c telegramsim.Call) telegramsim.Fault {
			if c.Method == "sendMessage" {
				sent++
			}
			if c.Method == "sendMessage" && sent == 2 {
				return telegramsim.Fault{Kind: telegramsim.BadGateway}
			}
			return telegramsim.Fault{}
		})
		first, err := w.tellIDs(tell)
		if err == nil || len(first) != 1 {
			t.Fatalf("the first attempt showed %v, %v", first, err)
		}
		tell.Shown = first
		all, err := w.tellIDs(tell)
		if err != nil || len(all) < 3 || all[0] != first[0] {
			t.Errorf("the second attempt leaves %v, %v", all, err)
		}
		var shown []chat.MessageID
		for _, m := range w.tele.Messages(7) {
			if m.FromBot {
				shown = append(shown, chat.MessageID(m.ID))
			}
		}
		if !slices.Equal(shown, all) {
			t.Errorf("the chat shows %v, want %v", shown, all)
		}
	})
}

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
