package rig

import (
	"slices"
	"time"

	"hermes/internal/policy"
	telegram "hermes/internal/simulate/telegramsim"
)

// Chen is the third of the team, beside Ada and Bob.
const Chen = 345

// PeopleOfTeam: Ada leads, Bob develops, Chen operates, Eve reads along.
const PeopleOfTeam = `
[[person]]
id    = 42
name  = "Ada"
roles = ["lead"]
[[person]]
id    = 43
name  = "Bob"
roles = ["dev"]
[[person]]
id    = 345
name  = "Chen"
roles = ["ops"]
[[person]]
id    = 66
name  = "Eve"
`

// RulesOfTeam are those of a team that deploys by two, sleeps at night and claims questions.
const RulesOfTeam = PeopleOfTeam + `
[[rule]]
name       = "deploys"
permission = "bash"
pattern    = "*deploy*"
roles      = ["lead", "ops"]
approvals  = 2
[[rule]]
name       = "night"
ask        = "question"
session    = "night shift"
quiet      = "22:00-07:00"
quiet_zone = "UTC"
escalate   = [{ after = "20m", chats = [345] }]
[[rule]]
name            = "questions"
ask             = "question"
claim           = "10m"
claim_exclusive = true
`

// Crew is a conversation in the team's group.
type Crew struct{ Talk }

// PressAs is a tap of a person's in the group, on the newest message with buttons.
func (c Crew) PressAs(user int64, english, chinese string) {
	c.T.Helper()
	if _, err := c.Telegram.Tap(user, Team, c.card().ID, c.InLanguage(english, chinese)); err != nil {
		c.T.Fatal(err)
	}
	c.Wait(2 * time.Second)
}

// card is the newest message with buttons.
func (c Crew) card() telegram.Message {
	c.T.Helper()
	for _, m := range slices.Backward(c.Telegram.Messages(Team)) {
		if len(m.Rows) > 0 {
			return m
		}
	}
	c.T.Fatal("no message has buttons:\n" + c.Telegram.History(Team))
	return telegram.Message{}
}

// UseRules makes the running hermes keep these rules.
func (r *Rig) UseRules(rules string) {
	r.T.Helper()
	book, err := policy.Parse("rules.toml", []byte(rules))
	if err != nil {
		r.T.Fatal(err)
	}
	var targets []policy.Target
	for _, c := range r.Config.TelegramChats {
		targets = append(targets, policy.Target{Chat: c.ID, Topic: c.Topic})
	}
	book = book.WithDefault(targets...)
	if _, err := r.Daemon.Rules.Replace(r.T.Context(), book); err != nil {
		r.T.Fatal(err)
	}
}
