//go:build e2e && postgres && linux

package e2e_test

import (
	"sync"
	"testing"
	"time"

	"hermes/internal/simulate/telegramsim"
)

// TestTakeover_LateEdit has a hermes write a message that is true when it is written, into a network that has just gone silent. By the time that the network is whole
// again the other one has written the end into the same message: what comes late must not come at all.
func TestTakeover_LateEdit(t *testing.T) {
	t.Parallel()
	const lease = 2 * time.Second
	p := newPhone(t)
	x := newPair(t, p, lease)
	agent := newStandInAgent(t, x)
	x.start()
	p.say("/start", 0)
	acting, _ := x.roles()
	acting.awaitReady(t)
	q := database("Which database is told of late?")
	agent.ask(q)
	card := p.card(q)

	x.network.set(acting, silent, toOpenCode)
	var once sync.Once
	p.telegram.SetFault(func(c telegramsim.Call) telegramsim.Fault {
		if c.Method == "answerCallbackQuery" { // the tap is stored; what the message says of it comes next
			once.Do(func() { x.network.set(acting, silent, toTelegram) })
		}
		return telegramsim.Fault{}
	})
	p.tap(card, "1.")
	eventually(t, "hermes writes that the answer is on its way", func() bool { return x.network.holds(acting, "editMessageText") })
	x.network.set(acting, silent, toStore, fromLinks)
	p.end(card, "✅ Database · shop-api", q.Question, "→ SQLite", "Ada · hh:mm")
	time.Sleep(4 * time.Second) // until the chat takes several edits again
	x.network.set(acting, whole, allSides()...)
	eventually(t, "who was cut off is a standby", acting.stands)
	eventually(t, "what it had sent has arrived, or never will", func() bool { return !x.network.holds(acting, "") })
	if m := p.message(card); settled(m.Text) != p.ends[card] {
		t.Errorf("the message says at last:\n%s", m.Text)
	}
	x.stop()
}
