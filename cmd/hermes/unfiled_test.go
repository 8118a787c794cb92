package main

import (
	"strings"
	"testing"
	"time"

	telegram "hermes/internal/simulate/telegramsim"
)

// A group that forbids files gets a long question and a long command, which are answered there as everywhere else, also
// by a hermes that was started again meanwhile.
func TestAGroupThatForbidsFiles(t *testing.T) {
	play(t, in(chat{ID: team}), func(r *rig) {
		r.addTeam(false)
		if err := r.telegram.Restrict(bob, team, telegram.SendDocuments); err != nil { // the bot alone
			t.Fatal(err)
		}
		long := database()
		long.Question = "Which? " + strings.Repeat("a long text ", 4000)
		_, call := r.ask(long)
		card := r.lastIn(team)
		if !strings.Contains(card.Text, "this chat takes no files from bots") || len(card.Rows) == 0 {
			t.Fatalf("the chat shows\n%s\n%s", r.telegram.Transcript(team), r.log.String())
		}
		r.halt()
		r.start()
		r.tapIn(ada, team, "✏️ Type an answer")
		r.wait(5 * time.Second)
		if now := r.telegram.Messages(team)[0]; now.Edits != 1 || !strings.Contains(now.Text, "this chat takes no files from bots") {
			t.Errorf("after a restart the card says\n%s", now.Text)
		}
		r.tapIn(ada, team, "◀ Back")
		r.wait(5 * time.Second)
		r.tapIn(ada, team, "2.")
		r.wait(5 * time.Second)
		r.got(call, []string{"PostgreSQL (Recommended)"})
		all := r.telegram.Messages(team)
		if len(all) != 2 || !all[1].Deleted || !strings.Contains(all[0].Text, "→ PostgreSQL (Recommended)\nAda") {
			t.Errorf("the chat shows\n%s", r.telegram.Transcript(team))
		}
		dir := r.opencode.Directory()
		r.opencode.AskPermission(dir, r.opencode.NewSession(dir, "build"), leave("echo "+strings.Repeat("x", 9000)))
		r.wait(5 * time.Second)
		r.screenIn(team, "Run a command", "characters are left out here")
		r.tapIn(ada, team, "🚫 Reject")
		r.wait(5 * time.Second)
		r.screenIn(team, "Rejected by Ada")
	})
}
