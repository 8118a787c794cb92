//go:build e2e

package e2e_test

import (
	"testing"

	"hermes/e2e/lab"
)

// TestQuestions plays what people live through with questions, with the real hermes and
// the real OpenCode.
func TestQuestions(t *testing.T) {
	atEach(t, linkedTUI, everyEntry(), func(t *testing.T, e entry) {
		newDesk(t, e, "shop-api", "web-app").playAll(t, []scene{
			{"single choice", singleChoice, quick},
			{"what the agent wrote before it asked", wroteBefore, quick | byNewest},
			{"three questions", threeQuestions, quick},
			{"dismissed", dismissed, everywhere},
			{"answered in OpenCode first", answeredThere, quick},
			{"dismissed in OpenCode first", dismissedThere, everywhere},
			{"subagent", subagent, quick},
			{"session stopped", stopped, quick},
			{"OpenCode killed", openCodeKilled, quick},
			{"asked while hermes is down", askedWhileDown, quick},
			{"hermes killed at the tap", killedAtTap, hermesAlone},
		})
	})
}

func singleChoice(d *desk) {
	q := database("Which database does single need?")
	d.here.ask("fix checkout flow", call(q))
	card := d.phone.card(q)
	d.phone.reads(card, "❓ Database · shop-api\n"+q.Question+"\n\n1. SQLite\n    file based\n2. PostgreSQL (Recommended)\n    needs a server\n")
	d.phone.tap(card, "2.")
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ PostgreSQL (Recommended)", "Ada · hh:mm")
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

func threeQuestions(d *desk) {
	q := database("Which database do three need?")
	languages := item{Question: "Which languages?", Header: "Languages", Multiple: true, Options: []option{{"Go", "g"}, {"Rust", "r"}, {"Zig", "z"}}}
	name := item{Question: "What shall it be called?", Header: "Name", Options: []option{}}
	d.here.ask("three at once", call(q, languages, name))
	card := d.phone.card(q)
	d.phone.reads(card, "· 1 of 3\n")
	d.phone.tap(card, "1.")
	d.phone.shows(card, "☐ 3.")
	d.phone.tap(card, "☐ 3.")
	d.phone.shows(card, "☑ 3.")
	d.phone.tap(card, "☐ 1.")
	d.phone.shows(card, "☑ 1.")
	d.phone.tap(card, "Next")
	d.phone.reads(card, "Reply to this message with your answer, or tap “Type an answer” first.")
	d.phone.say(`Brücke "№ 1" <b>`, card)
	d.phone.shows(card, "✅ Send")
	d.phone.tap(card, "✅ Send")
	d.here.told(q, answered(q.Question, "SQLite", languages.Question, "Go, Zig", name.Question, `Brücke "№ 1" <b>`))
	d.phone.end(card, "✅ Database, Languages, Name · shop-api",
		"1. Database → SQLite", "2. Languages → Go, Zig", `3. Name → "Brücke "№ 1" <b>"`, "Ada · hh:mm")
}

func dismissed(d *desk) {
	q := database("Which database shall be dismissed?")
	d.here.ask("dismiss me", call(q))
	card := d.phone.card(q)
	d.phone.tap(card, "🚫 Dismiss")
	d.phone.reads(card, "The agent usually stops then.")
	d.phone.tap(card, "🚫 Dismiss")
	d.phone.end(card, "🚫 Database · shop-api", q.Question, "Dismissed by Ada · hh:mm")
	d.here.goOn("after the dismissal")
	d.here.told(q, d.here.dismissal())
}

func answeredThere(d *desk) {
	q := database("Which database do you pick yourself?")
	d.here.ask("answered here", call(q))
	card := d.phone.card(q)
	d.here.answerHere(q, 1)
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ PostgreSQL (Recommended) · answered in OpenCode · hh:mm")
}

func dismissedThere(d *desk) {
	q := database("Which database do you dismiss yourself?")
	d.here.ask("dismissed here", call(q))
	card := d.phone.card(q)
	d.here.dismissHere(q)
	d.phone.end(card, "🚫 Database · shop-api", q.Question, "Dismissed in OpenCode · hh:mm")
	d.here.goOn("after your dismissal")
	d.here.told(q, d.here.dismissal())
}

func subagent(d *desk) {
	q := database("Which database does the subagent need?")
	d.here.ask("ship it", "TASK "+lab.Agent+" "+call(q))
	card := d.phone.card(q)
	d.phone.reads(card, "\n"+d.here.title("ship it")+" › sub task (@"+lab.Agent+" subagent) · waits until hh:mm")
	d.phone.tap(card, "1.")
	d.here.told(q, answered(q.Question, "SQLite"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ SQLite", "Ada · hh:mm")
}

func stopped(d *desk) {
	q := database("Which database until you stop?")
	q.Header = "Stop me"
	d.here.ask("stopped", call(q))
	card := d.phone.card(q)
	d.here.stop()
	d.phone.end(card, "⚠️ Stop me · shop-api", q.Question, "No longer waiting: the session was stopped.")
	d.here.closeQuestion()
	d.here.goOn("after the stop")
	d.here.untold(q)
	late(d, card, q)
}

// late answers a question that was stopped all the same, by a prompt.
func late(d *desk, card int, q item) {
	written := d.phone.say("1", card)
	offer := d.phone.cardWith("Your answer was not sent.")
	d.phone.tap(offer, "📨")
	d.here.heard("Your question was: " + q.Question + "\nMy answer: SQLite")
	d.phone.sent(offer, written)
}
