package telegram_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	"hermes/internal/simulate/telegramsim"
)

// What a first attempt has shown of a long text, a second one does not show again.
func TestTell_GoesOnWhereItStopped(t *testing.T) {
	inWorld(t, func(w *world) {
		tell := question.Telling{Kind: question.TellLast, Chat: 7, Turn: question.Turn{Message: "m", Text: strings.Repeat("A long word. ", 800)}}
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
		var shown []question.PostedID
		for _, m := range w.tele.Messages(7) {
			if m.FromBot {
				shown = append(shown, question.PostedID(m.ID))
			}
		}
		if !slices.Equal(shown, all) {
			t.Errorf("the chat shows %v, want %v", shown, all)
		}
	})
}

// tellIDs tells something, and waits for what comes of it.
func (w *world) tellIDs(t question.Telling) (ids []question.PostedID, err error) {
	got := w.tell(t)
	return got.Messages, got.Err
}

// tell does the same, with all that comes of it.
func (w *world) tell(t question.Telling) (got question.TellingShown) {
	w.bot.Tell(t, func(s question.TellingShown) { got = s })
	time.Sleep(time.Minute)
	synctest.Wait()
	return got
}
