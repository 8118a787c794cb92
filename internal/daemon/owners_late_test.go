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

// lateRules show the team what Bob's agent asks, for those who lead; who develops or operates drives sessions, and does not answer.
const lateRules = rig.PeopleOfTeam + `
[remote]
roles = ["dev", "ops", "lead"]

[[rule]]
name       = "questions"
ask        = "question"
chats      = [-1001234567890]
roles      = ["lead"]
timeout    = "1m"
on_timeout = "reject"
`

// What an owner's agent has asked the team takes a late answer there from nobody, as it takes no prompt, and the card promises none.
func TestOwners_NoLateAnswersInTheTeam(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.OpenCodeURLs = nil }, func(r *rig.Rig) {
		r.Telegram.AddChat(telegram.Chat{ID: rig.Team, Type: telegram.Supergroup, Title: "Team", Members: []int64{rig.Ada}, Admins: []int64{rig.Bob}})
		r.UseRules(lateRules)
		p := r.ConnectPluginTo("laptop-7", r.Opencode, r.Opencode.Directory())
		defer p.Disconnect()
		r.GiveLink("laptop-7", rig.Bob)
		r.Ask(rig.DatabaseQuestion())
		r.Wait(2 * time.Minute)
		card := r.LastIn(rig.Team)
		r.SayIn(rig.Ada, rig.Team, "SQLite", card.ID)
		r.Wait(30 * time.Second)
		text := r.Telegram.History(rig.Team)
		if len(r.Journal(storage.EntryPrompted)) != 0 || !strings.Contains(text, "on another person's machine") || strings.Contains(text, "send an answer as a prompt") {
			t.Errorf("the team chat:\n%s", text)
		}
	})
}
