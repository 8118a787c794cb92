package telegram_test

import (
	"fmt"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/botapi"
	"hermes/telegram/cardtest"
)

func TestReact(t *testing.T) {
	inWorld(t, func(w *world) {
		w.react(7, 1, "👀")
		w.react(7, 1, "👍")
		if m := w.tele.Messages(7)[0]; m.Reaction != "👍" || w.tele.Count("setMessageReaction") != 2 {
			t.Errorf("%+v", m)
		}
		if err := w.react(7, 1, ""); err != nil || w.tele.Messages(7)[0].Reaction != "" {
			t.Errorf("%v: %+v", err, w.tele.Messages(7)[0])
		}
	})
}

// react sets a reaction, and waits for what becomes of it.
func (w *world) react(chat chat.ID, message chat.MessageID, emoji string) error {
	done := make(chan error, 1)
	w.bot.React(chat, message, emoji, func(err error) { done <- err })
	return <-done
}

// What cannot be reacted to is tried once and told, and stops nothing.
func TestReact_Fails(t *testing.T) {
	inWorld(t, func(w *world) {
		w.tele.FailNext("setMessageReaction", telegramsim.Fault{}, telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 300}, telegramsim.Fault{Kind: telegramsim.BadGateway})
		began := time.Now()
		for _, c := range []struct {
			message chat.MessageID
			want    telegram.Reason
		}{{99, botapi.Refused}, {1, botapi.Flood}, {1, botapi.Server}} {
			err := w.react(7, c.message, "👍")
			if err == nil || botapi.ReasonOf(err) != c.want {
				t.Errorf("message %d: %v, want %s", c.message, err, c.want)
			}
			leaks(t, "the error", fmt.Sprint(err))
		}
		mustShow(w.t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		if d := time.Since(began); d > time.Second {
			t.Errorf("the question came after %v", d)
		}
		if n := w.tele.Count("setMessageReaction"); n != 3 {
			t.Errorf("%d tries", n)
		}
	})
}

// Reactions take no turn from messages: a group has its twenty a minute for those.
func TestReact_TakesNoTurn(t *testing.T) {
	inWorld(t, func(w *world) {
		say, err := w.tele.Say(7, -5, "/start@hermes_bot")
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			w.bot.React(-5, chat.MessageID(say), "👀", func(error) {})
		}
		began := time.Now()
		for range 20 {
			mustShow(w.t, w.show(post(-5, cardtest.Asks(cardtest.Database()))), 3)
		}
		if d := time.Since(began); d > 20*time.Second {
			t.Errorf("twenty questions took %v", d)
		}
		time.Sleep(time.Second) // reactions go behind cards
		if n := w.tele.Count("setMessageReaction"); n != 30 {
			t.Errorf("%d reactions", n)
		}
	})
}
