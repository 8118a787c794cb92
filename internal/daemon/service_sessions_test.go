package daemon_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	opencode2 "hermes/internal/simulate/opencode2sim"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// asks is a prompt that makes the model of a session ask.
const asks = `CALL question {"questions":[{"question":"Which colour?","header":"Colour","options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}]}]}`

// A session of an OpenCode 2 takes a prompt from the chat, is stopped from there, and the end of
// its turn is told.
func TestService_Prompts(t *testing.T) {
	playServices(t, func(s *serviceRig) {
		s.Say("/use fix checkout", 0)
		s.WantScreen("What you write here goes to this session.")
		s.Say("Say hello.", 0)
		s.Wait(20 * time.Second)
		if got := s.Service.Prompts(); len(got) != 1 || got[0].Text != "Say hello." || got[0].Session != s.Session {
			t.Errorf("the session was told %+v\nlog:\n%s", got, s.Log.String())
		}
		s.WantScreen("💤 shop-api · fix checkout flow", "Done", "You said: Say hello.")
	})
}

// What a followed session writes is shown while it writes it.
func TestService_Follow(t *testing.T) {
	playServices(t, func(s *serviceRig) {
		s.Say("/use fix checkout", 0)
		s.Say("/follow", 0)
		s.Service.Speak(s.Session, "I look into ")
		s.Wait(5 * time.Second)
		s.Service.Speak(s.Session, "the tests.")
		s.Wait(5 * time.Second)
		live := liveIn(rig.Talk{Rig: s.Rig}, rig.Ada)
		if !strings.Contains(live.Text, "I look into the tests.") {
			t.Errorf("the live message says\n%s", live.Text)
		}
		s.Service.Say(s.Session, " They pass.")
		s.Wait(20 * time.Second)
		s.WantScreen("They pass.")
		if live := liveIn(rig.Talk{Rig: s.Rig}, rig.Ada); !live.Deleted {
			t.Error("the live message stays")
		}
	})
}

// A subagent's question names both, and is answered in the subagent's session.
func TestService_Subagent(t *testing.T) {
	playServices(t, func(s *serviceRig) {
		child := s.Service.Task(s.Dir, s.Session, "asker", asks)
		s.Wait(3 * time.Second)
		s.WantScreen("Which colour?", "fix checkout flow ›")
		s.Tap("1.")
		s.Wait(10 * time.Second)
		s.WantScreen("→ Red\nAda")
		if s.Service.Busy(child) || s.Service.Busy(s.Session) {
			t.Errorf("a session works\n%s", s.Log.String())
		}
	})
}

// The directories in which nobody works are not begun to be used.
func TestService_BootsNothing(t *testing.T) {
	playServices(t, func(s *serviceRig) {
		s.Halt()
		s.Service.NewSession("/home/ada/src/other", "long ago")
		s.Service.Restart()
		s.Start()
		s.Wait(3 * time.Minute)
		s.Say("/sessions", 0)
		s.WantScreen("long ago", "fix checkout flow")
		if booted := s.Service.Instances(); len(booted) != 0 {
			t.Errorf("booted %q", booted)
		}
	})
}

// OpenCode 1.x by a link and by its server, and OpenCode 2, each with a question of the same
// directory: every answer goes where the question came from.
func TestService_BesideOpenCode1(t *testing.T) {
	playService(t, opencode2.Release, func(c *config.Config) { c.OpenCodeURLs = []string{rig.Server} }, func(s *serviceRig) {
		linked := opencode.New(opencode.Options{Version: opencode.VersionOld, Directory: s.Dir, Password: rig.Password})
		defer linked.Stop()
		plugin := s.ConnectPluginTo("p1", linked, s.Dir)
		defer plugin.Disconnect()
		s.Wait(2 * time.Second)
		_, first := s.Opencode.Ask(s.Dir, s.Opencode.NewSession(s.Dir, "one"), rig.DatabaseQuestion())
		_, second := linked.Ask(s.Dir, linked.NewSession(s.Dir, "two"), rig.LanguagesQuestion())
		_, third := s.Ask(rig.ColourQuestion())
		s.Wait(10 * time.Second)
		for _, label := range []string{"2. Blue", "☐ 2. Rust", "✅ Done", "2. Postgre"} {
			s.TapCard(label)
		}
		s.WantAnswers(third, []string{"Blue (Recommended)"})
		if got, _ := linked.Received(second); len(got) != 1 || got[0][0] != "Rust" {
			t.Errorf("the linked one received %q\n%s", got, s.Telegram.History(rig.Ada))
		}
		if got, _ := s.Opencode.Received(first); len(got) != 1 || got[0][0] != "PostgreSQL (Recommended)" {
			t.Errorf("the server received %q\n%s", got, s.Telegram.History(rig.Ada))
		}
	})
}

// A server of OpenCode 2 that is named by its URL is followed as the service is, with the
// password that is configured.
func TestService_ByItsURL(t *testing.T) {
	const url = "http://127.0.0.1:4096"
	for name, shape := range map[string]opencode2.Shape{"preview": opencode2.Preview, "release": opencode2.Release} {
		t.Run(name, func(t *testing.T) {
			playService(t, shape, func(c *config.Config) {
				c.OpenCodeURLs, c.OpenCodePassword, c.OpenCodeService = []string{url}, rig.Password, ""
			}, func(s *serviceRig) {
				serve := opencode2.New(opencode2.Options{Shape: shape, URL: url, Password: rig.Password, Unsure: opencode2.Unsure{WebUI: shape == opencode2.Release}})
				defer serve.Stop()
				s.ServeAt(url, serve.Transport())
				s.Wait(time.Minute)
				_, call := serve.Ask(s.Dir, "", rig.DatabaseQuestion())
				s.Wait(2 * time.Second)
				s.Tap("1.")
				s.Wait(3 * time.Second)
				if got, _ := serve.Received(call); len(got) != 1 || got[0][0] != "SQLite" {
					t.Errorf("received %q\n%s\nlog:\n%s", got, s.Telegram.History(rig.Ada), s.Log.String())
				}
				if s.Service.Listeners() != 0 {
					t.Error("the service is connected, though that is switched off")
				}
			})
		})
	}
}

// Two servers on one database: each knows all sessions, and only the one that asks takes the
// answer.
func TestService_TwoServersWithOneDatabase(t *testing.T) {
	const url = "http://127.0.0.1:4096"
	playService(t, opencode2.Preview, func(c *config.Config) {
		c.OpenCodeURLs, c.OpenCodePassword = []string{url}, rig.Password
	}, func(s *serviceRig) {
		serve := s.Service.Beside(opencode2.Options{URL: url, Password: rig.Password})
		defer serve.Stop()
		s.ServeAt(url, serve.Transport())
		s.Wait(time.Minute)
		other := s.Service.NewSession(s.Dir, "the other one")
		form, call := serve.Ask(s.Dir, other, rig.DatabaseQuestion())
		s.Wait(2 * time.Second)
		s.WantScreen("Which database")
		s.Tap("1.")
		s.Wait(3 * time.Second)
		if got, ok := serve.Received(call); !ok || got[0][0] != "SQLite" || serve.Replies(form) != 1 || s.Service.Attempts(form) != 0 {
			t.Errorf("received %q, %v; %d replies, %d attempts at the other server", got, ok, serve.Replies(form), s.Service.Attempts(form))
		}
		_, call = s.Ask(rig.ColourQuestion())
		s.Tap("1.")
		s.Wait(3 * time.Second)
		s.WantAnswers(call, []string{"Red"})
	})
}

// liveIn is the live message of a chat.
func liveIn(c rig.Talk, chat int64) telegram.Message {
	c.T.Helper()
	for _, m := range c.Telegram.Messages(chat) {
		if m.FromBot && m.Silent && strings.HasPrefix(m.Text, "⚙️") {
			return m
		}
	}
	c.T.Fatalf("no live message in %d:\n%s", chat, c.Telegram.Transcript(chat))
	return telegram.Message{}
}
