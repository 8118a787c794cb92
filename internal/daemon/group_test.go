package daemon_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// in configures where questions go.
func in(chats ...config.Chat) func(*config.Config) {
	return func(c *config.Config) { c.TelegramChats = chats }
}

func TestGroups(t *testing.T) {
	rig.Play(t, in(config.Chat{ID: rig.Team}), func(r *rig.Rig) {
		r.AddTeam(false)
		r.Telegram.AddUser(telegram.User{ID: 99, IsBot: true, FirstName: "Robot"})
		if err := r.Telegram.Join(99, rig.Team); err != nil {
			t.Fatal(err)
		}
		r.Telegram.AddChat(telegram.Chat{ID: rig.Crier, Type: telegram.Channel, Title: "News"})
		_, call := r.Ask(rig.DatabaseQuestion())
		card := r.LastIn(rig.Team)
		rig.WantAlert(t, "a stranger's tap", r.ForgeTap(rig.Eve, rig.Team, card.ID, r.Data(card, "1.")), rig.SaysEve)
		r.SayIn(rig.Eve, rig.Team, "1", card.ID)
		r.SayIn(rig.Bob, rig.Team, "1", card.ID, telegram.Anonymously())
		r.SayIn(rig.Bob, rig.Team, "1", card.ID, telegram.AsChannel(rig.Crier))
		r.SayIn(99, rig.Team, "1", card.ID)
		r.SayIn(rig.Ada, rig.Team, "1", 0) // hidden by privacy mode
		r.WantNoAnswer(call)
		if note := r.LastIn(rig.Team); !strings.Contains(note.Text, "It is unclear whose answer this is") || fromBot(r.Telegram.Messages(rig.Team)) != 2 {
			t.Errorf("the anonymous were not told once:\n%s", r.Telegram.History(rig.Team))
		}
		if now := r.Telegram.Messages(rig.Team)[0]; now.ID != card.ID || now.Text != card.Text {
			t.Errorf("somebody who may not answer changed the chat:\n%s", r.Telegram.History(rig.Team))
		}
		r.SayIn(rig.Bob, rig.Team, "2", card.ID)
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		if now := r.Telegram.Messages(rig.Team)[0]; !strings.Contains(now.Text, "→ PostgreSQL (Recommended)\nBob") {
			t.Errorf("the end reads\n%s", now.Text)
		}
		r.WantRefusals("stranger")
	})
}

// Ada allows and Bob rejects in the same moment. The first tap counts, the agent gets
// just that, and the other one is told.
func TestGroups_AllowAndRejectAtTheSameMoment(t *testing.T) {
	for _, first := range []struct{ adas, bobs, reply, end string }{
		{"✅ Allow once", "🚫 Reject", "once", "Allowed once by Ada"},
		{"🚫 Reject", "✅ Allow once", "reject", "Rejected by Ada"},
	} {
		rig.Play(t, in(config.Chat{ID: rig.Team}), func(r *rig.Rig) {
			r.AddTeam(false)
			dir := r.Opencode.Directory()
			_, call := r.Opencode.AskBash(dir, r.Opencode.NewSession(dir, "fix checkout flow"), "rm -rf build")
			r.Wait(5 * time.Second)
			card := r.LastIn(rig.Team).ID
			if _, err := r.Telegram.Tap(rig.Ada, rig.Team, card, first.adas); err != nil {
				t.Fatal(err)
			}
			second, err := r.Telegram.Tap(rig.Bob, rig.Team, card, first.bobs)
			if err != nil {
				t.Fatal(err)
			}
			r.Wait(10 * time.Second)
			r.WantAnswers(call, []string{first.reply})
			r.WantScreenIn(rig.Team, first.end)
			if r.Alert(second) == "" {
				t.Error("Bob's tap was acknowledged as if it counted")
			}
			if n := len(r.Journal(storage.EntryAnswered)); n != 1 {
				t.Errorf("%d decisions are recorded", n)
			}
		})
	}
}

// As an administrator the bot sees everything that is said, and answers none of it.
func TestGroups_WithoutPrivacy(t *testing.T) {
	rig.Play(t, in(config.Chat{ID: rig.Team}), func(r *rig.Rig) {
		r.AddTeam(false)
		if err := r.Telegram.Promote(rig.Bob, rig.Team); err != nil {
			t.Fatal(err)
		}
		r.SayIn(rig.Ada, rig.Team, "morning", 0)
		_, call := r.Ask(rig.ProjectNameQuestion())
		card := r.LastIn(rig.Team)
		mine, err := r.Telegram.Say(rig.Ada, rig.Team, "what is this?")
		if err != nil {
			t.Fatal(err)
		}
		r.SayIn(rig.Bob, rig.Team, "no idea", mine)
		r.WantNoAnswer(call)
		if now := r.LastIn(rig.Team); now.ID != card.ID || now.Text != card.Text {
			t.Errorf("talk was taken for more:\n%s", r.Telegram.History(rig.Team))
		}
		r.SayIn(rig.Ada, rig.Team, "The Bridge", card.ID)
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"The Bridge"})
	})
}

func TestGroups_ForumTopic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStopped(t, opencode.VersionNew, nil)
		r.AddTeam(true)
		topic := r.Telegram.AddTopic(rig.Team, "Agents")
		r.Config.TelegramChats = []config.Chat{{ID: rig.Team, Topic: topic}}
		r.Start()
		defer r.End()
		_, call := r.Ask(rig.ProjectNameQuestion())
		card := r.LastIn(rig.Team)
		if card.Topic != topic {
			t.Errorf("the question is in topic %d", card.Topic)
		}
		r.SayIn(rig.Ada, rig.Team, "The Bridge", 0, telegram.InTopic(topic))
		r.WantNoAnswer(call)
		r.TapIn(rig.Ada, rig.Team, "✏️")
		r.Wait(2 * time.Second)
		r.SayIn(rig.Ada, rig.Team, "The Bridge", card.ID, telegram.InTopic(topic))
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"The Bridge"})
		r.SayIn(rig.Bob, rig.Team, "or not", card.ID, telegram.InTopic(topic))
		if late := r.LastIn(rig.Team); late.Topic != topic || !strings.Contains(late.Text, "Already answered") {
			t.Errorf("the late text got %q in topic %d", late.Text, late.Topic)
		}
		r.Telegram.DeleteTopic(rig.Team, topic)
		r.Ask(rig.ProjectNameQuestion())
		if e := r.Journal(storage.EntryFailed); len(e) != 1 || e[0].Detail != "topic-gone" {
			t.Errorf("the journal says %+v", e)
		}
	})
}

// The group becomes a supergroup while a question is open: its messages stay
// behind, and nobody can tap them.
func TestGroups_BecomesSupergroup(t *testing.T) {
	for name, down := range map[string]bool{"told": false, "while hermes is down": true} {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, in(config.Chat{ID: rig.Pair}), func(r *rig.Rig) {
				r.Telegram.AddChat(telegram.Chat{ID: rig.Pair, Type: telegram.Group, Title: "Pair", Members: []int64{rig.Ada, rig.Bob}})
				_, call := r.Ask(rig.ClosedQuestion(), rig.ClosedQuestion())
				r.TapIn(rig.Ada, rig.Pair, "2.")
				r.Wait(2 * time.Second)
				if down {
					r.Halt()
				}
				after, err := r.Telegram.Upgrade(rig.Ada, rig.Pair)
				if err != nil {
					t.Fatal(err)
				}
				if down {
					r.Start()
				}
				r.Wait(10 * time.Second)
				r.WantScreenIn(after, "2 of 2", "✓ Database: PostgreSQL (Recommended)")
				r.TapIn(rig.Bob, after, "1.")
				r.Wait(2 * time.Second)
				r.TapIn(rig.Bob, after, "✅ Send")
				r.Wait(2 * time.Second)
				r.WantAnswers(call, []string{"PostgreSQL (Recommended)"}, []string{"SQLite"})
				r.Halt()
				r.Start()
				_, call = r.Ask(rig.DatabaseQuestion())
				r.TapIn(rig.Ada, after, "1.")
				r.Wait(2 * time.Second)
				r.WantAnswers(call, []string{"SQLite"})
			})
		})
	}
}

func TestGroups_BlockedAndUnblocked(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		if err := r.Telegram.Block(rig.Ada); err != nil {
			t.Fatal(err)
		}
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Wait(time.Minute)
		if e := r.Journal(storage.EntryFailed); len(e) != 1 || e[0].Detail != "blocked" {
			t.Errorf("the journal says %+v", e)
		}
		if n := r.Telegram.Count("sendMessage"); n > 3 {
			t.Errorf("%d messages were sent within a minute to somebody who blocked the bot", n)
		}
		if err := r.Telegram.Unblock(rig.Ada); err != nil {
			t.Fatal(err)
		}
		r.Wait(2 * time.Second)
		r.Tap("1.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"SQLite"})
	})
}

// Blocked with a question open: it can be answered elsewhere, and the chat is
// brought up to date when that is possible again.
func TestGroups_BlockedMeanwhile(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		request, _ := r.Ask(rig.DatabaseQuestion())
		if err := r.Telegram.Block(rig.Ada); err != nil {
			t.Fatal(err)
		}
		r.Wait(2 * time.Second)
		r.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
		r.Wait(time.Minute)
		if list := r.Questions(); len(list) != 0 {
			t.Errorf("still open: %+v", list)
		}
		if err := r.Telegram.Unblock(rig.Ada); err != nil {
			t.Fatal(err)
		}
		r.Wait(time.Minute)
		r.WantScreen("✅", "answered in OpenCode")
		if asks := strings.Count(r.Telegram.Transcript(rig.Ada), "❓"); asks != 0 {
			t.Errorf("%d messages still ask:\n%s", asks, r.Telegram.History(rig.Ada))
		}
	})
}

func TestGroups_TwoChats(t *testing.T) {
	rig.Play(t, in(config.Chat{ID: rig.Ada}, config.Chat{ID: rig.Bob}), func(r *rig.Rig) {
		r.SayIn(rig.Bob, rig.Bob, "/start", 0)
		_, call := r.Ask(rig.DatabaseQuestion())
		mine, his := r.Last(), r.LastIn(rig.Bob)
		r.Opencode.SetFault(func(*http.Request) opencode.Fault { return opencode.FailBeforeEffect })
		first, err := r.Telegram.Tap(rig.Ada, rig.Ada, mine.ID, "1.")
		if err != nil {
			t.Fatal(err)
		}
		second, err := r.Telegram.Tap(rig.Bob, rig.Bob, his.ID, "2.")
		if err != nil {
			t.Fatal(err)
		}
		r.Wait(3 * time.Second)
		r.Opencode.SetFault(nil)
		r.Wait(time.Minute)
		r.WantAnswers(call, []string{"SQLite"})
		rig.WantAlert(t, "the first", r.Alert(first), "")
		rig.WantAlert(t, "the second", r.Alert(second), "Already chosen, and on its way: SQLite (Ada, 00:00)")
		for _, chat := range []int64{rig.Ada, rig.Bob} {
			r.WantScreenIn(chat, "✅", "→ SQLite", "Ada")
		}
		r.WantRefusals("decided")
	})
}

// Steps of one conversation can be taken in either chat.
func TestGroups_TwoChatsTakeTurns(t *testing.T) {
	rig.Play(t, in(config.Chat{ID: rig.Ada}, config.Chat{ID: rig.Bob}), func(r *rig.Rig) {
		r.SayIn(rig.Bob, rig.Bob, "/start", 0)
		_, call := r.Ask(rig.DatabaseQuestion(), rig.LanguagesQuestion())
		r.TapIn(rig.Ada, rig.Ada, "2.")
		r.Wait(2 * time.Second)
		r.TapIn(rig.Bob, rig.Bob, "☐ 3.")
		r.Wait(2 * time.Second)
		r.TapIn(rig.Ada, rig.Ada, "Next")
		r.Wait(2 * time.Second)
		r.TapIn(rig.Bob, rig.Bob, "✅ Send")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"}, []string{"Zig"})
		r.WantScreenIn(rig.Ada, "Bob")
		r.WantScreenIn(rig.Bob, "Bob")
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
