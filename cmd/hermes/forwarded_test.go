package main

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	telegram "hermes/internal/simulate/telegramsim"
)

// A card that somebody forwards is a message of theirs: Telegram takes the buttons
// off, and neither a reply to it nor its data in another chat counts.
func TestAForwardedCard(t *testing.T) {
	play(t, in(chat{ID: ada}, chat{ID: team}), func(r *rig) {
		r.addTeam(false)
		c := talk{rig: r, dir: r.opencode.Directory(), session: r.opencode.NewSession(r.opencode.Directory(), "clean up")}
		c.allow(leave("rm -rf build"))
		_, call := r.ask(database())
		card, hers := r.lastIn(team), r.lastIn(ada)
		copied, err := r.telegram.Say(bob, bob, card.Text)
		if err != nil {
			t.Fatal(err)
		}
		r.sayIn(bob, bob, "1", copied)
		if said := r.lastIn(bob).Text; strings.Contains(said, "SQLite") {
			t.Errorf("the reply to a copy is met with %q", said)
		}
		for _, data := range []string{r.data(card, "1."), r.data(hers, "1.")} {
			if got := r.forge(bob, bob, copied, data); got == "" {
				t.Error("a button in another chat is taken without a word")
			}
		}
		r.unanswered(call)
		if n := len(r.journal(question.EntryAnswered)); n != 0 {
			t.Errorf("%d answers were taken", n)
		}
	})
}

// A group that the bot was thrown out of cannot be asked; the others are, and it gets
// what is open when the bot is back.
func TestThrownOutOfTheGroup(t *testing.T) {
	play(t, in(chat{ID: ada}, chat{ID: team}), func(r *rig) {
		r.addTeam(false)
		if err := r.telegram.Kick(bob, team); err != nil {
			t.Fatal(err)
		}
		request, _ := r.opencode.AskPermission(r.opencode.Directory(), "", leave("make"))
		r.wait(3 * time.Second)
		r.screen("Run a command")
		if n := fromBot(r.telegram.Messages(team)); n != 0 {
			t.Errorf("the group got %d messages", n)
		}
		if err := r.telegram.Invite(bob, team); err != nil {
			t.Fatal(err)
		}
		r.wait(3 * time.Second)
		r.tapIn(bob, team, "✅ Allow once")
		r.wait(2 * time.Second)
		r.screen("Allowed once by Bob")
		if r.opencode.Replies(request) != 1 {
			t.Error("the agent was not told")
		}
	})
}

// An anonymous administrator's tap comes with their own name (Bot API), and counts
// by it.
func TestAnAnonymousAdminTaps(t *testing.T) {
	play(t, in(chat{ID: team}), func(r *rig) {
		r.addTeam(false)
		_, call := r.ask(database())
		r.sayIn(bob, team, "hello", 0, telegram.Anonymously())
		r.tapIn(bob, team, "2.")
		r.wait(2 * time.Second)
		r.got(call, []string{"PostgreSQL (Recommended)"})
		r.screenIn(team, "Bob")
	})
}
