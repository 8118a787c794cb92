//go:build e2e

package e2e_test

import (
	"slices"
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

func tappedWhileDown(d *desk) {
	q := database("Which database do you tap in the dark?")
	d.here.ask("tapped in the dark", call(q))
	card := d.phone.card(q)
	d.phone.kills++
	d.hermes.kill()
	d.phone.tap(card, "2.")
	d.hermes.start(d.t)
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ PostgreSQL (Recommended)", "Ada · hh:mm")
}

func killedAtTap(d *desk)  { killedAt(d, "Which database before the crash?", "answerCallbackQuery") }
func killedAtEdit(d *desk) { killedAt(d, "Which database at the last edit?", "editMessageText") }

// killedAt kills hermes when its first call of a method after the tap arrives,
// which then has no effect, and starts it again.
func killedAt(d *desk, text, method string) {
	q := database(text)
	d.here.ask("crash", call(q))
	card := d.phone.card(q)
	killed := d.killAt(method)
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

// restart ends hermes and starts it with further settings.
func (d *desk) restart(settings ...string) {
	d.t.Helper()
	d.hermes.stop(d.t)
	d.hermes.start(d.t, settings...)
	d.hermes.awaitReady(d.t)
}

func expiryReject(d *desk) {
	d.restart("HERMES_QUESTION_TTL=2s", "HERMES_ON_EXPIRY=reject")
	q := database("Which database does nobody reject?")
	d.here.ask("nobody is there", call(q))
	card := d.phone.card(q)
	d.phone.end(card, "⌛ Database · shop-api", q.Question, "Nobody answered in 2 s: dismissed. The agent was told.")
	d.here.goOn("after the time")
	d.here.told(q, d.here.dismissal())
	d.reminded(card)
}

func expiryAcceptFirst(d *desk) {
	d.restart("HERMES_ON_EXPIRY=accept-first")
	q := database("Which database does nobody accept?")
	d.here.ask("nobody is there", call(q))
	card := d.phone.card(q)
	d.here.told(q, answered(q.Question, "SQLite"))
	d.phone.end(card, "⌛ Database · shop-api", q.Question, "Nobody answered in 2 s: took the first choice, SQLite.")
}

func expiryWait(d *desk) {
	d.restart("HERMES_ON_EXPIRY=wait")
	q := database("Which database can wait?")
	d.here.ask("nobody is there", call(q))
	card := d.phone.card(q)
	d.phone.reads(card, "Nobody answered in 2 s. Still waiting.")
	d.phone.tap(card, "2.")
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ PostgreSQL (Recommended)", "Ada · hh:mm")
}

// reminded holds that the card was answered with one reminder.
func (d *desk) reminded(card int) {
	d.t.Helper()
	all := d.phone.telegram.Messages(ada)
	n := len(slices.DeleteFunc(all, func(m telegramsim.Message) bool {
		return m.ReplyTo != card || !strings.HasPrefix(m.Text, "⏰ Still waiting: Database · shop-api\n")
	}))
	if n != 1 {
		d.t.Errorf("%d reminders, want 1", n)
	}
}
