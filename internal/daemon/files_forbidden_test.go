package daemon_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// A group that forbids files gets a long question and a long command, which are answered there as everywhere else, also
// by a hermes that was started again meanwhile.
func TestFiles_GroupThatForbidsFiles(t *testing.T) {
	rig.Play(t, in(config.Chat{ID: rig.Team}), func(r *rig.Rig) {
		r.AddTeam(false)
		if err := r.Telegram.Restrict(rig.Bob, rig.Team, telegram.SendDocuments); err != nil { // the bot alone
			t.Fatal(err)
		}
		long := rig.DatabaseQuestion()
		long.Question = "Which? " + strings.Repeat("a long text ", 4000)
		_, call := r.Ask(long)
		card := r.LastIn(rig.Team)
		if !strings.Contains(card.Text, "this chat does not accept files from bots") || len(card.Rows) == 0 {
			t.Fatalf("the chat shows\n%s\n%s", r.Telegram.Transcript(rig.Team), r.Log.String())
		}
		r.Halt()
		r.Start()
		r.TapIn(rig.Ada, rig.Team, "✏️ Type an answer")
		r.Wait(5 * time.Second)
		if now := r.Telegram.Messages(rig.Team)[0]; now.Edits != 1 || !strings.Contains(now.Text, "this chat does not accept files from bots") {
			t.Errorf("after a restart the card says\n%s", now.Text)
		}
		r.TapIn(rig.Ada, rig.Team, "◀ Back")
		r.Wait(5 * time.Second)
		r.TapIn(rig.Ada, rig.Team, "2.")
		r.Wait(5 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		all := r.Telegram.Messages(rig.Team)
		if len(all) != 2 || !all[1].Deleted || !strings.Contains(all[0].Text, "→ PostgreSQL (Recommended)\nAda") {
			t.Errorf("the chat shows\n%s", r.Telegram.Transcript(rig.Team))
		}
		dir := r.Opencode.Directory()
		r.Opencode.AskPermission(dir, r.Opencode.NewSession(dir, "build"), rig.BashPermission("echo "+strings.Repeat("x", 9000)))
		r.Wait(5 * time.Second)
		r.WantScreenIn(rig.Team, "Run a command", "characters are left out here")
		r.TapIn(rig.Ada, rig.Team, "🚫 Reject")
		r.Wait(5 * time.Second)
		r.WantScreenIn(rig.Team, "Rejected by Ada")
	})
}
