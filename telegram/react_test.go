package telegram

import (
	"strings"
	"testing"
	"time"

	"hermes/question"
	"hermes/telegram/simulator"
)

func TestReact(t *testing.T) {
	in(t, func(w *world) {
		w.bot.React(7, 1, "👀")
		settle()
		w.bot.React(7, 1, "👍")
		settle()
		if m := w.tele.Messages(7)[0]; m.Reaction != "👍" || w.tele.Count("setMessageReaction") != 2 {
			t.Errorf("%+v", m)
		}
		if strings.Contains(w.log.String(), "reaction") {
			t.Error(w.log)
		}
	})
}

// What cannot be reacted to is tried once and logged, and stops nothing.
func TestReactFails(t *testing.T) {
	in(t, func(w *world) {
		w.bot.React(7, 99, "👍")
		w.tele.FailNext("setMessageReaction", simulator.Fault{}, simulator.Fault{Kind: simulator.Refuse, RetryAfter: 300}, simulator.Fault{Kind: simulator.BadGateway})
		w.bot.React(7, 1, "👍")
		w.bot.React(7, 1, "👍")
		began := time.Now()
		ok(w.t, w.show(post(7, asks(database()))), 3)
		if d := time.Since(began); d > time.Second {
			t.Errorf("the question came after %v", d)
		}
		if n := w.tele.Count("setMessageReaction"); n != 3 {
			t.Errorf("%d tries", n)
		}
		for _, want := range []string{"reason=refused", "reason=flood", "reason=server"} {
			if !strings.Contains(w.log.String(), want) {
				t.Errorf("no %s in %s", want, w.log)
			}
		}
		leaks(t, "the log", w.log.String())
	})
}

// Reactions take no turn from messages: a group has its twenty a minute for those.
func TestReactionsTakeNoTurn(t *testing.T) {
	in(t, func(w *world) {
		say, err := w.tele.Say(7, -5, "/start@hermes_bot")
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			w.bot.React(-5, question.PostedID(say), "👀")
		}
		began := time.Now()
		for range 20 {
			ok(w.t, w.show(post(-5, asks(database()))), 3)
		}
		if d := time.Since(began); d > 20*time.Second {
			t.Errorf("twenty questions took %v", d)
		}
		if n := w.tele.Count("setMessageReaction"); n != 30 {
			t.Errorf("%d reactions", n)
		}
	})
}
