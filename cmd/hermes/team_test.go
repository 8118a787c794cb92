package main

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/policy"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

const chen = 345

// rulesOfTeam: Ada leads, Bob develops, Chen operates, Eve reads along.
const rulesOfTeam = `
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

// crew is a conversation in the team's group.
type crew struct{ talk }

func (c crew) by(user int64, english, chinese string) {
	c.t.Helper()
	if _, err := c.telegram.Tap(user, team, c.card().ID, c.word(english, chinese)); err != nil {
		c.t.Fatal(err)
	}
	c.wait(2 * time.Second)
}

// card is the newest message with buttons.
func (c crew) card() telegram.Message {
	c.t.Helper()
	for _, m := range slices.Backward(c.telegram.Messages(team)) {
		if len(m.Rows) > 0 {
			return m
		}
	}
	c.t.Fatal("no message has buttons:\n" + c.telegram.History(team))
	return telegram.Message{}
}

// crewTalks are what a team lives through.
func crewTalks() map[string]func(crew) {
	allow, reject := [2]string{"✅ Allow once", "✅ 允许一次"}, [2]string{"🚫 Reject", "🚫 拒绝"}
	return map[string]func(crew){
		"team-two-approve": func(c crew) {
			c.allow(leave("./deploy.sh production"))
			c.by(bob, allow[0], allow[1])
			c.by(eve, allow[0], allow[1])
			c.by(ada, allow[0], allow[1])
			c.by(ada, allow[0], allow[1])
			c.by(chen, allow[0], allow[1])
		},
		"team-one-rejects": func(c crew) {
			c.allow(leave("./deploy.sh production"))
			c.by(ada, allow[0], allow[1])
			c.by(chen, reject[0], reject[1])
		},
		"team-always-takes-all": func(c crew) {
			c.allow(leave("./deploy.sh production"))
			c.by(ada, "♾ Always allow", "♾ 始终允许")
			c.by(ada, "♾ Always allow", "♾ 始终允许")
			c.by(chen, allow[0], allow[1])
		},
		"team-one-of-two-in-time": func(c crew) {
			c.allow(leave("./deploy.sh production"))
			c.by(ada, allow[0], allow[1])
			c.wait(31 * time.Minute)
		},
		"team-claimed": func(c crew) {
			c.ask(database())
			c.by(bob, "🙋 Claim", "🙋 认领")
			c.by(ada, "2.", "2.")
			c.sayIn(ada, team, "SQLite", c.lastIn(team).ID)
			c.by(bob, "✋ Release", "✋ 放弃认领")
			c.by(bob, "🙋 Claim", "🙋 认领")
			c.wait(11 * time.Minute)
			c.by(ada, "2.", "2.")
		},
		"team-nobody-answers-at-night": func(c crew) {
			c.session = c.opencode.NewSession(c.dir, "night shift")
			c.ask(database())
			c.wait(31 * time.Minute)
		},
	}
}

func TestCrewConversations(t *testing.T) {
	for name, play := range crewTalks() {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { crewConverse(t, name, lang, play) })
			})
		}
	}
}

func crewConverse(t *testing.T, name, lang string, play func(crew)) {
	r := makeRig(t, opencode.VersionNew, func(c *config) {
		c.Lang, c.TelegramChats = lang, []chat{{ID: team}}
	})
	r.telegram.AddUser(telegram.User{ID: chen, FirstName: "Chen", LanguageCode: "en"})
	r.telegram.AddChat(telegram.Chat{
		ID: team, Type: telegram.Supergroup, Title: "Team", Members: []int64{ada, eve, chen}, Admins: []int64{bob},
	})
	r.start()
	defer r.end()
	r.follow(rulesOfTeam)
	r.sayIn(chen, chen, "/start", 0)
	c := crew{talk: talk{rig: r, dir: r.opencode.Directory()}}
	c.session = r.opencode.NewSession(c.dir, "fix checkout flow")
	play(c)
	golden(t, name+"."+lang+".txt", r.telegram.History(team)+"\n----\n"+r.telegram.History(chen))
}

// follow makes the running hermes keep these rules.
func (r *rig) follow(rules string) {
	r.t.Helper()
	book, err := policy.Parse("rules.toml", []byte(rules))
	if err != nil {
		r.t.Fatal(err)
	}
	var targets []policy.Target
	for _, c := range r.config.TelegramChats {
		targets = append(targets, policy.Target{Chat: c.ID, Topic: c.Topic})
	}
	book = book.WithDefault(targets...)
	if err := r.daemon.bridge.SetRules(r.t.Context(), book); err != nil {
		r.t.Fatal(err)
	}
	r.daemon.reloading.Lock()
	defer r.daemon.reloading.Unlock()
	r.daemon.rules = book
}
