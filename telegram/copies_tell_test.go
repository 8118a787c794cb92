package telegram_test

import (
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/cardtest"
)

// tellTwice tells of sessions, and tells it again, as the first answer was lost.
func (w *world) tellTwice(t remote.Message) chat.MessageID {
	w.t.Helper()
	w.tele.FailNext("sendMessage", telegramsim.Fault{Kind: telegramsim.ResetAfter})
	tell := func() ([]chat.MessageID, error) {
		c := make(chan remote.MessageShown, 1)
		w.bot.Tell(t, func(s remote.MessageShown) { c <- s })
		got := <-c
		return got.Messages, got.Err
	}
	if _, err := tell(); err == nil {
		w.t.Fatal("the answer was not lost")
	}
	time.Sleep(time.Second)
	ids, err := tell()
	if err != nil || len(ids) != 1 {
		w.t.Fatal(ids, err)
	}
	settle()
	return ids[0]
}

// An offer, or another message about sessions with buttons, that was sent twice has them once.
func TestTell_ButtonsOnceThoughSentTwice(t *testing.T) {
	offer := remote.Message{Chat: 7, Kind: remote.TellDoubt, Text: "/new", Update: 3, Asks: []question.Thread{{Request: question.Request{Items: []question.Item{cardtest.Database()}}}}}
	for name, fault := range map[string]telegramsim.Fault{
		"found":            {},
		"the edit is lost": {Kind: telegramsim.ResetAfter},
		"it is refused":    {Kind: telegramsim.Refuse, RetryAfter: 5},
		"it breaks":        {Kind: telegramsim.ResetBefore},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.tele.FailNext("editMessageText", fault)
				id := w.tellTwice(offer)
				settle()
				buttons := 0
				for _, m := range w.tele.Messages(7) {
					if len(m.Rows) > 0 {
						buttons++
					}
				}
				if buttons != 1 || w.copies() != "2" || id != 3 {
					t.Errorf("%d messages with buttons, copies %q, told in %d:\n%s", buttons, w.copies(), id, w.tele.Transcript(7))
				}
			}, firstIsStored)
		})
	}
	t.Run("without buttons", func(t *testing.T) {
		inWorld(t, func(w *world) {
			w.tellTwice(remote.Message{Chat: 7, Kind: remote.TellHelp})
			if got := w.copies(); got != "" {
				t.Errorf("said to be copies: %q", got)
			}
		}, firstIsStored)
	})
}

// A message that Telegram refuses to edit does not end the search for the copies behind it.
func TestTell_SearchGoesOnBehindARefusal(t *testing.T) {
	offer := remote.Message{Chat: 7, Kind: remote.TellDoubt, Text: "/new", Update: 3, Asks: []question.Thread{{Request: question.Request{Items: []question.Item{cardtest.Database()}}}}}
	for name, always := range map[string]bool{"refused once": false, "refused for good": true} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				edits := 0
				w.tele.SetFault(func(c telegramsim.Call) telegramsim.Fault {
					if c.Method != "editMessageText" {
						return telegramsim.Fault{}
					}
					edits++
					switch {
					case edits == 2:
						return telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 3}
					case c.Params["message_id"] == "2" && (always || edits == 1):
						return telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: SOMETHING_NEW"}
					}
					return telegramsim.Fault{}
				})
				w.tele.FailNext("sendMessage", lostAnswer, lostAnswer)
				for range 3 {
					w.tellIDs(offer)
				}
				time.Sleep(time.Hour)
				settle()
				want := "2 3"
				if always {
					want = "3"
				}
				if got := w.copies(); got != want || edits > telegram.MaxSearches*telegram.SearchCalls {
					t.Errorf("said to be copies: %q, want %q, after %d edits\n%s", got, want, edits, w.tele.Transcript(7))
				}
			}, firstIsStored)
		})
	}
}
