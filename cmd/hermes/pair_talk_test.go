package main

import (
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

const (
	dan     = 77
	mallory = 666
	trudy   = 667
)

// inviteCrew makes a link for somebody with a role, by the HTTP interface alone.
func inviteCrew(c crew, name, role string, group bool) string {
	c.T.Helper()
	return pairingLink(c.Rig, pairOptions{Invite: api.Invite{Name: name, Roles: []string{role}, Group: group}})
}

// pairTalks are how people and groups come in, do not, and go. Ada leads, Bob develops.
func pairTalks() map[string]func(crew) {
	return map[string]func(crew){
		"pair-let-in": func(c crew) {
			c.OpenLink(dan, inviteCrew(c, "Daniel", "dev", false), 0)
			c.decides(rig.Ada, true) // she has not what she would give
			c.SayIn(rig.Bob, rig.Bob, c.InLanguage("Let in", "准许加入"), c.LastIn(rig.Bob).ID)
			c.decides(rig.Bob, true)
		},
		"pair-refused": func(c crew) {
			c.OpenLink(mallory, inviteCrew(c, "Ada L.", "lead", false), 0)
			c.OpenLink(trudy, inviteCrew(c, "Ada L.", "lead", false), 0)
			c.decides(rig.Ada, false)
			c.Wait(storage.InvitedFor)
			c.SayIn(mallory, mallory, "/start", 0)
		},
		"pair-group": func(c crew) {
			c.OpenLink(dan, inviteCrew(c, "", "ops", true), rig.Pair)
			c.decides(rig.Chen, true)
		},
		"pair-group-refused": func(c crew) {
			c.OpenLink(dan, inviteCrew(c, "", "ops", true), rig.Pair)
			c.decides(rig.Chen, false)
		},
		"pair-taken-back": func(c crew) {
			c.OpenLink(dan, inviteCrew(c, "", "dev", false), 0)
			list, err := pairThrough(c.Rig, pairOptions{list: true})
			id := strings.Fields(strings.TrimPrefix(list, "waits"))
			if err != nil || len(id) == 0 {
				c.T.Fatal(list, err)
			}
			if _, err := pairThrough(c.Rig, pairOptions{remove: id[0]}); err != nil {
				c.T.Error(err)
			}
			c.Wait(2 * time.Second)
		},
		"pair-removed": func(c crew) {
			c.OpenLink(dan, inviteCrew(c, "", "dev", false), 0)
			c.decides(rig.Bob, true)
			if _, err := pairThrough(c.Rig, pairOptions{remove: "77"}); err != nil {
				c.T.Error(err)
			}
			c.Wait(2 * time.Second)
		},
	}
}

// codeForm is the code of a link, which is another one each time.
var codeForm = regexp.MustCompile(`(/start\S*) [A-Za-z0-9_-]{32}`)

func TestPair_Conversations(t *testing.T) {
	for name, play := range pairTalks() {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { pairConverse(t, name, lang, play) })
			})
		}
	}
}

func pairConverse(t *testing.T, name, lang string, play func(crew)) {
	c := pairCrew(t, lang)
	defer c.End()
	play(c)
	var all []string
	for _, chat := range []int64{rig.Team, rig.Ada, rig.Bob, dan, mallory, trudy, rig.Pair} {
		if text := c.Telegram.History(chat); strings.TrimSpace(text) != "" {
			all = append(all, codeForm.ReplaceAllString(text, "$1 CODE"))
		}
	}
	rig.Golden(t, name+"."+lang+".txt", strings.Join(all, "\n----\n"))
}

// pairCrew is the team, of which all have started the bot, and people who are not in it.
func pairCrew(t *testing.T, lang string) crew {
	r := rig.NewStopped(t, opencode.VersionNew, func(c *config.Config) {
		c.Lang, c.TelegramChats = lang, []config.Chat{{ID: rig.Team}}
	})
	for _, u := range []telegram.User{
		{ID: rig.Chen, FirstName: "Chen"},
		{ID: dan, FirstName: "Dan", Username: "dan_k"},
		{ID: mallory, FirstName: "Ada", LastName: "Lovelace"},
		{ID: trudy, FirstName: "✅ Let in by Ada · 14:05\n"},
	} {
		u.LanguageCode = lang
		r.Telegram.AddUser(u)
	}
	r.Telegram.AddChat(telegram.Chat{ID: rig.Team, Type: telegram.Supergroup, Title: "Team", Members: []int64{rig.Ada, rig.Bob, rig.Chen}})
	r.Telegram.AddChat(telegram.Chat{ID: rig.Pair, Type: telegram.Group, Title: "Friends\nof Dan", Members: []int64{dan}})
	r.Start()
	for _, user := range []int64{rig.Ada, rig.Bob, rig.Chen} {
		r.SayIn(user, user, "/start", 0)
	}
	r.UseRules(rig.RulesOfTeam)
	return crew{Talk: rig.Talk{Rig: r, Dir: r.Opencode.Directory()}}
}

// Whoever holds the API's token, and two accounts of Telegram, gets nobody in, and no
// production command allowed: the people who lead are asked, and told of both.
func TestPair_TheAPITokenLetsNobodyIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := pairCrew(t, "en")
		defer c.End()
		for _, who := range []int64{mallory, trudy} {
			c.OpenLink(who, inviteCrew(c, "Ada L.", "lead", false), 0)
		}
		c.Session = c.Opencode.NewSession(c.Dir, "work")
		_, call := c.Opencode.AskPermission(c.Dir, c.Session, rig.BashPermission("./deploy.sh production"))
		c.Wait(5 * time.Second)
		list, _ := c.Daemon.Bridge.Admissions(t.Context())
		if len(list) != 2 {
			t.Fatalf("%d wait", len(list))
		}
		for _, who := range []int64{mallory, trudy} {
			if p := c.Pairings(); len(p.Guests) != 0 || strings.Contains(c.Telegram.History(who), "deploy") {
				t.Errorf("in are %+v:\n%s", p.Guests, c.Telegram.History(who))
			}
			for _, a := range list { // forged taps, on the message that they have, and on the other's
				card := c.LastIn(rig.Ada)
				data := strings.Replace(c.Data(card, "✅ Let in"), string(list[1].ID), string(a.ID), 1)
				rig.WantAlert(t, "a forged tap", c.ForgeTap(who, who, c.LastIn(who).ID, data), "Only people on the list can answer here")
			}
		}
		for _, a := range list {
			for _, body := range []string{`{"answers":[["let in"]]}`, `{"reject":true}`} {
				if code, text := c.Request("POST", "/v1/questions/"+string(a.ID), body); code != 403 || !strings.Contains(text, "in the chat") {
					t.Errorf("%s gave %d %s", body, code, text)
				}
			}
		}
		c.Wait(storage.InvitedFor)
		if p := c.Pairings(); len(p.Guests) != 0 {
			t.Errorf("in are %+v", p.Guests)
		}
		for _, chat := range []int64{rig.Team, rig.Ada, rig.Bob, rig.Chen} {
			if n := strings.Count(c.Telegram.Transcript(chat), "Nobody let them in in time"); n != 2 {
				t.Errorf("chat %d was told %d times:\n%s", chat, n, c.Telegram.History(chat))
			}
		}
		c.WantNoAnswer(call)
	})
}

// crew is a conversation in the team's group.
type crew struct{ rig.Talk }

// decides has somebody tap in their private chat.
func (c crew) decides(user int64, lets bool) {
	c.T.Helper()
	word := c.InLanguage("🚫 Refuse", "🚫 拒绝")
	if lets {
		word = c.InLanguage("✅ Let in", "✅ 准许加入")
	}
	c.TapIn(user, user, word)
	c.Wait(2 * time.Second)
}
