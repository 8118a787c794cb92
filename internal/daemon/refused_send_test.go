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
		{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: chat not found"},                                      // Client.cpp:6571
		{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: CHAT_WRITE_FORBIDDEN"},                                // MTProto
		{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: not enough rights to send text messages to the chat"}, // MessageContent.cpp:6302
		{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: message thread not found"},                            // Client.cpp:8277
		{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: TOPIC_CLOSED"},                                        // MTProto
		{Kind: telegram.Refuse, Code: 403, Description: "Forbidden: bot was blocked by the user"},                           // MTProto
		{Kind: telegram.Refuse, Code: 403, Description: "Forbidden: bot can't initiate conversation with a user"},           // MessagesManager.cpp:27954
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

// A second question that the chat takes brings the first one at once.
func TestRefusedSend_ComesWithTheNextQuestion(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: chat not found"})
		_, first := r.Ask(rig.DatabaseQuestion())
		r.Wait(5 * time.Second)
		dir := r.Opencode.Directory()
		r.Opencode.Ask(dir, r.Opencode.NewSession(dir, "name it"), rig.ProjectNameQuestion())
		r.Wait(5 * time.Second)
		r.WantReady()
		r.TapOn(r.CardWith("Which database"), "2.")
		r.Wait(2 * time.Second)
		r.WantAnswers(first, []string{"PostgreSQL (Recommended)"})
	})
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
