package daemon_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

const billing = "/home/ada/src/billing"

// withTopics configures topics, and where questions go.
func withTopics(ids ...int64) func(*config.Config) {
	return func(c *config.Config) {
		c.Topics, c.TelegramChats = true, nil
		for _, id := range ids {
			c.TelegramChats = append(c.TelegramChats, config.Chat{ID: chat.ID(id)})
		}
	}
}

// playForum plays in the team's forum, with a session in shop-api.
func playForum(t *testing.T, lang string, test func(rig.Talk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStopped(t, opencode.VersionNew, func(c *config.Config) {
			withTopics(rig.Team)(c)
			c.Lang = lang
		})
		r.AddForum()
		r.Start()
		defer r.End()
		c := rig.Talk{Rig: r, Dir: r.Opencode.Directory()}
		c.Session = r.Opencode.NewSession(c.Dir, "fix checkout flow")
		test(c)
	})
}

// Two sessions of two projects in one forum.
func TestTopics_Conversation(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		t.Run(lang, func(t *testing.T) {
			playForum(t, lang, func(c rig.Talk) {
				pay := sessionIn(c, billing, "")
				c.Ask(rig.DatabaseQuestion())
				_, call := pay.Ask(rig.DatabaseQuestion())
				c.Opencode.Rename(pay.Session, "round half up")
				c.Wait(2 * time.Second)
				c.SayIn(rig.Ada, rig.Team, "PostgreSQL, or what do you think?", 0, telegram.InTopic(c.LastIn(rig.Team).Topic))
				answerIn(pay, call)
				c.Wait(16 * time.Minute) // a reminder
				tapCard(c, rig.Ada, "2.")
				c.Opencode.Archive(c.Session)
				c.Opencode.Delete(pay.Session)
				c.Wait(2 * time.Second)
				c.Ask(rig.DatabaseQuestion())
				rig.Golden(t, "topics."+lang+".txt", c.Telegram.History(rig.Team))
			})
		})
	}
}

// Whatever becomes of the call that makes a topic: the question is asked within
// seconds, can be answered, and no more than two topics are left that nobody uses.
func TestTopics_Faults(t *testing.T) {
	noRight := telegram.Fault{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: not enough rights to create a topic"}
	for name, test := range map[string]struct {
		fault telegram.Fault
		times int    // 0: always
		in    string // where the question is
		left  int    // topics in the end
	}{
		"no right":                  {noRight, 0, "", 0},
		"no connection, once":       {telegram.Fault{Kind: telegram.Unreachable}, 1, "fix checkout flow", 1},
		"no connection, twice":      {telegram.Fault{Kind: telegram.Unreachable}, 2, "fix checkout flow", 1},
		"no connection":             {telegram.Fault{Kind: telegram.Unreachable}, 0, "", 0},
		"lost answer, once":         {telegram.Fault{Kind: telegram.ResetAfter}, 1, "", 1},
		"lost answer":               {telegram.Fault{Kind: telegram.ResetAfter}, 0, "", 2},
		"a proxy's answer":          {telegram.Fault{Kind: telegram.BadGatewayAfter}, 0, "", 2},
		"no answer":                 {telegram.Fault{Kind: telegram.Hang}, 0, "", 0},
		"an answer that comes late": {telegram.Fault{Delay: 15 * time.Second}, 0, "", 2},
		"a short flood wait":        {telegram.Fault{Kind: telegram.Refuse, RetryAfter: 3}, 1, "fix checkout flow", 1},
		"a long flood wait":         {telegram.Fault{Kind: telegram.Refuse, RetryAfter: 3000}, 0, "", 0},
		"an error of the server":    {telegram.Fault{Kind: telegram.Refuse, Code: 500}, 0, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			playForum(t, "en", func(c rig.Talk) {
				if test.times > 0 {
					c.Telegram.FailNext("createForumTopic", slices.Repeat([]telegram.Fault{test.fault}, test.times)...)
				} else {
					c.Telegram.SetFault(func(call telegram.Call) telegram.Fault {
						if call.Method == "createForumTopic" {
							return test.fault
						}
						return telegram.Fault{}
					})
				}
				_, call := c.Ask(rig.DatabaseQuestion())
				c.Wait(15 * time.Second)
				wantIn(c, test.in)
				answerIn(c, call)
				for range 5 {
					c.Wait(11 * time.Minute)
					_, call := c.Ask(rig.DatabaseQuestion())
					c.Wait(15 * time.Second)
					answerIn(c, call)
				}
				if n := len(c.Telegram.Topics(rig.Team)); test.times == 0 && n != test.left {
					t.Errorf("%d topics are left:\n%s", n, c.Telegram.History(rig.Team))
				}
				lines := strings.Count(c.Log.String(), "a session's topic is not as it should be")
				if max := 1; name == "no right" && lines != max {
					t.Errorf("the log tells it %d times:\n%s", lines, c.Log.String())
				}
			})
		})
	}
}

// What somebody deleted comes back once; the second time the chat itself gets it.
func TestTopics_Deleted(t *testing.T) {
	playForum(t, "en", func(c rig.Talk) {
		_, call := c.Ask(rig.DatabaseQuestion())
		c.Telegram.DeleteTopic(rig.Team, wantIn(c, "fix checkout flow").Topic)
		c.Wait(16 * time.Minute) // the reminder finds out
		wantTopics(c, "fix checkout flow closed=false")
		wantIn(c, "fix checkout flow")
		answerIn(c, call)
		c.Telegram.DeleteTopic(rig.Team, c.LastIn(rig.Team).Topic)
		_, call = c.Ask(rig.DatabaseQuestion())
		c.Wait(5 * time.Second)
		wantTopics(c, "")
		wantIn(c, "")
		answerIn(c, call)
		c.Halt()
		c.Start()
		_, call = c.Ask(rig.DatabaseQuestion())
		wantIn(c, "")
		answerIn(c, call)
	})
}

// A topic is closed when its session has ended and all is told, and opened again.
func TestTopics_Closed(t *testing.T) {
	playForum(t, "en", func(c rig.Talk) {
		_, call := c.Ask(rig.DatabaseQuestion())
		c.Opencode.Archive(c.Session)
		c.Wait(2 * time.Second)
		wantTopics(c, "fix checkout flow closed=false")
		c.Telegram.FailNext("closeForumTopic", telegram.Fault{Kind: telegram.ResetBefore}, telegram.Fault{Kind: telegram.ResetAfter})
		answerIn(c, call)
		c.Wait(10 * time.Second)
		wantTopics(c, "fix checkout flow closed=true")
		c.Halt()
		c.Start()
		c.Telegram.FailNext("reopenForumTopic", telegram.Fault{Kind: telegram.ResetAfter})
		_, call = c.Ask(rig.DatabaseQuestion())
		c.Wait(5 * time.Second)
		wantIn(c, "fix checkout flow")
		answerIn(c, call)
		wantTopics(c, "fix checkout flow closed=false")
		c.Telegram.SetFault(func(call telegram.Call) telegram.Fault {
			if call.Method == "closeForumTopic" {
				return telegram.Fault{Kind: telegram.Unreachable}
			}
			return telegram.Fault{}
		})
		c.Opencode.Delete(c.Session)
		c.Wait(500 * time.Millisecond)
		c.Halt()
		c.Telegram.SetFault(nil)
		c.Start()
		c.Wait(2 * time.Second)
		wantTopics(c, "fix checkout flow closed=true")
	})
}

// It is deleted, or archived and asks again, at inconvenient moments.
func TestTopics_OfASessionThatComesBack(t *testing.T) {
	for name, meanwhile := range map[string]func(rig.Talk){
		"while it is being closed": func(c rig.Talk) {
			c.Telegram.FailNext("closeForumTopic", telegram.Fault{Delay: 4 * time.Second})
			c.Opencode.Archive(c.Session)
			c.Wait(time.Second)
		},
		"when somebody deleted the topic": func(c rig.Talk) {
			c.Opencode.Archive(c.Session)
			c.Wait(2 * time.Second)
			c.Telegram.DeleteTopic(rig.Team, c.Telegram.Topics(rig.Team)[0].ID)
		},
		"when somebody opened it": func(c rig.Talk) {
			c.Opencode.Archive(c.Session)
			c.Wait(2 * time.Second)
			c.Telegram.ReopenTopic(rig.Team, c.Telegram.Topics(rig.Team)[0].ID)
		},
		"before it could be closed": func(c rig.Talk) {
			_, call := c.Ask(rig.ClosedQuestion())
			c.Opencode.Archive(c.Session)
			c.Wait(time.Second)
			c.Ask(rig.DatabaseQuestion())
			tapCard(c, rig.Ada, "1.")
			if _, ok := c.Opencode.Received(call); ok {
				c.T.Error("the wrong one was answered")
			}
			c.Opencode.Abort(c.Session)
			c.Wait(time.Minute)
			wantTopics(c, "fix checkout flow closed=false")
		},
	} {
		t.Run(name, func(t *testing.T) {
			playForum(t, "en", func(c rig.Talk) {
				_, call := c.Ask(rig.DatabaseQuestion())
				answerIn(c, call)
				meanwhile(c)
				_, call = c.Ask(rig.DatabaseQuestion())
				c.Wait(15 * time.Second)
				wantIn(c, "fix checkout flow")
				answerIn(c, call)
				wantTopics(c, "fix checkout flow closed=false")
			})
		})
	}
}

// In a private chat with topics, a text in a topic is for that session.
func TestTopics_PrivateTopics(t *testing.T) {
	rig.Play(t, withTopics(rig.Ada), func(r *rig.Rig) {
		_, first := r.Ask(rig.ProjectNameQuestion())
		one := r.Last().Topic
		_, second := r.Ask(rig.ProjectNameQuestion())
		two := r.Last().Topic
		if one == 0 || two == 0 || one == two {
			t.Fatalf("topics %d and %d", one, two)
		}
		r.SayIn(rig.Ada, rig.Ada, "The Bridge", 0, telegram.InTopic(one))
		r.WantAnswers(first, []string{"The Bridge"})
		r.WantNoAnswer(second)
		r.SayIn(rig.Ada, rig.Ada, "The Ferry", 0, telegram.InTopic(two))
		r.WantAnswers(second, []string{"The Ferry"})
		r.SayIn(rig.Ada, rig.Ada, "more", 0, telegram.InTopic(one))
		if m := r.Last(); m.Topic != one {
			t.Errorf("the reply is in topic %d:\n%s", m.Topic, r.Telegram.History(rig.Ada))
		}
		third := sessionIn(rig.Talk{Rig: r}, r.Opencode.Directory(), "clean up")
		_, call := third.Ask(rig.ProjectNameQuestion())
		third.Opencode.Archive(third.Session)
		r.SayIn(rig.Ada, rig.Ada, "The Boat", 0, telegram.InTopic(r.Last().Topic))
		r.WantAnswers(call, []string{"The Boat"}) // and nothing tries to close its topic
	})
}

// A copy of a card that hermes learns of by a tap is the topic's as well.
func TestTopics_CopyInADeletedTopic(t *testing.T) {
	playForum(t, "en", func(c rig.Talk) {
		c.Telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
		c.Opencode.Ask(c.Dir, c.Session, rig.LanguagesQuestion())
		c.Wait(1200 * time.Millisecond)
		c.TapIn(rig.Ada, rig.Team, "☐ 1.")
		c.Wait(5 * time.Second)
		c.Telegram.DeleteTopic(rig.Team, wantIn(c, "fix checkout flow").Topic)
		c.Wait(16 * time.Minute)
		if m := wantIn(c, "fix checkout flow"); len(m.Rows) == 0 || m.Deleted {
			t.Errorf("nothing is asked:\n%s", c.Telegram.History(rig.Team))
		}
	})
}

// topics is what the forum has, one topic a word.
func topics(c rig.Talk) string {
	var list []string
	for _, t := range c.Telegram.Topics(rig.Team) {
		list = append(list, fmt.Sprintf("%s closed=%v", t.Name, t.Closed))
	}
	return strings.Join(list, ", ")
}

// wantTopics fails the test unless the group has these topics.
func wantTopics(c rig.Talk, want string) {
	c.T.Helper()
	if got := topics(c); got != want {
		c.T.Errorf("topics: %s; want %s\n%s\n%s", got, want, c.Telegram.History(rig.Team), c.Log.String())
	}
}

// wantIn fails the test unless the newest message is in the topic of this name; "": in
// the chat itself.
func wantIn(c rig.Talk, name string) telegram.Message {
	c.T.Helper()
	m := c.LastIn(rig.Team)
	got := ""
	for _, t := range c.Telegram.Topics(rig.Team) {
		if t.ID == m.Topic {
			got = t.Name
		}
	}
	if got != name {
		c.T.Errorf("the message is in %q, want %q\n%s", got, name, c.Telegram.History(rig.Team))
	}
	return m
}

// answerIn taps on the newest message in the team's chat, and sees that it counts.
func answerIn(c rig.Talk, call string) {
	c.T.Helper()
	c.TapIn(rig.Ada, rig.Team, "1.")
	c.Wait(2 * time.Second)
	c.WantAnswers(call, []string{"SQLite"})
}

// sessionIn is a session of another name or directory.
func sessionIn(c rig.Talk, dir, title string) rig.Talk {
	return rig.Talk{Rig: c.Rig, Dir: dir, Session: c.Opencode.NewSession(dir, title)}
}

// tapCard taps on the newest message of the group that has buttons.
func tapCard(c rig.Talk, user int64, label string) {
	c.T.Helper()
	c.TapIn(user, rig.Team, label)
	c.Wait(2 * time.Second)
}
