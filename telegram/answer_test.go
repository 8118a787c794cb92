package telegram_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram/cardtest"
	"hermes/telegram/words"
)

// A tap is acknowledged at once, however full the chat's queue is.
func TestAnswer_DoesNotQueue(t *testing.T) {
	inWorld(t, func(w *world) {
		s := mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		for range 20 {
			w.bot.Note(outbound.Note{Kind: outbound.NoteNothing, Chat: 7}, func(chat.MessageID, error) {})
		}
		w.start()
		if _, err := w.tele.Tap(7, 7, int(s.Messages[0]), "1. SQLite"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		heard := w.handled()
		tap := heard[len(heard)-1]
		if tap.Kind != inbound.Tapped || tap.Thread != "abcdefghijkl" || tap.Move.Option != 0 {
			t.Fatalf("%+v", tap)
		}
		began := time.Now()
		w.bot.Answer(tap.Callback, outbound.Alert{Kind: outbound.AlertStale}, "zh")
		synctest.Wait()
		if got := w.tele.Alerts(); len(got) != 1 || got[0].Text != words.For("en").Stale || time.Since(began) != 0 {
			t.Errorf("%+v after %v", got, time.Since(began))
		}
		settle()
	})
}

func TestAnswer_LateIsFine(t *testing.T) {
	inWorld(t, func(w *world) {
		s := mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		id, err := w.tele.Tap(7, 7, int(s.Messages[0]), "1. SQLite")
		if err != nil {
			t.Fatal(err)
		}
		w.tele.FailNext("answerCallbackQuery", telegramsim.Fault{Kind: telegramsim.Unreachable}) // is tried again
		w.bot.Answer(id, outbound.Alert{}, "")
		synctest.Wait()
		w.tele.FailNext("answerCallbackQuery", telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: query is too old and response timeout expired or query ID is invalid"})
		w.bot.Answer(id, outbound.Alert{}, "")
		synctest.Wait()
		if n := w.tele.Count("answerCallbackQuery"); n != 3 || strings.Contains(w.log.String(), "WARN") {
			t.Errorf("%d calls\n%s", n, w.log)
		}
	})
}

func TestNote_RepliesInTopic(t *testing.T) {
	inWorld(t, func(w *world) {
		id, _ := w.tele.Say(7, 7, "hm")
		done := make(chan chat.MessageID, 1)
		w.bot.Note(outbound.Note{Kind: outbound.NoteWhich, Chat: 7, ReplyTo: chat.MessageID(id), Lang: "zh"}, func(id chat.MessageID, err error) {
			if err != nil {
				t.Error(err)
			}
			done <- id
		})
		sent := <-done
		all := w.tele.Messages(7)
		if m := all[len(all)-1]; m.ID != int(sent) || m.ReplyTo != id || m.Silent {
			t.Errorf("%+v", m)
		}
	})
}
