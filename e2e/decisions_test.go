//go:build e2e

package e2e_test

import (
	"slices"
	"strings"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

// TestDecisions plays decisions that are held, taken back or late, with the real hermes and
// the real OpenCode.
func TestDecisions(t *testing.T) {
	atEach(t, direct, everyEntry(), func(t *testing.T, e entry) {
		newDesk(t, e, "shop-api").playAll(t, []scene{
			{"what the agent wrote before it asked", wroteBefore, quick | byNewest},
			{"taken back", takenBack, quick},
			{"hermes killed while it is held", killedWhileHeld, quick},
			{"answered by a reply when the time is over", repliedLate, quick},
		})
	})
}

// wroteBefore: what the agent wrote stands on the card, folded, until the ask is answered. A model
// that writes all at once asks before 1.1.53 tells of its text.
func wroteBefore(d *desk) {
	const wrote = "The tests need a <database>, and I know of two."
	q := database("Which database after these words?")
	d.here.ask("explained", "SAY "+wrote+"\n"+call(q))
	card := d.phone.card(q)
	d.phone.reads(card, "💬 Before it asked:\n"+wrote)
	d.phone.folds(card, wrote)
	d.phone.tap(card, "1.")
	d.here.told(q, answered(q.Question, "SQLite"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ SQLite", "Ada · hh:mm")
}

// takenBack: what was taken back never reaches the model, and what is tapped then does, once.
func takenBack(d *desk) {
	d.restart("HERMES_UNDO=6s")
	q := database("Which database do you think better of?")
	d.here.ask("taken back", call(q))
	card := d.phone.card(q)
	d.phone.tap(card, "1.")
	d.phone.reads(card, "→ SQLite · Ada · sent in ")
	d.phone.tap(card, "↩️ Undo")
	d.phone.shows(card, "2.")
	d.phone.tap(card, "2.") // the chat may be full for as long as it is held
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ PostgreSQL (Recommended)", "Ada · hh:mm")
	d.here.goOn("after second thoughts")
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)"))
}

// killedWhileHeld: a kill neither sends what is held nor loses it.
func killedWhileHeld(d *desk) {
	q := database("Which database is held in the crash?")
	d.here.ask("held", call(q))
	card := d.phone.card(q)
	d.phone.tap(card, "2.")
	d.phone.reads(card, "→ PostgreSQL (Recommended) · Ada · sent in ")
	d.phone.kills++
	d.hermes.kill()
	if got := results(d.here.Model.Requests(), q); len(got) != 0 {
		d.t.Errorf("while it was held the model was told %q", got)
	}
	d.hermes.start(d.t)
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ PostgreSQL (Recommended)", "Ada · hh:mm")
	d.here.goOn("after the held answer")
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)"))
}

// repliedLate: the reply to a question that nobody answered in time is a prompt to its session.
func repliedLate(d *desk) {
	d.restart("HERMES_UNDO=0", "HERMES_QUESTION_TTL=2s", "HERMES_ON_EXPIRY=reject", "HERMES_IDLE_DELAY=500ms")
	q := database("Which database do you answer too late?")
	d.here.ask("too late", call(q))
	card := d.phone.card(q)
	const over = "Nobody answered in 2 s: dismissed. The agent was told."
	d.phone.end(card, "⌛ Database · shop-api", q.Question, over)
	reply := d.phone.say("2", card)
	d.here.heard("Nobody answered your question “" + q.Question + "” in time. My answer: “PostgreSQL (Recommended)”.")
	d.phone.end(card, "⌛ Database · shop-api", q.Question, over, "→ PostgreSQL (Recommended)", "sent as a prompt by Ada · hh:mm")
	d.phone.turnOver(reply)
	d.here.goOn("after the late answer")
	d.here.told(q, d.here.dismissal())
	d.here.heard("Nobody answered your question “" + q.Question + "” in time. My answer: “PostgreSQL (Recommended)”.")
}

// turnOver waits until the end of a prompt's turn is told, and nothing says that the prompt waits.
func (p *phone) turnOver(prompt int) {
	p.t.Helper()
	shown := func(sign string) bool {
		return slices.ContainsFunc(p.telegram.Messages(p.person), func(m telegramsim.Message) bool {
			return m.ReplyTo == prompt && !m.Deleted && strings.HasPrefix(m.Text, sign)
		})
	}
	p.await("the end of the prompt's turn", func() bool { return shown("💤") && !shown("⏳ Queued") })
}
