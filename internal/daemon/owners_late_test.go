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

// What an owner's agent has asked the team takes a late answer there from those who may answer it, and from nobody else, by text and by tap.
func TestOwners_LateAnswersInTheTeam(t *testing.T) {
	answers := map[string]func(r *rig.Rig, card telegram.Message, who int64){
		"a reply": func(r *rig.Rig, card telegram.Message, who int64) { r.SayIn(who, rig.Team, "SQLite", card.ID) },
		"taps": func(r *rig.Rig, card telegram.Message, who int64) {
			r.ForgeTap(who, rig.Team, card.ID, r.Data(card, "📨"))
			r.Wait(3 * time.Second)
			offer := r.LastIn(rig.Team)
			r.ForgeTap(who, rig.Team, offer.ID, r.Data(offer, "1. SQLite"))
		},
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, func(c *config.Config) { c.OpenCodeURLs = nil }, func(r *rig.Rig) {
				r.Telegram.AddUser(telegram.User{ID: rig.Chen, FirstName: "Chen", LanguageCode: "en"})
				r.Telegram.AddChat(telegram.Chat{ID: rig.Team, Type: telegram.Supergroup, Title: "Team", Members: []int64{rig.Ada, rig.Chen}, Admins: []int64{rig.Bob}})
				r.UseRules(lateRules)
				p := r.ConnectPluginTo("laptop-7", r.Opencode, r.Opencode.Directory())
				defer p.Disconnect()
				r.GiveLink("laptop-7", rig.Bob)
				r.Ask(rig.DatabaseQuestion())
				r.Wait(2 * time.Minute)
				r.WantScreenIn(rig.Team, "Which database", "Nobody answered")
				card := r.LastIn(rig.Team)
				answer(r, card, rig.Chen)
				r.Wait(5 * time.Second)
				if n := len(r.Journal(storage.EntryPrompted)); n != 0 {
					t.Errorf("Chen's late answer is taken:\n%s", r.Telegram.History(rig.Team))
				}
				if e := r.Journal(storage.EntryRefused); len(e) != 1 || e[0].Detail != "not-asked" || int64(e[0].By.User) != rig.Chen {
					t.Errorf("the journal has %+v", e)
				}
				answer(r, card, rig.Ada)
				r.Wait(30 * time.Second)
				if e := r.Journal(storage.EntryPrompted); len(e) != 1 || int64(e[0].By.User) != rig.Ada || !strings.Contains(e[0].Note, "SQLite") {
					t.Errorf("the journal has %+v:\n%s", e, r.Telegram.History(rig.Team))
				}
				if e := r.Journal(storage.EntryCarried); len(e) != 1 || e[0].Detail != "taken" {
					t.Errorf("it ended as %+v:\n%s", e, r.Telegram.History(rig.Team))
				}
			})
		})
	}
}
