package daemon_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// A card that somebody forwards is a message of theirs: Telegram takes the buttons
// off, and neither a reply to it nor its data in another chat counts.
func TestCards_ForwardedCard(t *testing.T) {
	rig.Play(t, in(config.Chat{ID: rig.Ada}, config.Chat{ID: rig.Team}), func(r *rig.Rig) {
		r.AddTeam(false)
		c := rig.Talk{Rig: r, Dir: r.Opencode.Directory(), Session: r.Opencode.NewSession(r.Opencode.Directory(), "clean up")}
		c.Allow(rig.BashPermission("rm -rf build"))
		_, call := r.Ask(rig.DatabaseQuestion())
		card, hers := r.LastIn(rig.Team), r.LastIn(rig.Ada)
		copied, err := r.Telegram.Say(rig.Bob, rig.Bob, card.Text)
		if err != nil {
			t.Fatal(err)
		}
		r.SayIn(rig.Bob, rig.Bob, "1", copied)
		if said := r.LastIn(rig.Bob).Text; strings.Contains(said, "SQLite") {
			t.Errorf("the reply to a copy is met with %q", said)
		}
		for _, data := range []string{r.Data(card, "1."), r.Data(hers, "1.")} {
			if got := r.ForgeTap(rig.Bob, rig.Bob, copied, data); got == "" {
				t.Error("a button in another chat is taken without a word")
			}
		}
		r.WantNoAnswer(call)
		if n := len(r.Journal(storage.EntryAnswered)); n != 0 {
			t.Errorf("%d answers were taken", n)
		}
	})
}

// A group that the bot was thrown out of cannot be asked; the others are, and it gets
// what is open when the bot is back.
func TestCards_ThrownOutOfTheGroup(t *testing.T) {
	rig.Play(t, in(config.Chat{ID: rig.Ada}, config.Chat{ID: rig.Team}), func(r *rig.Rig) {
		r.AddTeam(false)
		if err := r.Telegram.Kick(rig.Bob, rig.Team); err != nil {
			t.Fatal(err)
		}
		request, _ := r.Opencode.AskPermission(r.Opencode.Directory(), "", rig.BashPermission("make"))
		r.Wait(3 * time.Second)
		r.WantScreen("Run a command")
		if n := fromBot(r.Telegram.Messages(rig.Team)); n != 0 {
			t.Errorf("the group got %d messages", n)
		}
		if err := r.Telegram.Invite(rig.Bob, rig.Team); err != nil {
			t.Fatal(err)
		}
		r.Wait(3 * time.Second)
		r.TapIn(rig.Bob, rig.Team, "✅ Allow once")
		r.Wait(2 * time.Second)
		r.WantScreen("Allowed once by Bob")
		if r.Opencode.Replies(request) != 1 {
			t.Error("the agent was not told")
		}
	})
}

// An anonymous administrator's tap comes with their own name (Bot API), and counts
// by it.
func TestCards_AnonymousAdminTaps(t *testing.T) {
	rig.Play(t, in(config.Chat{ID: rig.Team}), func(r *rig.Rig) {
		r.AddTeam(false)
		_, call := r.Ask(rig.DatabaseQuestion())
		r.SayIn(rig.Bob, rig.Team, "hello", 0, telegram.Anonymously())
		r.TapIn(rig.Bob, rig.Team, "2.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		r.WantScreenIn(rig.Team, "Bob")
	})
}
