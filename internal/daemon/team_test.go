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
func crewTalks() map[string]func(rig.Crew) {
	allow, reject := [2]string{"✅ Allow once", "✅ 允许一次"}, [2]string{"🚫 Reject", "🚫 拒绝"}
	return map[string]func(rig.Crew){
		"team-two-approve": func(c rig.Crew) {
			c.Allow(rig.BashPermission("./deploy.sh production"))
			c.PressAs(rig.Bob, allow[0], allow[1])
			c.PressAs(rig.Eve, allow[0], allow[1])
			c.PressAs(rig.Ada, allow[0], allow[1])
			c.PressAs(rig.Ada, allow[0], allow[1])
			c.PressAs(rig.Chen, allow[0], allow[1])
		},
		"team-one-rejects": func(c rig.Crew) {
			c.Allow(rig.BashPermission("./deploy.sh production"))
			c.PressAs(rig.Ada, allow[0], allow[1])
			c.PressAs(rig.Chen, reject[0], reject[1])
		},
		"team-always-takes-all": func(c rig.Crew) {
			c.Allow(rig.BashPermission("./deploy.sh production"))
			c.PressAs(rig.Ada, "🔓 Always allow", "🔓 始终允许")
			c.PressAs(rig.Ada, "🔓 Always allow", "🔓 始终允许")
			c.PressAs(rig.Chen, allow[0], allow[1])
		},
		"team-one-of-two-in-time": func(c rig.Crew) {
			c.Allow(rig.BashPermission("./deploy.sh production"))
			c.PressAs(rig.Ada, allow[0], allow[1])
			c.Wait(31 * time.Minute)
		},
		"team-claimed": func(c rig.Crew) {
			c.Ask(rig.DatabaseQuestion())
			c.PressAs(rig.Bob, "🙋 Claim", "🙋 认领")
			c.PressAs(rig.Ada, "2.", "2.")
			c.SayIn(rig.Ada, rig.Team, "SQLite", c.LastIn(rig.Team).ID)
			c.PressAs(rig.Bob, "✋ Release", "✋ 放弃认领")
			c.PressAs(rig.Bob, "🙋 Claim", "🙋 认领")
			c.Wait(11 * time.Minute)
			c.PressAs(rig.Ada, "2.", "2.")
		},
		"team-nobody-answers-at-night": func(c rig.Crew) {
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

func crewConverse(t *testing.T, name, lang string, play func(rig.Crew)) {
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
	c := rig.Crew{Talk: rig.Talk{Rig: r, Dir: r.Opencode.Directory()}}
	c.Session = r.Opencode.NewSession(c.Dir, "fix checkout flow")
	play(c)
	rig.Golden(t, name+"."+lang+".txt", r.Telegram.History(rig.Team)+"\n----\n"+r.Telegram.History(rig.Chen))
}
