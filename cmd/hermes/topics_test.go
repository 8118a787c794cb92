package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

const billing = "/home/ada/src/billing"

// withTopics configures topics, and where questions go.
func withTopics(ids ...int64) func(*config) {
	return func(c *config) {
		c.Topics, c.TelegramChats = true, nil
		for _, id := range ids {
			c.TelegramChats = append(c.TelegramChats, chat{ID: question.ChatID(id)})
		}
	}
}

// addForum makes the team's group a forum where the bot may manage topics.
func (r *rig) addForum() {
	r.telegram.AddChat(telegram.Chat{
		ID: team, Type: telegram.Supergroup, Title: "Team", Forum: true, Members: []int64{ada, eve}, Admins: []int64{bob},
		BotAdmin: true, ManageTopics: true,
	})
}

// playForum plays in the team's forum, with a session in shop-api.
func playForum(t *testing.T, lang string, test func(talk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := makeRig(t, opencode.VersionNew, func(c *config) {
			withTopics(team)(c)
			c.Lang = lang
		})
		r.addForum()
		r.start()
		defer r.end()
		c := talk{rig: r, dir: r.opencode.Directory()}
		c.session = r.opencode.NewSession(c.dir, "fix checkout flow")
		test(c)
	})
}

// in is a session of another name or directory.
func (c talk) in(dir, title string) talk {
	return talk{rig: c.rig, dir: dir, session: c.opencode.NewSession(dir, title)}
}

// topics is what the forum has, one topic a word.
func (c talk) topics() string {
	var list []string
	for _, t := range c.telegram.Topics(team) {
		list = append(list, fmt.Sprintf("%s closed=%v", t.Name, t.Closed))
	}
	return strings.Join(list, ", ")
}

func (c talk) wantTopics(want string) {
	c.t.Helper()
	if got := c.topics(); got != want {
		c.t.Errorf("topics: %s; want %s\n%s\n%s", got, want, c.telegram.History(team), c.log.String())
	}
}

// wantIn fails the test unless the newest message is in the topic of this name; "": in
// the chat itself.
func (c talk) wantIn(name string) telegram.Message {
	c.t.Helper()
	m := c.lastIn(team)
	got := ""
	for _, t := range c.telegram.Topics(team) {
		if t.ID == m.Topic {
			got = t.Name
		}
	}
	if got != name {
		c.t.Errorf("the message is in %q, want %q\n%s", got, name, c.telegram.History(team))
	}
	return m
}

// answerIn taps on the newest message in the team's chat, and sees that it counts.
func (c talk) answerIn(call string) {
	c.t.Helper()
	c.tapIn(ada, team, "1.")
	c.wait(2 * time.Second)
	c.got(call, []string{"SQLite"})
}

// Two sessions of two projects in one forum.
func TestTopicsConversation(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		t.Run(lang, func(t *testing.T) {
			playForum(t, lang, func(c talk) {
				pay := c.in(billing, "")
				c.ask(database())
				_, call := pay.ask(database())
				c.opencode.Rename(pay.session, "round half up")
				c.wait(2 * time.Second)
				c.sayIn(ada, team, "PostgreSQL, or what do you think?", 0, telegram.InTopic(c.lastIn(team).Topic))
				pay.answerIn(call)
				c.wait(16 * time.Minute) // a reminder
				c.tapCard(ada, "2.")
				c.opencode.Archive(c.session)
				c.opencode.Delete(pay.session)
				c.wait(2 * time.Second)
				c.ask(database())
				golden(t, "topics."+lang+".txt", c.telegram.History(team))
			})
		})
	}
}

// tapCard taps on the newest message that has buttons.
func (c talk) tapCard(user int64, label string) {
	c.t.Helper()
	for _, m := range slices.Backward(c.telegram.Messages(team)) {
		if len(m.Rows) > 0 && !m.Deleted {
			if _, err := c.telegram.Tap(user, team, m.ID, label); err != nil {
				c.t.Fatal(err)
			}
			c.wait(2 * time.Second)
			return
		}
	}
	c.t.Fatal("no message has buttons:\n" + c.telegram.History(team))
}

// Whatever becomes of the call that makes a topic: the question is asked within
// seconds, can be answered, and no more than two topics are left that nobody uses.
func TestTopicFaults(t *testing.T) {
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
			playForum(t, "en", func(c talk) {
				if test.times > 0 {
					c.telegram.FailNext("createForumTopic", slices.Repeat([]telegram.Fault{test.fault}, test.times)...)
				} else {
					c.telegram.SetFault(func(call telegram.Call) telegram.Fault {
						if call.Method == "createForumTopic" {
							return test.fault
						}
						return telegram.Fault{}
					})
				}
				_, call := c.ask(database())
				c.wait(15 * time.Second)
				c.wantIn(test.in)
				c.answerIn(call)
				for range 5 {
					c.wait(11 * time.Minute)
					_, call := c.ask(database())
					c.wait(15 * time.Second)
					c.answerIn(call)
				}
				if n := len(c.telegram.Topics(team)); test.times == 0 && n != test.left {
					t.Errorf("%d topics are left:\n%s", n, c.telegram.History(team))
				}
				lines := strings.Count(c.log.String(), "a session's topic is not as it should be")
				if max := 1; name == "no right" && lines != max {
					t.Errorf("the log tells it %d times:\n%s", lines, c.log.String())
				}
			})
		})
	}
}

// A restart at every point between the ask and the card.
func TestTopicsAndRestarts(t *testing.T) {
	for name, test := range map[string]struct {
		method string
		fault  telegram.Fault
		topics int
	}{
		"before the topic":                  {"createForumTopic", telegram.Fault{Kind: telegram.Unreachable}, 1},
		"the topic is made, and not stored": {"createForumTopic", telegram.Fault{Kind: telegram.ResetAfter, Delay: 4 * time.Second}, 2},
		"between topic and card":            {"sendMessage", telegram.Fault{Kind: telegram.Unreachable}, 1},
		"the card is sent, and not stored":  {"sendMessage", telegram.Fault{Kind: telegram.ResetAfter}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			playForum(t, "en", func(c talk) {
				c.telegram.SetFault(func(call telegram.Call) telegram.Fault {
					if call.Method == test.method {
						return test.fault
					}
					return telegram.Fault{}
				})
				_, call := c.opencode.Ask(c.dir, c.session, database())
				c.wait(1500 * time.Millisecond)
				c.halt()
				c.telegram.SetFault(nil)
				c.start()
				c.wait(20 * time.Second)
				c.wantIn("fix checkout flow")
				c.answerIn(call)
				if n := len(c.telegram.Topics(team)); n != test.topics {
					t.Errorf("%d topics:\n%s", n, c.telegram.History(team))
				}
				c.halt()
				c.start()
				_, call = c.ask(database())
				c.wantIn("fix checkout flow")
				c.answerIn(call)
				if n := len(c.telegram.Topics(team)); n != test.topics {
					t.Errorf("after a restart %d topics:\n%s", n, c.telegram.History(team))
				}
			})
		})
	}
}

// What somebody deleted comes back once; the second time the chat itself gets it.
func TestTopicIsDeleted(t *testing.T) {
	playForum(t, "en", func(c talk) {
		_, call := c.ask(database())
		c.telegram.DeleteTopic(team, c.wantIn("fix checkout flow").Topic)
		c.wait(16 * time.Minute) // the reminder finds out
		c.wantTopics("fix checkout flow closed=false")
		c.wantIn("fix checkout flow")
		c.answerIn(call)
		c.telegram.DeleteTopic(team, c.lastIn(team).Topic)
		_, call = c.ask(database())
		c.wait(5 * time.Second)
		c.wantTopics("")
		c.wantIn("")
		c.answerIn(call)
		c.halt()
		c.start()
		_, call = c.ask(database())
		c.wantIn("")
		c.answerIn(call)
	})
}

// A copy of a card that hermes learns of by a tap is the topic's as well.
func TestCopyInADeletedTopic(t *testing.T) {
	playForum(t, "en", func(c talk) {
		c.telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
		c.opencode.Ask(c.dir, c.session, languages())
		c.wait(1200 * time.Millisecond)
		c.tapIn(ada, team, "☐ 1.")
		c.wait(5 * time.Second)
		c.telegram.DeleteTopic(team, c.wantIn("fix checkout flow").Topic)
		c.wait(16 * time.Minute)
		if m := c.wantIn("fix checkout flow"); len(m.Rows) == 0 || m.Deleted {
			t.Errorf("nothing is asked:\n%s", c.telegram.History(team))
		}
	})
}

// A topic is closed when its session has ended and all is told, and opened again.
func TestTopicIsClosed(t *testing.T) {
	playForum(t, "en", func(c talk) {
		_, call := c.ask(database())
		c.opencode.Archive(c.session)
		c.wait(2 * time.Second)
		c.wantTopics("fix checkout flow closed=false")
		c.telegram.FailNext("closeForumTopic", telegram.Fault{Kind: telegram.ResetBefore}, telegram.Fault{Kind: telegram.ResetAfter})
		c.answerIn(call)
		c.wait(10 * time.Second)
		c.wantTopics("fix checkout flow closed=true")
		c.halt()
		c.start()
		c.telegram.FailNext("reopenForumTopic", telegram.Fault{Kind: telegram.ResetAfter})
		_, call = c.ask(database())
		c.wait(5 * time.Second)
		c.wantIn("fix checkout flow")
		c.answerIn(call)
		c.wantTopics("fix checkout flow closed=false")
		c.telegram.SetFault(func(call telegram.Call) telegram.Fault {
			if call.Method == "closeForumTopic" {
				return telegram.Fault{Kind: telegram.Unreachable}
			}
			return telegram.Fault{}
		})
		c.opencode.Delete(c.session)
		c.wait(500 * time.Millisecond)
		c.halt()
		c.telegram.SetFault(nil)
		c.start()
		c.wait(2 * time.Second)
		c.wantTopics("fix checkout flow closed=true")
	})
}

// A session that is deleted with a question open has ended too.
func TestTopicOfADeletedSession(t *testing.T) {
	playForum(t, "en", func(c talk) {
		c.ask(database())
		c.opencode.Delete(c.session)
		c.opencode.Abort(c.session)
		c.wait(time.Minute)
		c.screenIn(team, "⚠️")
		c.wantTopics("fix checkout flow closed=true")
	})
	playForum(t, "en", func(c talk) { // while hermes is not there
		c.ask(database())
		c.halt()
		c.opencode.Abort(c.session)
		c.opencode.Delete(c.session)
		c.start()
		c.wait(time.Minute)
		c.wantTopics("fix checkout flow closed=true")
	})
}

// It is deleted, or archived and asks again, at inconvenient moments.
func TestTopicOfASessionThatComesBack(t *testing.T) {
	for name, meanwhile := range map[string]func(talk){
		"while it is being closed": func(c talk) {
			c.telegram.FailNext("closeForumTopic", telegram.Fault{Delay: 4 * time.Second})
			c.opencode.Archive(c.session)
			c.wait(time.Second)
		},
		"when somebody deleted the topic": func(c talk) {
			c.opencode.Archive(c.session)
			c.wait(2 * time.Second)
			c.telegram.DeleteTopic(team, c.telegram.Topics(team)[0].ID)
		},
		"when somebody opened it": func(c talk) {
			c.opencode.Archive(c.session)
			c.wait(2 * time.Second)
			c.telegram.ReopenTopic(team, c.telegram.Topics(team)[0].ID)
		},
		"before it could be closed": func(c talk) {
			_, call := c.ask(closed())
			c.opencode.Archive(c.session)
			c.wait(time.Second)
			c.ask(database())
			c.tapCard(ada, "1.")
			if _, ok := c.opencode.Received(call); ok {
				c.t.Error("the wrong one was answered")
			}
			c.opencode.Abort(c.session)
			c.wait(time.Minute)
			c.wantTopics("fix checkout flow closed=false")
		},
	} {
		t.Run(name, func(t *testing.T) {
			playForum(t, "en", func(c talk) {
				_, call := c.ask(database())
				c.answerIn(call)
				meanwhile(c)
				_, call = c.ask(database())
				c.wait(15 * time.Second)
				c.wantIn("fix checkout flow")
				c.answerIn(call)
				c.wantTopics("fix checkout flow closed=false")
			})
		})
	}
}

// Questions of a subagent are in the topic of its root session.
func TestTopicOfASubagent(t *testing.T) {
	playForum(t, "en", func(c talk) {
		child := c.opencode.Task(c.dir, c.session, "tester", "look at the tests")
		_, call := c.opencode.Ask(c.dir, child, database())
		c.wait(2 * time.Second)
		c.wantIn("fix checkout flow")
		c.answerIn(call)
		c.opencode.Delete(child)
		c.wait(2 * time.Second)
		c.wantTopics("fix checkout flow closed=false")
	})
}

// A chat that is no forum gets its questions as before, also when it becomes a
// supergroup meanwhile.
func TestTopicsWithoutForum(t *testing.T) {
	play(t, withTopics(pair), func(r *rig) {
		r.telegram.AddChat(telegram.Chat{ID: pair, Type: telegram.Group, Title: "Pair", Members: []int64{ada, bob}})
		_, call := r.ask(database())
		after, err := r.telegram.Upgrade(ada, pair)
		if err != nil {
			t.Fatal(err)
		}
		r.wait(10 * time.Second)
		r.tapIn(bob, after, "1.")
		r.wait(2 * time.Second)
		r.got(call, []string{"SQLite"})
	})
}

// A group became a supergroup while hermes did not hear of it.
func TestTopicOfAChatThatMoved(t *testing.T) {
	play(t, withTopics(pair), func(r *rig) {
		r.telegram.AddChat(telegram.Chat{ID: pair, Type: telegram.Group, Title: "Pair", Members: []int64{ada, bob}})
		r.telegram.SetFault(func(c telegram.Call) telegram.Fault {
			if c.Method == "getUpdates" {
				return telegram.Fault{Kind: telegram.Unreachable}
			}
			return telegram.Fault{}
		})
		r.wait(2 * time.Minute)
		after, err := r.telegram.Upgrade(ada, pair)
		if err != nil {
			t.Fatal(err)
		}
		_, call := r.ask(database())
		r.telegram.SetFault(nil)
		r.wait(time.Minute)
		r.tapIn(bob, after, "1.")
		r.wait(2 * time.Second)
		r.got(call, []string{"SQLite"})
	})
}

// A rule's topic stays what it is, and a right that is given later counts.
func TestTopicsByRight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := makeRig(t, opencode.VersionNew, withTopics(team))
		r.addTeam(true)
		news := r.telegram.AddTopic(team, "News")
		r.config.TelegramChats = append(r.config.TelegramChats, chat{ID: team, Topic: news})
		r.start()
		defer r.end()
		r.ask(database())
		all := r.telegram.Messages(team)
		if len(all) != 2 || all[0].Topic+all[1].Topic != news {
			t.Errorf("%+v\n%s", all, r.telegram.History(team))
		}
		if err := r.telegram.Entrust(bob, team); err != nil {
			t.Fatal(err)
		}
		r.ask(database()) // of another session
		all = r.telegram.Messages(team)
		topics := r.telegram.Topics(team)
		if len(all) != 4 || len(topics) != 2 || all[2].Topic+all[3].Topic != news+topics[1].ID {
			t.Errorf("%+v, %+v\n%s", all, topics, r.telegram.History(team))
		}
	})
}

// In a private chat with topics, a text in a topic is for that session.
func TestPrivateTopics(t *testing.T) {
	play(t, withTopics(ada), func(r *rig) {
		_, first := r.ask(projectName())
		one := r.last().Topic
		_, second := r.ask(projectName())
		two := r.last().Topic
		if one == 0 || two == 0 || one == two {
			t.Fatalf("topics %d and %d", one, two)
		}
		r.sayIn(ada, ada, "The Bridge", 0, telegram.InTopic(one))
		r.got(first, []string{"The Bridge"})
		r.unanswered(second)
		r.sayIn(ada, ada, "The Ferry", 0, telegram.InTopic(two))
		r.got(second, []string{"The Ferry"})
		r.sayIn(ada, ada, "more", 0, telegram.InTopic(one))
		if m := r.last(); m.Topic != one {
			t.Errorf("the reply is in topic %d:\n%s", m.Topic, r.telegram.History(ada))
		}
		third := talk{rig: r, dir: r.opencode.Directory()}.in(r.opencode.Directory(), "clean up")
		_, call := third.ask(projectName())
		third.opencode.Archive(third.session)
		r.sayIn(ada, ada, "The Boat", 0, telegram.InTopic(r.last().Topic))
		r.got(call, []string{"The Boat"}) // and nothing tries to close its topic
	})
}

// Without the setting no call about topics is made.
func TestNoTopics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := makeRig(t, opencode.VersionNew, in(chat{ID: team}))
		r.addForum()
		r.start()
		defer r.end()
		_, call := r.ask(database())
		r.tapIn(ada, team, "1.")
		r.wait(2 * time.Second)
		r.got(call, []string{"SQLite"})
		if n := r.telegram.Count("createForumTopic"); n != 0 || r.lastIn(team).Topic != 0 {
			t.Errorf("%d topics:\n%s", n, r.telegram.History(team))
		}
	})
}
