package daemon_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// crewTalks are what a team lives through.
func crewTalks() map[string]func(crew) {
	allow, reject := [2]string{"✅ Allow once", "✅ 允许一次"}, [2]string{"🚫 Reject", "🚫 拒绝"}
	return map[string]func(crew){
		"team-two-approve": func(c crew) {
			c.Allow(rig.BashPermission("./deploy.sh production"))
			c.pressAs(rig.Bob, allow[0], allow[1])
			c.pressAs(rig.Eve, allow[0], allow[1])
			c.pressAs(rig.Ada, allow[0], allow[1])
			c.pressAs(rig.Ada, allow[0], allow[1])
			c.pressAs(rig.Chen, allow[0], allow[1])
		},
		"team-one-rejects": func(c crew) {
			c.Allow(rig.BashPermission("./deploy.sh production"))
			c.pressAs(rig.Ada, allow[0], allow[1])
			c.pressAs(rig.Chen, reject[0], reject[1])
		},
		"team-always-takes-all": func(c crew) {
			c.Allow(rig.BashPermission("./deploy.sh production"))
			c.pressAs(rig.Ada, "🔓 Always allow", "🔓 始终允许")
			c.pressAs(rig.Ada, "🔓 Always allow", "🔓 始终允许")
			c.pressAs(rig.Chen, allow[0], allow[1])
		},
		"team-one-of-two-in-time": func(c crew) {
			c.Allow(rig.BashPermission("./deploy.sh production"))
			c.pressAs(rig.Ada, allow[0], allow[1])
			c.Wait(31 * time.Minute)
		},
		"team-claimed": func(c crew) {
			c.Ask(rig.DatabaseQuestion())
			c.pressAs(rig.Bob, "🙋 Claim", "🙋 认领")
			c.pressAs(rig.Ada, "2.", "2.")
			c.SayIn(rig.Ada, rig.Team, "SQLite", c.LastIn(rig.Team).ID)
			c.pressAs(rig.Bob, "✋ Release", "✋ 放弃认领")
			c.pressAs(rig.Bob, "🙋 Claim", "🙋 认领")
			c.Wait(11 * time.Minute)
			c.pressAs(rig.Ada, "2.", "2.")
		},
		"team-nobody-answers-at-night": func(c crew) {
			c.Session = c.Opencode.NewSession(c.Dir, "night shift")
			c.Ask(rig.DatabaseQuestion())
			c.Wait(31 * time.Minute)
		},
	}
}

func TestTeam_CrewConversations(t *testing.T) {
	for name, play := range crewTalks() {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { crewConverse(t, name, lang, play) })
			})
		}
	}
}

func crewConverse(t *testing.T, name, lang string, play func(crew)) {
	r := rig.NewStopped(t, opencode.VersionNew, func(c *config.Config) {
		c.Lang, c.TelegramChats = lang, []config.Chat{{ID: rig.Team}}
	})
	r.Telegram.AddUser(telegram.User{ID: rig.Chen, FirstName: "Chen", LanguageCode: "en"})
	r.Telegram.AddChat(telegram.Chat{
		ID: rig.Team, Type: telegram.Supergroup, Title: "Team", Members: []int64{rig.Ada, rig.Eve, rig.Chen}, Admins: []int64{rig.Bob},
	})
	r.Start()
	defer r.End()
	r.UseRules(rig.RulesOfTeam)
	r.SayIn(rig.Chen, rig.Chen, "/start", 0)
	c := crew{Talk: rig.Talk{Rig: r, Dir: r.Opencode.Directory()}}
	c.Session = r.Opencode.NewSession(c.Dir, "fix checkout flow")
	play(c)
	rig.Golden(t, name+"."+lang+".txt", r.Telegram.History(rig.Team)+"\n----\n"+r.Telegram.History(rig.Chen))
}

// crew is a conversation in the team's group.
type crew struct{ rig.Talk }

// pressAs is a tap of a person's in the group, on the newest message with buttons.
func (c crew) pressAs(user int64, english, chinese string) {
	c.T.Helper()
	c.TapIn(user, rig.Team, c.InLanguage(english, chinese))
	c.Wait(2 * time.Second)
}
