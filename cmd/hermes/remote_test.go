package main

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
)

// drivingRig is a talk in which Ada may drive sessions.
func drivingRig(t *testing.T, version string, alter func(*config)) talk {
	t.Helper()
	r := makeRig(t, version, func(c *config) {
		c.Remote, c.IdleDelay = true, 5*time.Second
		if alter != nil {
			alter(c)
		}
	})
	r.start()
	r.say("/start", 0)
	c := talk{rig: r, dir: r.opencode.Directory()}
	c.session = r.opencode.NewSession(c.dir, "fix checkout flow")
	return c
}

// withGroup sets hermes up for a group as well: sessions are driven nowhere else.
func withGroup(id question.ChatID) func(*config) {
	return func(c *config) { c.TelegramChats = append(c.TelegramChats, chat{ID: id}) }
}

// finish lets the session work and come to an end.
func (c talk) finish() {
	c.t.Helper()
	c.opencode.Ask(c.dir, c.session, database())
	c.opencode.AnswerAtTUI(c.opencode.Pending(c.dir)[0], [][]string{{"SQLite"}})
	c.wait(10 * time.Second)
}

// prompts are the texts that the session was given, in their order.
func (c talk) prompts() []string {
	var all []string
	for _, p := range c.opencode.Prompts() {
		all = append(all, p.Text)
	}
	return all
}

func (c talk) wantPrompts(want ...string) {
	c.t.Helper()
	if got := c.prompts(); !slices.Equal(got, want) {
		c.t.Errorf("the session was told %q, want %q\n%s\nlog:\n%s", got, want, c.telegram.History(ada), c.log.String())
	}
}

// driven are what people who drive sessions live through, in both languages.
func driven() map[string]func(talk) {
	return map[string]func(talk){
		"turn-and-reply": func(c talk) {
			c.say("/level turns", 0)
			c.finish()
			c.reply("Now the tests, please.")
			c.wait(20 * time.Second)
			c.wantPrompts("Now the tests, please.")
		},
		"sessions": func(c talk) {
			for _, title := range []string{"read the logs", "add an index"} {
				c.wait(time.Minute)
				c.opencode.NewSession(c.dir, title)
			}
			c.ask(database())
			c.say("/sessions", 0)
			c.tap("3.")
			c.wait(2 * time.Second)
			c.say("/use index", 0)
			c.say("Go on.", c.last().ID)
			c.wait(20 * time.Second)
			c.wantPrompts("Go on.")
			c.say("/use off", 0)
			c.say("/use nothing of that name", 0)
		},
		"new": func(c talk) {
			c.say("/new", 0)
			c.say("Write a poem.", 0)
			c.wait(20 * time.Second)
			c.wantPrompts("Write a poem.")
			c.say("/new elsewhere", 0)
		},
		"seen": func(c talk) {
			c.say("/last", 0)
			c.useSession()
			c.say("/last", 0)
			c.finish()
			c.say("/last", 0)
			c.say("/todo", 0)
			c.say("/diff", 0)
			c.say("/status", 0)
			c.say("/pending", 0)
			c.ask(database())
			c.say("/pending", 0)
		},
		"stopped": func(c talk) {
			c.useSession()
			c.say("/abort", 0)
			c.opencode.Task(c.dir, c.session, "tester", "look at the tests")
			c.wait(2 * time.Second)
			c.say("/abort", 0)
			c.tap(c.word("Let it work", "继续运行"))
			c.wait(2 * time.Second)
			c.say("/abort", 0)
			c.tap(c.word("⏹ Stop", "⏹ 停止"))
			c.wait(30 * time.Second)
		},
		"stopped-too-late": func(c talk) {
			c.useSession()
			c.opencode.Task(c.dir, c.session, "tester", "look at the tests")
			c.wait(2 * time.Second)
			c.say("/abort", 0)
			c.wait(5 * time.Minute)
			c.tap(c.word("⏹ Stop", "⏹ 停止"))
			c.wait(2 * time.Second)
		},
		"busy": func(c talk) {
			c.useSession()
			child := c.opencode.Task(c.dir, c.session, "tester", "look at the tests")
			c.wait(2 * time.Second)
			c.say("And then the docs.", 0)
			c.wait(20 * time.Second)
			c.opencode.Say(child, "All is well.")
			c.wait(20 * time.Second)
			c.wantPrompts("And then the docs.")
		},
		"behind-a-question": func(c talk) {
			c.useSession()
			use := c.last()
			_, call := c.ask(database())
			c.say("Use less memory.", use.ID)
			c.wait(20 * time.Second)
			c.say("1", 0)
			c.wait(20 * time.Second)
			c.got(call, []string{"SQLite"})
			c.wantPrompts("Use less memory.")
		},
		"away-and-deleted": func(c talk) {
			c.useSession()
			c.opencode.Stop()
			c.wait(2 * time.Second)
			c.say("Are you there?", 0)
			c.wait(time.Minute)
			c.opencode.Delete(c.session)
			c.opencode.Start()
			c.wait(2 * time.Minute)
			c.wantPrompts()
		},
		"away-and-back": func(c talk) {
			c.useSession()
			c.opencode.Stop()
			c.wait(2 * time.Second)
			c.say("Are you there?", 0)
			c.wait(time.Minute)
			c.say("/status", 0)
			c.opencode.Start()
			c.wait(2 * time.Minute)
			c.wantPrompts("Are you there?")
		},
		"noted": func(c talk) {
			c.useSession()
			c.say("/noreply The tests are slow today.", 0)
			c.wait(20 * time.Second)
			c.wantPrompts("The tests are slow today.")
		},
		"heard": func(c talk) {
			c.say("/level", 0)
			c.say("/level all", 0)
			c.finish()
			c.say("/mute", 0)
			c.say("/mute 2h", 0)
			c.finish()
			c.wait(2 * time.Hour)
			c.finish()
			c.say("/level questions", 0)
			c.finish()
		},
		"an-answer-or-a-command": func(c talk) {
			_, call := c.ask(projectName())
			c.say("/status", 0)
			c.unanswered(call)
			c.tap(c.word("▶️ A command", "▶️ 是命令"))
			c.wait(2 * time.Second)
			c.say("/status", 0)
			c.tap(c.word("✏️ An answer", "✏️ 是答案"))
			c.wait(3 * time.Second)
			c.got(call, []string{"/status"})
		},
		"an-answer-or-no-command": func(c talk) {
			_, call := c.ask(projectName())
			c.say("/stauts", 0)
			c.unanswered(call)
			c.tap(c.word("▶️ A command", "▶️ 是命令"))
			c.wait(2 * time.Second)
			c.say("/tmp", 0)
			c.tap(c.word("✏️ An answer", "✏️ 是答案"))
			c.wait(3 * time.Second)
			c.got(call, []string{"/tmp"})
			_, call = c.ask(database())
			c.say("/postgres", 0)
			c.unanswered(call)
			c.say("/srv/db is there", 0)
			c.wait(3 * time.Second)
			c.got(call, []string{"/srv/db is there"})
		},
		"an-answer-too-late": func(c talk) {
			request, _ := c.ask(projectName())
			c.say("/new", 0)
			c.opencode.AnswerAtTUI(request, [][]string{{"The Bridge"}})
			c.wait(2 * time.Second)
			c.tap(c.word("✏️ An answer", "✏️ 是答案"))
			c.wait(5 * time.Second)
		},
		"chosen": func(c talk) {
			c.say("/agent plan", 0)
			c.useSession()
			c.say("/agent", 0)
			c.say("/agent nobody", 0)
			c.say("/agent plan", 0)
			c.say("/model", 0)
			c.say("/model fake/m1", 0)
			c.say("/model scripted/second", 0)
			c.say("/run", 0)
			c.say("Think, @asker, and tell me@once.", 0)
			c.wait(20 * time.Second)
			c.say("/agent off", 0)
			c.say("/model off", 0)
			c.say("/run nothing at all", 0)
			c.say("/run say !`id` and @secret.txt", 0)
			c.say("/run say it again", 0)
			c.wait(20 * time.Second)
			sent := c.opencode.Prompts()
			if len(sent) != 2 || sent[0].Agent != "plan" || sent[0].Model != "scripted/second" || sent[1].Command != "say" || sent[1].Model != "" {
				c.t.Errorf("the prompts were %+v", sent)
			}
		},
		"followed": func(c talk) {
			c.say("/follow", 0)
			c.useSession()
			c.say("/follow", 0)
			c.opencode.Speak(c.session, "I look at the checkout flow.\n")
			c.wait(5 * time.Second)
			c.opencode.Speak(c.session, "There is a <bug> in it; ")
			c.wait(10 * time.Second)
			c.opencode.Say(c.session, "I have fixed it.")
			c.wait(20 * time.Second)
			c.opencode.Speak(c.session, "Now the tests.")
			c.wait(5 * time.Second)
			c.opencode.AskBash(c.dir, c.session, "npm test -- checkout")
			c.wait(10 * time.Second)
			c.tapNewest(c.word("✅ Allow once", "✅ 允许一次"))
			c.wait(20 * time.Second)
			c.opencode.Speak(c.session, "One more thing.")
			c.wait(5 * time.Second)
			c.say("Enough.", c.last().ID)
			c.wait(2 * time.Second)
			c.opencode.Stop()
			c.wait(time.Minute)
			c.opencode.Start()
			c.wait(time.Minute)
			c.opencode.Speak(c.session, "Again.")
			c.wait(5 * time.Second)
			c.say("/follow off", 0)
			c.opencode.Say(c.session, " Done.")
			c.wait(20 * time.Second)
		},
		"help": func(c talk) {
			c.say("/help", 0)
			c.say("/restart now", 0)
			c.say("/etc/hosts is wrong", 0)
		},
	}
}

// inLanguages plays each talk in both languages, and holds what is told of it against the
// golden file of its name. settings change the configuration; they may be nil.
func inLanguages(t *testing.T, prefix string, talks map[string]func(talk), settings func(*config), told func(talk, func(talk)) string) {
	t.Helper()
	for name, play := range talks {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := drivingRig(t, opencode.VersionNew, func(c *config) {
						c.Lang = lang
						if settings != nil {
							settings(c)
						}
					})
					defer c.end()
					golden(t, prefix+name+"."+lang+".txt", told(c, play))
				})
			})
		}
	}
}

// told plays a talk and gives Ada's chat.
func (c talk) told(play func(talk)) string {
	play(c)
	return c.telegram.History(ada)
}

func TestDriven(t *testing.T) {
	inLanguages(t, "remote-", driven(), nil, talk.told)
}

// useSession makes what Ada writes go to the session.
func (c talk) useSession() {
	c.t.Helper()
	c.say("/use fix checkout", 0)
	c.screen(c.word("What you write here goes to this session.", "你在这里写的内容会发给这个会话。"))
}

// tapNewest taps on the newest message that has buttons.
func (c talk) tapNewest(label string) {
	c.t.Helper()
	card := 0
	for _, m := range c.telegram.Messages(ada) {
		if len(m.Rows) > 0 {
			card = m.ID
		}
	}
	if _, err := c.telegram.Tap(ada, ada, card, label); err != nil {
		c.t.Fatalf("%v\n%s", err, c.telegram.History(ada))
	}
}
