package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

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
func TestIntake_ChatterDelaysNoCard(t *testing.T) {
	const limit = 2 * time.Second
	t.Run("a person without rights in the group", func(t *testing.T) {
		rules := leadAndDev(t)
		rig.Play(t, func(c *config.Config) { c.Rules, c.TelegramChats = rules, []config.Chat{{ID: rig.Team}} }, func(r *rig.Rig) {
			r.AddTeam(false)
			for range 40 {
				if _, err := r.Telegram.Say(rig.Bob, rig.Team, "/sessions@hermes_bot"); err != nil {
					t.Fatal(err)
				}
			}
			permissionWithin(r, rig.Team, limit)
			r.Wait(30 * time.Second)
			permissionWithin(r, rig.Team, limit)
			if n := fromBot(r.Telegram.Messages(rig.Team)); n > 4 {
				t.Errorf("%d messages:\n%s", n, r.Telegram.History(rig.Team))
			}
		})
	})
	t.Run("somebody who drives, in the group", func(t *testing.T) {
		rig.Play(t, func(c *config.Config) { c.TelegramChats = []config.Chat{{ID: rig.Team}} }, func(r *rig.Rig) {
			r.AddTeam(false)
			for i := range 60 {
				who := []int64{rig.Ada, rig.Bob}[i%2]
				if _, err := r.Telegram.Say(who, rig.Team, "/sessions@hermes_bot"); err != nil {
					t.Fatal(err)
				}
			}
			for range 4 {
				permissionWithin(r, rig.Team, limit)
				r.Wait(5 * time.Second)
			}
		})
	})
	t.Run("unknown commands", func(t *testing.T) {
		rig.Play(t, nil, func(r *rig.Rig) {
			for i := range 300 {
				if _, err := r.Telegram.Say(rig.Ada, rig.Ada, fmt.Sprintf("/unknown%d", i)); err != nil {
					t.Fatal(err)
				}
			}
			permissionWithin(r, rig.Ada, limit)
			r.Wait(5 * time.Minute)
			if n := fromBot(r.Telegram.Messages(rig.Ada)); n > 15 {
				t.Errorf("%d messages", n)
			}
			if text := r.Metrics(); !strings.Contains(text, "hermes_replies_skipped_total 290\n") {
				t.Errorf("what was left out is not counted:\n%s", text)
			}
		})
	})
	t.Run("strangers", func(t *testing.T) {
		rig.Play(t, nil, func(r *rig.Rig) {
			for i := range int64(1000) {
				r.Telegram.AddUser(telegram.User{ID: 5000 + i, FirstName: "Mal"})
				if _, err := r.Telegram.Say(5000+i, 5000+i, "/start"); err != nil {
					t.Fatal(err)
				}
			}
			permissionWithin(r, rig.Ada, limit)
		})
	})
}

// Sessions are steered where hermes is set up, and nowhere else. What was settled in a
// group before counts no more when the group is taken out of the configuration.
func TestIntake_ForeignGroupLearnsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := rig.DrivingRig(t, opencode.VersionNew, func(c *config.Config) { c.TelegramChats = []config.Chat{{ID: rig.Ada}, {ID: rig.Team}} })
		defer c.End()
		c.AddTeam(false)
		c.Telegram.AddChat(telegram.Chat{ID: rig.Pair, Type: telegram.Group, Title: "Elsewhere", Members: []int64{rig.Ada, rig.Eve}})
		for _, text := range []string{"/level all@x", "/sessions@hermes_bot", "/level@hermes_bot all", "/use@hermes_bot fix checkout", "/status@hermes_bot", "/new@hermes_bot", "/last@hermes_bot"} {
			c.SayIn(rig.Ada, rig.Pair, text, 0)
		}
		c.SayIn(rig.Ada, rig.Team, "/level@hermes_bot all", 0)
		c.Wait(time.Minute)
		turn := func() {
			c.UseSession()
			c.Say("go on", 0)
			c.Wait(time.Minute)
		}
		turn()
		if said := c.Telegram.History(rig.Pair); fromBot(c.Telegram.Messages(rig.Pair)) != 1 || !strings.Contains(said, "Sessions cannot be controlled from this chat.") {
			t.Errorf("in a foreign group:\n%s", said)
		}
		if said := c.Telegram.History(rig.Team); !strings.Contains(said, "fix checkout flow") {
			t.Errorf("the team is not told of the end:\n%s", said)
		}
		c.Halt()
		c.Config.TelegramChats = []config.Chat{{ID: rig.Ada}}
		c.Start()
		before := len(c.Telegram.Messages(rig.Team))
		turn()
		if now := c.Telegram.Messages(rig.Team); len(now) != before {
			t.Errorf("a group that is configured no more is told:\n%s", c.Telegram.History(rig.Team))
		}
	})
}

// A stranger's text that Ada passes on is not hers.
func TestIntake_ForwardedTextDecidesNothing(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Telegram.AddUser(telegram.User{ID: 99, IsBot: true, FirstName: "Inline"})
		_, call := r.Ask(rig.DatabaseQuestion())
		card := r.Last()
		before := len(r.Journal(storage.EntryRefused))
		for _, how := range [][]telegram.SayOption{
			{telegram.Forwarded(rig.Eve)},
			{telegram.ViaBot(99)},
			{telegram.ViaBot(99), telegram.ReplyTo(card.ID)},
			{telegram.Forwarded(rig.Eve), telegram.WithContent("photo", `[{"file_id":"x","width":1,"height":1}]`)},
		} {
			r.Wait(time.Minute)
			n := len(r.Telegram.Messages(rig.Ada))
			r.SayIn(rig.Ada, rig.Ada, "1", 0, how...)
			r.WantNoAnswer(call)
			if now := r.Telegram.Messages(rig.Ada); len(now) != n+2 || !strings.Contains(now[n+1].Text, "I ignore forwarded messages") {
				t.Errorf("told:\n%s", r.Telegram.Transcript(rig.Ada))
			}
		}
		r.SayIn(rig.Ada, rig.Ada, "1", 0, telegram.Forwarded(rig.Eve)) // and once a minute is enough
		if len(r.Journal(storage.EntryRefused)) != before {
			t.Error("the journal has something of it")
		}
		r.Say("1", 0)
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"SQLite"})
	})
}
