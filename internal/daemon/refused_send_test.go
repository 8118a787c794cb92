package daemon_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

const shownNowhere = "a question is shown in no chat"

// One send is refused, in the words of telegram-bot-api 01a3679 and td 022d602. Nothing tells the bot when that is over.
// The question is shown all the same, a minute later, and counts.
func TestRefusedSend_IsTriedAgain(t *testing.T) {
	for _, refusal := range []telegram.Fault{
		{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: CHAT_WRITE_FORBIDDEN"}, // MTProto
		{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: TOPIC_CLOSED"},         // MTProto
	} {
		t.Run(refusal.Description, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				r.Telegram.FailNext("sendMessage", refusal)
				_, call := r.Ask(rig.DatabaseQuestion())
				r.Wait(5 * time.Second)
				r.WantReady(shownNowhere)
				r.Wait(time.Minute)
				r.WantReady()
				r.WantScreen("Which database")
				r.Tap("2.")
				r.Wait(2 * time.Second)
				r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
			})
		})
	}
}

// Bob's chat is configured, and he has never pressed Start. When he does, the questions come; Telegram sends no
// my_chat_member for that (grammyjs/website#1054).
func TestRefusedSend_FirstStart(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.TelegramChats = []config.Chat{{ID: rig.Bob}} }, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Wait(3 * time.Hour)
		r.WantReady(shownNowhere)
		wantSamples(r, "Bob has not started", map[string]float64{`hermes_asks{state="unseen"}`: 1})
		if age := r.Samples()["hermes_ask_unseen_oldest_seconds"]; age < 3*3600 {
			t.Errorf("the unseen ask is %v s old", age)
		}
		r.SayIn(rig.Bob, rig.Bob, "/start", 0)
		r.Wait(3 * time.Second)
		r.WantReady()
		r.TapIn(rig.Bob, rig.Bob, "2.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
	})
}

// A group is locked at night: nobody tells the bot when it is open again (Client.cpp:8975).
func TestRefusedSend_LockedGroup(t *testing.T) {
	for name, opened := range map[string]func(r *rig.Rig){
		"somebody writes there": func(r *rig.Rig) {
			r.SayIn(rig.Bob, rig.Team, "/help@hermes_bot", 0)
			r.Wait(5 * time.Second)
		},
		"somebody writes there, as others did a moment before": func(r *rig.Rig) {
			r.Telegram.Forbid(rig.Team, telegram.SendMessages)
			for range 5 {
				r.SayIn(rig.Bob, rig.Team, "/help@hermes_bot", 0)
			}
			r.Telegram.Forbid(rig.Team)
			r.SayIn(rig.Bob, rig.Team, "/help@hermes_bot", 0)
			r.Wait(20 * time.Second)
		},
		"nobody says anything":    func(r *rig.Rig) { r.Wait(31 * time.Minute) },
		"hermes is started again": func(r *rig.Rig) { r.Halt(); r.Start(); r.Wait(5 * time.Second) },
		"the bot is given rights": func(r *rig.Rig) { _ = r.Telegram.Promote(rig.Bob, rig.Team); r.Wait(5 * time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, func(c *config.Config) { c.TelegramChats = []config.Chat{{ID: rig.Team}} }, func(r *rig.Rig) {
				r.AddTeam(false)
				r.Telegram.Forbid(rig.Team, telegram.SendMessages)
				_, call := r.Ask(rig.DatabaseQuestion())
				r.Wait(2 * time.Hour)
				r.WantReady(shownNowhere)
				r.Telegram.Forbid(rig.Team)
				opened(r)
				r.WantReady()
				r.TapIn(rig.Bob, rig.Team, "2.")
				r.Wait(2 * time.Second)
				r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
			})
		})
	}
}

// As long as a group takes nothing, the question is tried after 1, 5 and 15 minutes, and then every half an hour.
func TestRefusedSend_Pace(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.TelegramChats = []config.Chat{{ID: rig.Team}} }, func(r *rig.Rig) {
		r.AddTeam(false)
		r.Telegram.Forbid(rig.Team, telegram.SendMessages)
		before := r.Telegram.Count("sendMessage")
		r.Ask(rig.DatabaseQuestion())
		var tries []int // the minutes
		for minute := range 120 {
			for len(tries) < r.Telegram.Count("sendMessage")-before {
				tries = append(tries, minute)
			}
			r.Wait(time.Minute)
		}
		if want := []int{0, 1, 6, 21, 51, 81, 111}; !slices.Equal(tries, want) {
			t.Errorf("it was tried at the minutes %d, want %d", tries, want)
		}
	})
}

// A topic that the configuration names is closed, or General is, or is hidden. It is shown as soon as it is open again: nothing but a service
// message tells of that (Bot API Message.forum_topic_reopened, general_forum_topic_unhidden).
func TestRefusedSend_TopicOpensAgain(t *testing.T) {
	for name, c := range map[string]struct {
		topic      int
		shut, open func(*telegram.Server)
	}{
		"a topic closed": {
			2, func(s *telegram.Server) { s.ShutTopic(rig.Team, 2) }, func(s *telegram.Server) { s.ReopenTopic(rig.Team, 2) },
		},
		"General closed": {
			0, func(s *telegram.Server) { s.ShutTopic(rig.Team, 1) }, func(s *telegram.Server) { s.ReopenTopic(rig.Team, 1) },
		},
		"General hidden": {0, func(s *telegram.Server) { s.HideGeneral(rig.Team) }, func(s *telegram.Server) { s.ShowGeneral(rig.Team) }},
	} {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, func(cfg *config.Config) { cfg.TelegramChats = []config.Chat{{ID: rig.Team, Topic: c.topic}} }, func(r *rig.Rig) {
				r.AddTeam(true)
				r.Telegram.AddTopic(rig.Team, "Questions")
				c.shut(r.Telegram)
				_, call := r.Ask(rig.DatabaseQuestion())
				r.Wait(30 * time.Second)
				r.WantReady(shownNowhere)
				c.open(r.Telegram)
				r.Wait(3 * time.Second)
				r.WantReady()
				if m := r.LastIn(rig.Team); m.Topic != c.topic {
					t.Errorf("it is in topic %d", m.Topic)
				}
				r.TapIn(rig.Bob, rig.Team, "2.")
				r.Wait(2 * time.Second)
				r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
			})
		})
	}
}

// The other chats say that one of them does not show it, for as long as that is so.
func TestRefusedSend_IsToldInTheOtherChats(t *testing.T) {
	const told = "Not shown in every chat"
	rig.Play(t, func(c *config.Config) { c.TelegramChats = []config.Chat{{ID: rig.Ada}, {ID: rig.Bob}} }, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		r.Wait(10 * time.Second)
		r.WantReady()
		r.WantScreen("Which database", told)
		r.SayIn(rig.Bob, rig.Bob, "/start", 0)
		r.Wait(10 * time.Second)
		if texts := r.MessagesTo(rig.Bob); !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "Which database") }) {
			t.Errorf("Bob sees %q", texts)
		}
		if text := r.Last().Text; strings.Contains(text, told) {
			t.Error(text)
		}
	})
}

// A topic that the configuration names is closed and stays so: the question goes to the chat itself.
func TestRefusedSend_ClosedTopic(t *testing.T) {
	rig.PlayWith(t, opencode.VersionNew, func(c *config.Config) { c.TelegramChats = []config.Chat{{ID: rig.Team, Topic: 2}} }, func(r *rig.Rig) {
		r.AddTeam(true)
		topic := r.Telegram.AddTopic(rig.Team, "Questions")
		if topic != 2 {
			t.Fatalf("the topic is %d", topic)
		}
		r.Telegram.ShutTopic(rig.Team, topic)
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Wait(10 * time.Second)
		r.WantReady(shownNowhere)
		r.Wait(2 * time.Minute)
		r.WantReady()
		if m := r.LastIn(rig.Team); m.Topic != 0 {
			t.Errorf("it is in topic %d", m.Topic)
		}
		r.TapIn(rig.Bob, rig.Team, "2.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
	})
}

// In slow mode a group takes one message of the bot in a while. A question that waits for that longer than two minutes counts.
func TestSlowMode_IsTold(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.TelegramChats = []config.Chat{{ID: rig.Team}} }, func(r *rig.Rig) {
		r.AddTeam(false)
		r.Telegram.SlowMode(rig.Team, time.Hour)
		_, first := r.Ask(rig.DatabaseQuestion())
		r.WantScreenIn(rig.Team, "Which database")
		card := r.LastIn(rig.Team)
		_, second := r.Ask(rig.ProjectNameQuestion())
		r.Wait(time.Minute)
		r.WantReady()
		r.Wait(90 * time.Second)
		r.WantReady(shownNowhere, "waited for Telegram for more than two minutes")
		if _, err := r.Telegram.Tap(rig.Bob, rig.Team, card.ID, "2."); err != nil {
			t.Fatal(err)
		}
		r.Wait(3 * time.Second)
		r.WantAnswers(first, []string{"PostgreSQL (Recommended)"})
		r.Wait(time.Hour)
		r.WantReady()
		r.SayIn(rig.Bob, rig.Team, "The Bridge", r.LastIn(rig.Team).ID)
		r.Wait(3 * time.Second)
		r.WantAnswers(second, []string{"The Bridge"})
	})
}

// A frozen bot, and one that is logged out of its server, try again rarely, and go on when that is over.
func TestRefusedSend_FrozenOrLoggedOut(t *testing.T) {
	for name, c := range map[string]struct {
		begin, end func(*telegram.Server)
		says       string
		method     string
	}{
		"frozen":     {func(s *telegram.Server) { s.Freeze(true) }, func(s *telegram.Server) { s.Freeze(false) }, shownNowhere + ", and is tried again: frozen", "sendMessage"},
		"logged out": {(*telegram.Server).LogOut, func(*telegram.Server) {}, "the bot is logged out of this Bot API server", "getUpdates"},
	} {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				c.begin(r.Telegram)
				before := r.Telegram.Count(c.method)
				_, call := r.Ask(rig.DatabaseQuestion())
				r.Wait(9 * time.Minute)
				r.WantReady(c.says)
				if n := r.Telegram.Count(c.method) - before; n > 4 {
					t.Errorf("%d calls in nine minutes", n)
				}
				c.end(r.Telegram)
				r.Wait(30 * time.Minute)
				r.WantReady()
				r.Tap("2.")
				r.Wait(2 * time.Second)
				r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
			})
		})
	}
}
