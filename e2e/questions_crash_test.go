//go:build e2e

package e2e_test

import (
	"strings"
	"sync"

	"hermes/internal/simulate/telegramsim"
)

func openCodeKilled(d *desk) {
	lost, other := database("Which database does the killed one need?"), database("Which database does the other need?")
	d.there.ask("killed", call(lost))
	d.here.ask("goes on", call(other))
	gone, stays := d.phone.card(lost), d.phone.card(other)
	d.there.Restart()
	d.phone.end(gone, "⚠️ Database · web-app", lost.Question, "No longer waiting: OpenCode was restarted.")
	d.there.untold(lost)
	again := database("Which database does the new one need?")
	d.there.ask("after the kill", call(again))
	card := d.phone.card(again)
	d.phone.tap(card, "1.")
	d.there.told(again, answered(again.Question, "SQLite"))
	d.phone.end(card, "✅ Database · web-app", again.Question, "→ SQLite", "Ada · hh:mm")
	d.phone.tap(stays, "2.")
	d.here.told(other, answered(other.Question, "PostgreSQL (Recommended)"))
	d.phone.end(stays, "✅ Database · shop-api", other.Question, "→ PostgreSQL (Recommended)", "Ada · hh:mm")
}

func askedWhileDown(d *desk) {
	d.hermes.stop(d.t)
	q := database("Which database while hermes is down?")
	d.here.ask("nobody listens", call(q))
	d.here.awaitAsked(q)
	d.hermes.start(d.t)
	card := d.phone.card(q)
	d.phone.reads(card, "\n"+d.here.title("nobody listens")+" · waits until hh:mm")
	d.phone.tap(card, "1.")
	d.here.told(q, answered(q.Question, "SQLite"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ SQLite", "Ada · hh:mm")
}

// killedAtTap kills hermes when the answer to the tap arrives, which then has no effect, and
// starts it again.
func killedAtTap(d *desk) {
	q := database("Which database before the crash?")
	d.here.ask("crash", call(q))
	card := d.phone.card(q)
	killed := d.killAt("answerCallbackQuery")
	d.phone.kills++
	d.phone.tap(card, "2.")
	select {
	case <-killed:
	case <-d.t.Context().Done():
	}
	d.phone.telegram.SetFault(nil)
	d.hermes.start(d.t)
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ PostgreSQL (Recommended)", "Ada · hh:mm")
	// A kill just after sendMessage leaves a message that hermes sends again.
	if n := strings.Count(d.phone.telegram.Transcript(ada), q.Question); n < 1 || n > 2 {
		d.t.Errorf("the question stands %d times in the chat", n)
	}
}

// killAt kills hermes at its next call of a method; the channel is closed when
// it is gone.
func (d *desk) killAt(method string) <-chan struct{} {
	return d.killWhen(func(c telegramsim.Call) bool { return c.Method == method })
}

// killWhen kills hermes at its next call of a kind, none of which has an effect then.
func (d *desk) killWhen(is func(telegramsim.Call) bool) <-chan struct{} {
	killed := make(chan struct{})
	var once sync.Once
	d.phone.telegram.SetFault(func(c telegramsim.Call) telegramsim.Fault {
		if !is(c) {
			return telegramsim.Fault{}
		}
		once.Do(func() { d.hermes.kill(); close(killed) })
		return telegramsim.Fault{Kind: telegramsim.Unreachable}
	})
	return killed
}
