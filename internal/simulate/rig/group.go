package rig

import (
	"strings"
	"time"

	"hermes/internal/policy"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

const (
	Team = -1001234567890 // a supergroup
	Pair = -77            // a basic group
)

// AddTeam makes the supergroup Team with Ada, Bob and Eve in it.
func (r *Rig) AddTeam(forum bool) {
	r.Telegram.AddChat(telegram.Chat{
		ID: Team, Type: telegram.Supergroup, Title: "Team", Forum: forum, Members: []int64{Ada, Eve}, Admins: []int64{Bob},
	})
}

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

// TeamRules are Ada, who leads, and Bob, who does not; what is asked goes to the team.
const TeamRules = `[[person]]
id = 42
name = "Ada"
roles = ["lead"]

[[person]]
id = 43
name = "Bob"
roles = ["dev"]

[[rule]]
name = "leads"
roles = ["lead"]
chats = [-1001234567890]
`

// WrongRules have a mistake on line 9 and one on line 13.
var WrongRules = strings.NewReplacer(`["dev"]`, `[]`, `-1001234567890`, `"team"`).Replace(TeamRules)

// OpenLink has somebody open a link; group is 0 for one of the private chat.
func (r *Rig) OpenLink(user int64, link string, group int64) {
	r.T.Helper()
	if _, err := r.Telegram.OpenLink(user, link, group); err != nil {
		r.T.Fatal(err)
	}
	r.Wait(2 * time.Second)
}

// Pairings is what the store has of people and groups that were let in.
func (r *Rig) Pairings() storage.Pairings {
	r.T.Helper()
	p, err := r.Daemon.Store.Pairings()
	if err != nil {
		r.T.Fatal(err)
	}
	return p
}

// MessagesTo is all that the bot wrote into a chat.
func (r *Rig) MessagesTo(chat int64) []string {
	var list []string
	for _, m := range r.Telegram.Messages(chat) {
		if m.FromBot {
			list = append(list, m.Text)
		}
	}
	return list
}

// AddForum makes the team's group a forum where the bot may manage topics.
func (r *Rig) AddForum() {
	r.Telegram.AddChat(telegram.Chat{
		ID: Team, Type: telegram.Supergroup, Title: "Team", Forum: true, Members: []int64{Ada, Eve}, Admins: []int64{Bob},
		BotAdmin: true, ManageTopics: true,
	})
}
