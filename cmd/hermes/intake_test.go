package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// permissionWithin has the agent ask for a permission, and fails the test unless the chat
// shows it in time. What hermes waits for before it shows anything is not counted.
func (r *rig) permissionWithin(chat int64, limit time.Duration) {
	r.t.Helper()
	dir := r.opencode.Directory()
	command := fmt.Sprintf("rm -rf build-%d", time.Now().UnixNano())
	began := time.Now()
	r.opencode.AskBash(dir, r.opencode.NewSession(dir, "fix checkout flow"), command)
	for time.Since(began) < 3*time.Minute {
		r.wait(100 * time.Millisecond)
		for _, m := range r.telegram.Messages(chat) {
			if strings.Contains(m.Text, command) {
				if took := time.Since(began) - r.config.NotifyDelay; took > limit {
					r.t.Errorf("the card came after %v, want %v at most", took, limit)
				}
				return
			}
		}
	}
	r.t.Errorf("no card in chat %d", chat)
}

// leadAndDev are rules by which Bob may neither answer nor drive.
func leadAndDev(t *testing.T) string {
	t.Helper()
	rules := filepath.Join(t.TempDir(), "rules.toml")
	text := "[remote]\nroles = \"lead\"\n[[person]]\nid = 42\nname = \"Ada L.\"\nroles = \"lead\"\n[[person]]\nid = 43\nname = \"Bob\"\nroles = \"dev\"\n" +
		"[[rule]]\nname = \"all\"\nroles = \"lead\"\nchats = [-1001234567890]\n"
	if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return rules
}

// What people ask hermes for delays no card, neither in their chat nor in another.
func TestChatterDelaysNoCard(t *testing.T) {
	const limit = 2 * time.Second
	t.Run("a person without rights in the group", func(t *testing.T) {
		rules := leadAndDev(t)
		play(t, func(c *config) { c.Rules, c.TelegramChats = rules, []chat{{ID: team}} }, func(r *rig) {
			r.addTeam(false)
			for range 40 {
				if _, err := r.telegram.Say(bob, team, "/sessions@hermes_bot"); err != nil {
					t.Fatal(err)
				}
			}
			r.permissionWithin(team, limit)
			r.wait(30 * time.Second)
			r.permissionWithin(team, limit)
			if n := fromBot(r.telegram.Messages(team)); n > 4 {
				t.Errorf("%d messages:\n%s", n, r.telegram.History(team))
			}
		})
	})
	t.Run("somebody who drives, in the group", func(t *testing.T) {
		play(t, func(c *config) { c.TelegramChats = []chat{{ID: team}} }, func(r *rig) {
			r.addTeam(false)
			for i := range 60 {
				who := []int64{ada, bob}[i%2]
				if _, err := r.telegram.Say(who, team, "/sessions@hermes_bot"); err != nil {
					t.Fatal(err)
				}
			}
			for range 4 {
				r.permissionWithin(team, limit)
				r.wait(5 * time.Second)
			}
		})
	})
	t.Run("unknown commands", func(t *testing.T) {
		play(t, nil, func(r *rig) {
			for i := range 300 {
				if _, err := r.telegram.Say(ada, ada, fmt.Sprintf("/unknown%d", i)); err != nil {
					t.Fatal(err)
				}
			}
			r.permissionWithin(ada, limit)
			r.wait(5 * time.Minute)
			if n := fromBot(r.telegram.Messages(ada)); n > 15 {
				t.Errorf("%d messages", n)
			}
			if text := r.measured(); !strings.Contains(text, "hermes_replies_skipped_total 290\n") {
				t.Errorf("what was left out is not counted:\n%s", text)
			}
		})
	})
	t.Run("strangers", func(t *testing.T) {
		play(t, nil, func(r *rig) {
			for i := range int64(1000) {
				r.telegram.AddUser(telegram.User{ID: 5000 + i, FirstName: "Mal"})
				if _, err := r.telegram.Say(5000+i, 5000+i, "/start"); err != nil {
					t.Fatal(err)
				}
			}
			r.permissionWithin(ada, limit)
		})
	})
}

// Sessions are steered where hermes is set up, and nowhere else. What was settled in a
// group before counts no more when the group is taken out of the configuration.
func TestForeignGroupLearnsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := drivingRig(t, opencode.VersionNew, func(c *config) { c.TelegramChats = []chat{{ID: ada}, {ID: team}} })
		defer c.end()
		c.addTeam(false)
		c.telegram.AddChat(telegram.Chat{ID: pair, Type: telegram.Group, Title: "Elsewhere", Members: []int64{ada, eve}})
		for _, text := range []string{"/level all@x", "/sessions@hermes_bot", "/level@hermes_bot all", "/use@hermes_bot fix checkout", "/status@hermes_bot", "/new@hermes_bot", "/last@hermes_bot"} {
			c.sayIn(ada, pair, text, 0)
		}
		c.sayIn(ada, team, "/level@hermes_bot all", 0)
		c.wait(time.Minute)
		turn := func() {
			c.useSession()
			c.say("go on", 0)
			c.wait(time.Minute)
		}
		turn()
		if said := c.telegram.History(pair); fromBot(c.telegram.Messages(pair)) != 1 || !strings.Contains(said, "Sessions cannot be steered in this chat.") {
			t.Errorf("in a foreign group:\n%s", said)
		}
		if said := c.telegram.History(team); !strings.Contains(said, "fix checkout flow") {
			t.Errorf("the team is not told of the end:\n%s", said)
		}
		c.halt()
		c.config.TelegramChats = []chat{{ID: ada}}
		c.start()
		before := len(c.telegram.Messages(team))
		turn()
		if now := c.telegram.Messages(team); len(now) != before {
			t.Errorf("a group that is configured no more is told:\n%s", c.telegram.History(team))
		}
	})
}

// A stranger's text that Ada passes on is not hers.
func TestForwardedTextDecidesNothing(t *testing.T) {
	play(t, nil, func(r *rig) {
		r.telegram.AddUser(telegram.User{ID: 99, IsBot: true, FirstName: "Inline"})
		_, call := r.ask(database())
		card := r.last()
		before := len(r.journal(question.EntryRefused))
		for _, how := range [][]telegram.SayOption{
			{telegram.Forwarded(eve)},
			{telegram.ViaBot(99)},
			{telegram.ViaBot(99), telegram.ReplyTo(card.ID)},
			{telegram.Forwarded(eve), telegram.WithContent("photo", `[{"file_id":"x","width":1,"height":1}]`)},
		} {
			r.wait(time.Minute)
			n := len(r.telegram.Messages(ada))
			r.sayIn(ada, ada, "1", 0, how...)
			r.unanswered(call)
			if now := r.telegram.Messages(ada); len(now) != n+2 || !strings.Contains(now[n+1].Text, "do not count here") {
				t.Errorf("told:\n%s", r.telegram.Transcript(ada))
			}
		}
		r.sayIn(ada, ada, "1", 0, telegram.Forwarded(eve)) // and once a minute is enough
		if len(r.journal(question.EntryRefused)) != before {
			t.Error("the journal has something of it")
		}
		r.say("1", 0)
		r.wait(2 * time.Second)
		r.got(call, []string{"SQLite"})
	})
}

// The rules' name is on the card, and the id in the journal, whatever Ada calls herself.
func TestNamesOnCards(t *testing.T) {
	rules := leadAndDev(t)
	play(t, func(c *config) { c.Rules, c.TelegramChats = rules, []chat{{ID: team}} }, func(r *rig) {
		r.addTeam(false)
		_, call := r.ask(database())
		r.tapIn(ada, team, "1.")
		r.wait(2 * time.Second)
		r.got(call, []string{"SQLite"})
		r.screenIn(team, "Ada L. · ")
		if e := r.journal(question.EntryAnswered); len(e) != 1 || e[0].By.User != ada || e[0].By.Name != "Ada L." {
			t.Errorf("the journal has %+v", e)
		}
	})
}
