package daemon_test

import (
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

// bigIDs are where an account may be after years: Bot API's message_id is an Integer, which fits 53 bits (Bot API, "Making requests").
var bigIDs = map[string]int{"at 31 bits": 1<<31 - 2, "at 32 bits": 1<<32 - 2, "at 53 bits": 1<<53 - 100}

// Messages with ids beyond 31 bits are shown, tapped, replied to, corrected at a restart and told their end as any others.
func TestMessageIDs_Big(t *testing.T) {
	for name, id := range bigIDs {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, func(c *config.Config) { c.TurnAfter = 0 }, func(r *rig.Rig) {
				if err := r.Telegram.JumpMessageID(id); err != nil {
					t.Fatal(err)
				}
				_, tapped := r.Ask(rig.DatabaseQuestion())
				_, typed := r.Ask(rig.ProjectNameQuestion())
				asks := r.Last().ID
				r.Halt()
				r.Start()
				r.Say("The Bridge", asks)
				r.Tap("2.")
				r.Wait(time.Minute)
				r.WantAnswers(tapped, []string{"PostgreSQL (Recommended)"})
				r.WantAnswers(typed, []string{"The Bridge"})
				for _, m := range r.Telegram.Messages(rig.Ada) {
					if len(m.Rows) > 0 {
						t.Errorf("message %d still asks:\n%s", m.ID, m.Text)
					}
				}
				if n := len(r.Journal(storage.EntryAnswered)); n != 2 || asks < id {
					t.Errorf("%d answers were taken, at message %d", n, asks)
				}
				if err := r.Daemon.Store.Verify(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
