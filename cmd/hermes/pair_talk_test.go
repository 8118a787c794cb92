package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

const (
	dan     = 77
	mallory = 666
	trudy   = 667
)

// inviteCrew makes a link for somebody with a role, by the HTTP interface alone.
func inviteCrew(c crew, name, role string, group bool) string {
	c.t.Helper()
	return pairingLink(c.rig, pairOptions{apiInvite: apiInvite{Name: name, Roles: []string{role}, Group: group}})
}

// decides has somebody tap in their private chat.
func (c crew) decides(user int64, lets bool) {
	c.t.Helper()
	word := c.word("🚫 Refuse", "🚫 拒绝")
	if lets {
		word = c.word("✅ Let in", "✅ 准许加入")
	}
	for _, m := range slices.Backward(c.telegram.Messages(user)) {
		if len(m.Rows) > 0 {
			if _, err := c.telegram.Tap(user, user, m.ID, word); err != nil {
				c.t.Fatal(err)
			}
			break
		}
	}
	c.wait(2 * time.Second)
}

// pairTalks are how people and groups come in, do not, and go. Ada leads, Bob develops.
func pairTalks() map[string]func(crew) {
	return map[string]func(crew){
		"pair-let-in": func(c crew) {
			c.openLink(dan, inviteCrew(c, "Daniel", "dev", false), 0)
			c.decides(ada, true) // she has not what she would give
			c.sayIn(bob, bob, c.word("Let in", "准许加入"), c.lastIn(bob).ID)
			c.decides(bob, true)
		},
		"pair-refused": func(c crew) {
			c.openLink(mallory, inviteCrew(c, "Ada L.", "lead", false), 0)
			c.openLink(trudy, inviteCrew(c, "Ada L.", "lead", false), 0)
			c.decides(ada, false)
			c.wait(question.InvitedFor)
			c.sayIn(mallory, mallory, "/start", 0)
		},
		"pair-group": func(c crew) {
			c.openLink(dan, inviteCrew(c, "", "ops", true), pair)
			c.decides(chen, true)
		},
		"pair-group-refused": func(c crew) {
			c.openLink(dan, inviteCrew(c, "", "ops", true), pair)
			c.decides(chen, false)
		},
		"pair-taken-back": func(c crew) {
			c.openLink(dan, inviteCrew(c, "", "dev", false), 0)
			list, err := pairThrough(c.rig, pairOptions{list: true})
			id := strings.Fields(strings.TrimPrefix(list, "waits"))
			if err != nil || len(id) == 0 {
				c.t.Fatal(list, err)
			}
			if _, err := pairThrough(c.rig, pairOptions{remove: id[0]}); err != nil {
				c.t.Error(err)
			}
			c.wait(2 * time.Second)
		},
		"pair-removed": func(c crew) {
			c.openLink(dan, inviteCrew(c, "", "dev", false), 0)
			c.decides(bob, true)
			if _, err := pairThrough(c.rig, pairOptions{remove: "77"}); err != nil {
				c.t.Error(err)
			}
			c.wait(2 * time.Second)
		},
	}
}

// codeForm is the code of a link, which is another one each time.
var codeForm = regexp.MustCompile(`(/start\S*) [A-Za-z0-9_-]{32}`)

func TestPairConversations(t *testing.T) {
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
	defer c.end()
	play(c)
	var all []string
	for _, chat := range []int64{team, ada, bob, dan, mallory, trudy, pair} {
		if text := c.telegram.History(chat); strings.TrimSpace(text) != "" {
			all = append(all, codeForm.ReplaceAllString(text, "$1 CODE"))
		}
	}
	golden(t, name+"."+lang+".txt", strings.Join(all, "\n----\n"))
}

// pairCrew is the team, of which all have started the bot, and people who are not in it.
func pairCrew(t *testing.T, lang string) crew {
	r := makeRig(t, opencode.VersionNew, func(c *config) {
		c.Lang, c.TelegramChats = lang, []chat{{ID: team}}
	})
	for _, u := range []telegram.User{
		{ID: chen, FirstName: "Chen"},
		{ID: dan, FirstName: "Dan", Username: "dan_k"},
		{ID: mallory, FirstName: "Ada", LastName: "Lovelace"},
		{ID: trudy, FirstName: "✅ Let in by Ada · 14:05\n"},
	} {
		u.LanguageCode = lang
		r.telegram.AddUser(u)
	}
	r.telegram.AddChat(telegram.Chat{ID: team, Type: telegram.Supergroup, Title: "Team", Members: []int64{ada, bob, chen}})
	r.telegram.AddChat(telegram.Chat{ID: pair, Type: telegram.Group, Title: "Friends\nof Dan", Members: []int64{dan}})
	r.start()
	for _, user := range []int64{ada, bob, chen} {
		r.sayIn(user, user, "/start", 0)
	}
	r.follow(rulesOfTeam)
	return crew{talk: talk{rig: r, dir: r.opencode.Directory()}}
}

// Whoever holds the API's token, and two accounts of Telegram, gets nobody in, and no
// production command allowed: the people who lead are asked, and told of both.
func TestTheAPITokenLetsNobodyIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := pairCrew(t, "en")
		defer c.end()
		for _, who := range []int64{mallory, trudy} {
			c.openLink(who, inviteCrew(c, "Ada L.", "lead", false), 0)
		}
		c.session = c.opencode.NewSession(c.dir, "work")
		_, call := c.opencode.AskPermission(c.dir, c.session, leave("./deploy.sh production"))
		c.wait(5 * time.Second)
		list, _ := c.daemon.bridge.Admissions(t.Context())
		if len(list) != 2 {
			t.Fatalf("%d wait", len(list))
		}
		for _, who := range []int64{mallory, trudy} {
			if p := c.pairings(); len(p.Guests) != 0 || strings.Contains(c.telegram.History(who), "deploy") {
				t.Errorf("in are %+v:\n%s", p.Guests, c.telegram.History(who))
			}
			for _, a := range list { // forged taps, on the message that they have, and on the other's
				card := c.lastIn(ada)
				data := strings.Replace(c.data(card, "✅ Let in"), string(list[1].ID), string(a.ID), 1)
				wantAlert(t, "a forged tap", c.forge(who, who, c.lastIn(who).ID, data), "Only people on the list can answer here")
			}
		}
		for _, a := range list {
			for _, body := range []string{`{"answers":[["let in"]]}`, `{"reject":true}`} {
				if code, text := c.request("POST", "/v1/questions/"+string(a.ID), body); code != 403 || !strings.Contains(text, "in the chat") {
					t.Errorf("%s gave %d %s", body, code, text)
				}
			}
		}
		c.wait(question.InvitedFor)
		if p := c.pairings(); len(p.Guests) != 0 {
			t.Errorf("in are %+v", p.Guests)
		}
		for _, chat := range []int64{team, ada, bob, chen} {
			if n := strings.Count(c.telegram.Transcript(chat), "Nobody let them in in time"); n != 2 {
				t.Errorf("chat %d was told %d times:\n%s", chat, n, c.telegram.History(chat))
			}
		}
		c.unanswered(call)
	})
}
