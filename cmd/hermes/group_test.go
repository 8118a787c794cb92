package main

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

const (
	team  = -1001234567890 // a supergroup
	pair  = -77            // a basic group
	crier = -1009999999999 // a channel
)

// in configures where questions go.
func in(chats ...chat) func(*config) {
	return func(c *config) { c.TelegramChats = chats }
}

func (r *rig) addTeam(forum bool) {
	r.telegram.AddChat(telegram.Chat{
		ID: team, Type: telegram.Supergroup, Title: "Team", Forum: forum, Members: []int64{ada, eve}, Admins: []int64{bob},
	})
}

func TestGroup(t *testing.T) {
	play(t, in(chat{ID: team}), func(r *rig) {
		r.addTeam(false)
		r.telegram.AddUser(telegram.User{ID: 99, IsBot: true, FirstName: "Robot"})
		if err := r.telegram.Join(99, team); err != nil {
			t.Fatal(err)
		}
		r.telegram.AddChat(telegram.Chat{ID: crier, Type: telegram.Channel, Title: "News"})
		_, call := r.ask(database())
		card := r.lastIn(team)
		wantAlert(t, "a stranger's tap", r.forge(eve, team, card.ID, r.data(card, "1.")), saysEve)
		r.sayIn(eve, team, "1", card.ID)
		r.sayIn(bob, team, "1", card.ID, telegram.Anonymously())
		r.sayIn(bob, team, "1", card.ID, telegram.AsChannel(crier))
		r.sayIn(99, team, "1", card.ID)
		r.sayIn(ada, team, "1", 0) // hidden by privacy mode
		r.unanswered(call)
		if note := r.lastIn(team); !strings.Contains(note.Text, "Nobody can tell whose answer this is") || fromBot(r.telegram.Messages(team)) != 2 {
			t.Errorf("the anonymous were not told once:\n%s", r.telegram.History(team))
		}
		if now := r.telegram.Messages(team)[0]; now.ID != card.ID || now.Text != card.Text {
			t.Errorf("somebody who may not answer changed the chat:\n%s", r.telegram.History(team))
		}
		r.sayIn(bob, team, "2", card.ID)
		r.wait(2 * time.Second)
		r.got(call, []string{"PostgreSQL (Recommended)"})
		if now := r.telegram.Messages(team)[0]; !strings.Contains(now.Text, "→ PostgreSQL (Recommended)\nBob") {
			t.Errorf("the end reads\n%s", now.Text)
		}
		r.refused("stranger")
	})
}

// Ada allows and Bob rejects in the same moment. The first tap counts, the agent gets
// just that, and the other one is told.
func TestAllowAndRejectAtTheSameMoment(t *testing.T) {
	for _, first := range []struct{ adas, bobs, reply, end string }{
		{"✅ Allow once", "🚫 Reject", "once", "Allowed once by Ada"},
		{"🚫 Reject", "✅ Allow once", "reject", "Rejected by Ada"},
	} {
		play(t, in(chat{ID: team}), func(r *rig) {
			r.addTeam(false)
			dir := r.opencode.Directory()
			_, call := r.opencode.AskBash(dir, r.opencode.NewSession(dir, "fix checkout flow"), "rm -rf build")
			r.wait(5 * time.Second)
			card := r.lastIn(team).ID
			if _, err := r.telegram.Tap(ada, team, card, first.adas); err != nil {
				t.Fatal(err)
			}
			second, err := r.telegram.Tap(bob, team, card, first.bobs)
			if err != nil {
				t.Fatal(err)
			}
			r.wait(10 * time.Second)
			r.got(call, []string{first.reply})
			r.screenIn(team, first.end)
			if r.alert(second) == "" {
				t.Error("Bob's tap was acknowledged as if it counted")
			}
			if n := len(r.journal(question.EntryAnswered)); n != 1 {
				t.Errorf("%d decisions are recorded", n)
			}
		})
	}
}

// As an administrator the bot sees everything that is said, and answers none of it.
func TestGroupWithoutPrivacy(t *testing.T) {
	play(t, in(chat{ID: team}), func(r *rig) {
		r.addTeam(false)
		if err := r.telegram.Promote(bob, team); err != nil {
			t.Fatal(err)
		}
		r.sayIn(ada, team, "morning", 0)
		_, call := r.ask(projectName())
		card := r.lastIn(team)
		mine, err := r.telegram.Say(ada, team, "what is this?")
		if err != nil {
			t.Fatal(err)
		}
		r.sayIn(bob, team, "no idea", mine)
		r.unanswered(call)
		if now := r.lastIn(team); now.ID != card.ID || now.Text != card.Text {
			t.Errorf("talk was taken for more:\n%s", r.telegram.History(team))
		}
		r.sayIn(ada, team, "The Bridge", card.ID)
		r.wait(2 * time.Second)
		r.got(call, []string{"The Bridge"})
	})
}

func TestForumTopic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := makeRig(t, opencode.VersionNew, nil)
		r.addTeam(true)
		topic := r.telegram.AddTopic(team, "Agents")
		r.config.TelegramChats = []chat{{ID: team, Topic: topic}}
		r.start()
		defer r.end()
		_, call := r.ask(projectName())
		card := r.lastIn(team)
		if card.Topic != topic {
			t.Errorf("the question is in topic %d", card.Topic)
		}
		r.sayIn(ada, team, "The Bridge", 0, telegram.InTopic(topic))
		r.unanswered(call)
		r.tapIn(ada, team, "✏️")
		r.wait(2 * time.Second)
		r.sayIn(ada, team, "The Bridge", card.ID, telegram.InTopic(topic))
		r.wait(2 * time.Second)
		r.got(call, []string{"The Bridge"})
		r.sayIn(ada, team, "or not", card.ID, telegram.InTopic(topic))
		if late := r.lastIn(team); late.Topic != topic || !strings.Contains(late.Text, "Already answered") {
			t.Errorf("the late text got %q in topic %d", late.Text, late.Topic)
		}
		r.telegram.DeleteTopic(team, topic)
		r.ask(projectName())
		if e := r.journal(question.EntryFailed); len(e) != 1 || e[0].Detail != "topic-gone" {
			t.Errorf("the journal says %+v", e)
		}
	})
}

// The group becomes a supergroup while a question is open: its messages stay
// behind, and nobody can tap them.
func TestGroupBecomesSupergroup(t *testing.T) {
	for name, down := range map[string]bool{"told": false, "while hermes is down": true} {
		t.Run(name, func(t *testing.T) {
			play(t, in(chat{ID: pair}), func(r *rig) {
				r.telegram.AddChat(telegram.Chat{ID: pair, Type: telegram.Group, Title: "Pair", Members: []int64{ada, bob}})
				_, call := r.ask(closed(), closed())
				r.tapIn(ada, pair, "2.")
				r.wait(2 * time.Second)
				if down {
					r.halt()
				}
				after, err := r.telegram.Upgrade(ada, pair)
				if err != nil {
					t.Fatal(err)
				}
				if down {
					r.start()
				}
				r.wait(10 * time.Second)
				r.screenIn(after, "2 of 2", "✓ Database: PostgreSQL (Recommended)")
				r.tapIn(bob, after, "1.")
				r.wait(2 * time.Second)
				r.tapIn(bob, after, "✅ Send")
				r.wait(2 * time.Second)
				r.got(call, []string{"PostgreSQL (Recommended)"}, []string{"SQLite"})
				r.halt()
				r.start()
				_, call = r.ask(database())
				r.tapIn(ada, after, "1.")
				r.wait(2 * time.Second)
				r.got(call, []string{"SQLite"})
			})
		})
	}
}

func TestBlockedAndUnblocked(t *testing.T) {
	play(t, nil, func(r *rig) {
		if err := r.telegram.Block(ada); err != nil {
			t.Fatal(err)
		}
		_, call := r.ask(database())
		r.wait(time.Minute)
		if e := r.journal(question.EntryFailed); len(e) != 1 || e[0].Detail != "blocked" {
			t.Errorf("the journal says %+v", e)
		}
		if n := r.telegram.Count("sendMessage"); n > 2 {
			t.Errorf("%d messages were sent to somebody who blocked the bot", n)
		}
		if err := r.telegram.Unblock(ada); err != nil {
			t.Fatal(err)
		}
		r.wait(2 * time.Second)
		r.tap("1.")
		r.wait(2 * time.Second)
		r.got(call, []string{"SQLite"})
	})
}

// Blocked with a question open: it can be answered elsewhere, and the chat is
// brought up to date when that is possible again.
func TestBlockedMeanwhile(t *testing.T) {
	play(t, nil, func(r *rig) {
		request, _ := r.ask(database())
		if err := r.telegram.Block(ada); err != nil {
			t.Fatal(err)
		}
		r.wait(2 * time.Second)
		r.opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
		r.wait(time.Minute)
		if list := r.listed(); len(list) != 0 {
			t.Errorf("still open: %+v", list)
		}
		if err := r.telegram.Unblock(ada); err != nil {
			t.Fatal(err)
		}
		r.wait(time.Minute)
		r.screen("✅", "answered in OpenCode")
		if asks := strings.Count(r.telegram.Transcript(ada), "❓"); asks != 0 {
			t.Errorf("%d messages still ask:\n%s", asks, r.telegram.History(ada))
		}
	})
}

func TestTwoChats(t *testing.T) {
	play(t, in(chat{ID: ada}, chat{ID: bob}), func(r *rig) {
		r.sayIn(bob, bob, "/start", 0)
		_, call := r.ask(database())
		mine, his := r.last(), r.lastIn(bob)
		r.opencode.SetFault(func(*http.Request) opencode.Fault { return opencode.FailBeforeEffect })
		first, err := r.telegram.Tap(ada, ada, mine.ID, "1.")
		if err != nil {
			t.Fatal(err)
		}
		second, err := r.telegram.Tap(bob, bob, his.ID, "2.")
		if err != nil {
			t.Fatal(err)
		}
		r.wait(3 * time.Second)
		r.opencode.SetFault(nil)
		r.wait(time.Minute)
		r.got(call, []string{"SQLite"})
		wantAlert(t, "the first", r.alert(first), "")
		wantAlert(t, "the second", r.alert(second), "Chosen already, and on its way: SQLite (Ada, 00:00)")
		for _, chat := range []int64{ada, bob} {
			r.screenIn(chat, "✅", "→ SQLite", "Ada")
		}
		r.refused("decided")
	})
}

// Steps of one conversation can be taken in either chat.
func TestTwoChatsTakeTurns(t *testing.T) {
	play(t, in(chat{ID: ada}, chat{ID: bob}), func(r *rig) {
		r.sayIn(bob, bob, "/start", 0)
		_, call := r.ask(database(), languages())
		r.tapIn(ada, ada, "2.")
		r.wait(2 * time.Second)
		r.tapIn(bob, bob, "☐ 3.")
		r.wait(2 * time.Second)
		r.tapIn(ada, ada, "Next")
		r.wait(2 * time.Second)
		r.tapIn(bob, bob, "✅ Send")
		r.wait(2 * time.Second)
		r.got(call, []string{"PostgreSQL (Recommended)"}, []string{"Zig"})
		r.screenIn(ada, "Bob")
		r.screenIn(bob, "Bob")
	})
}

func fromBot(all []telegram.Message) int {
	n := 0
	for _, m := range all {
		if m.FromBot {
			n++
		}
	}
	return n
}
