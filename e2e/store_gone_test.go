//go:build e2e && postgres && linux

package e2e_test

import (
	"strings"
	"testing"
	"time"

	"hermes/pending/postgres/pgtest"
)

// TestStoreGone takes the whole database away while a question waits, and Ada taps: hermes says what is wrong to whoever looks, and nothing to Ada that is not so. When
// the database is back, the tap counts.
func TestStoreGone(t *testing.T) {
	const lease = 2 * time.Second
	p := newPhone(t)
	x := newPair(t, p, lease)
	agent := newStandInAgent(t, x)
	x.start()
	p.say("/start", 0)
	acting, standby := x.roles()
	acting.awaitReady(t)
	q := database("Which database comes back?")
	agent.ask(q)
	card := p.card(q)
	asked := p.message(card).Text

	servers := []*pgtest.Server{x.database.Primary, x.database.Standby}
	for _, server := range servers {
		server.Kill()
	}
	p.tap(card, "1.")
	for _, h := range []*hermes{acting, standby} {
		eventually(t, "hermes says that the database does not answer", func() bool { return strings.Contains(h.get("/readyz"), "HERMES_STORE") })
		eventually(t, "the log says so", func() bool {
			return strings.Contains(h.log(), "level=ERROR") && strings.Contains(h.log(), "HERMES_STORE")
		})
		if out, err := h.command("doctor").CombinedOutput(); err == nil || !strings.Contains(string(out), "\nfail  store  ") {
			t.Errorf("hermes doctor: %v\n%s", err, out)
		}
	}
	time.Sleep(lease)
	if text := p.message(card).Text; text != asked {
		t.Errorf("the message changes while nothing can be stored:\n%s", text)
	}
	if _, all := agent.answers(q, "SQLite"); all != 0 {
		t.Errorf("the agent has %d answers of which nothing is stored", all)
	}

	for _, server := range servers {
		server.StartAgain(t)
	}
	p.end(card, "✅ Database · shop-api", q.Question, "→ SQLite", "Ada · hh:mm")
	if right, all := agent.answers(q, "SQLite"); right != 1 || all != 1 {
		t.Errorf("the agent got the answer %d times, and %d answers in all", right, all)
	}
	x.stop()
	for _, h := range x.both {
		if strings.Contains(h.log(), pgtest.Password) {
			t.Error("the log has the password of the database")
		}
	}
}
