package daemon_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// withGroup sets hermes up for a group as well: sessions are driven nowhere else.
func withGroup(id chat.ID) func(*config.Config) {
	return func(c *config.Config) { c.TelegramChats = append(c.TelegramChats, config.Chat{ID: id}) }
}

// driven are what people who drive sessions live through, in both languages.
func driven() map[string]func(rig.Talk) {
	return map[string]func(rig.Talk){
		"turn-and-reply": func(c rig.Talk) {
			finishAfter(c, 3*time.Minute)
			c.Reply("Now the tests, please.")
			c.Wait(20 * time.Second)
			c.WantPrompts("Now the tests, please.")
		},
		"your-turn": func(c rig.Talk) {
			finishAfter(c, 3*time.Minute)
			finishAfter(c, time.Minute)
			restartAfter(c.Rig, time.Second, time.Second, true)
			finishAfter(c, 3*time.Minute)
			c.Say("/level", 0)
			c.Tap(c.InLanguage("Only questions", "只接收提问"))
			finishAfter(c, 3*time.Minute)
		},
		"sessions": func(c rig.Talk) {
			for _, title := range []string{"read the logs", "add an index"} {
				c.Wait(time.Minute)
				c.Opencode.NewSession(c.Dir, title)
			}
			c.Ask(rig.DatabaseQuestion())
			c.Say("/sessions", 0)
			c.Tap("3.")
			c.Wait(2 * time.Second)
			c.Say("/use index", 0)
			c.Say("Go on.", c.Last().ID)
			c.Wait(20 * time.Second)
			c.WantPrompts("Go on.")
			c.Say("/use off", 0)
			c.Say("/use nothing of that name", 0)
		},
		"new": func(c rig.Talk) {
			c.Say("/new", 0)
			c.Say("Write a poem.", 0)
			c.Wait(20 * time.Second)
			c.WantPrompts("Write a poem.")
			c.Say("/new elsewhere", 0)
		},
		"seen": func(c rig.Talk) {
			c.Say("/last", 0)
			c.UseSession()
			c.Say("/last", 0)
			finish(c)
			c.Say("/last", 0)
			c.Say("/todo", 0)
			c.Say("/diff", 0)
			c.Say("/status", 0)
			c.Say("/pending", 0)
			c.Ask(rig.DatabaseQuestion())
			c.Say("/pending", 0)
		},
		"stopped": func(c rig.Talk) {
			c.UseSession()
			c.Say("/abort", 0)
			c.Opencode.Task(c.Dir, c.Session, "tester", "look at the tests")
			c.Wait(2 * time.Second)
			c.Say("/abort", 0)
			c.Tap(c.InLanguage("Let it work", "继续运行"))
			c.Wait(2 * time.Second)
			c.Say("/abort", 0)
			c.Tap(c.InLanguage("⏹ Stop", "⏹ 停止"))
			c.Wait(30 * time.Second)
		},
		"stopped-too-late": func(c rig.Talk) {
			c.UseSession()
			c.Opencode.Task(c.Dir, c.Session, "tester", "look at the tests")
			c.Wait(2 * time.Second)
			c.Say("/abort", 0)
			c.Wait(5 * time.Minute)
			c.Tap(c.InLanguage("⏹ Stop", "⏹ 停止"))
			c.Wait(2 * time.Second)
		},
		"busy": func(c rig.Talk) {
			c.UseSession()
			child := c.Opencode.Task(c.Dir, c.Session, "tester", "look at the tests")
			c.Wait(2 * time.Second)
			c.Say("And then the docs.", 0)
			c.Wait(20 * time.Second)
			c.Opencode.Say(child, "All is well.")
			c.Wait(20 * time.Second)
			c.WantPrompts("And then the docs.")
		},
		"behind-a-question": func(c rig.Talk) {
			c.UseSession()
			use := c.Last()
			_, call := c.Ask(rig.DatabaseQuestion())
			c.Say("Use less memory.", use.ID)
			c.Wait(20 * time.Second)
			c.Say("1", 0)
			c.Wait(20 * time.Second)
			c.WantAnswers(call, []string{"SQLite"})
			c.WantPrompts("Use less memory.")
		},
		"away-and-deleted": func(c rig.Talk) {
			c.UseSession()
			c.Opencode.Stop()
			c.Wait(2 * time.Second)
			c.Say("Are you there?", 0)
			c.Wait(time.Minute)
			c.Opencode.Delete(c.Session)
			c.Opencode.Start()
			c.Wait(2 * time.Minute)
			c.WantPrompts()
		},
		"away-and-back": func(c rig.Talk) {
			c.UseSession()
			c.Opencode.Stop()
			c.Wait(2 * time.Second)
			c.Say("Are you there?", 0)
			c.Wait(time.Minute)
			c.Say("/status", 0)
			c.Opencode.Start()
			c.Wait(2 * time.Minute)
			c.WantPrompts("Are you there?")
		},
		"noted": func(c rig.Talk) {
			c.UseSession()
			c.Say("/noreply The tests are slow today.", 0)
			c.Wait(20 * time.Second)
			c.WantPrompts("The tests are slow today.")
		},
		"heard": func(c rig.Talk) {
			c.Say("/level", 0)
			c.Say("/level all", 0)
			finish(c)
			c.Say("/mute", 0)
			c.Say("/mute 2h", 0)
			finish(c)
			c.Wait(2 * time.Hour)
			finish(c)
			c.Say("/level questions", 0)
			finish(c)
		},
		"an-answer-or-a-command": func(c rig.Talk) {
			_, call := c.Ask(rig.ProjectNameQuestion())
			c.Say("/status", 0)
			c.WantNoAnswer(call)
			c.Tap(c.InLanguage("▶️ A command", "▶️ 是命令"))
			c.Wait(2 * time.Second)
			c.Say("/status", 0)
			c.Tap(c.InLanguage("✏️ An answer", "✏️ 是答案"))
			c.Wait(3 * time.Second)
			c.WantAnswers(call, []string{"/status"})
		},
		"an-answer-or-no-command": func(c rig.Talk) {
			_, call := c.Ask(rig.ProjectNameQuestion())
			c.Say("/stauts", 0)
			c.WantNoAnswer(call)
			c.Tap(c.InLanguage("▶️ A command", "▶️ 是命令"))
			c.Wait(2 * time.Second)
			c.Say("/tmp", 0)
			c.Tap(c.InLanguage("✏️ An answer", "✏️ 是答案"))
			c.Wait(3 * time.Second)
			c.WantAnswers(call, []string{"/tmp"})
			_, call = c.Ask(rig.DatabaseQuestion())
			c.Say("/postgres", 0)
			c.WantNoAnswer(call)
			c.Say("/srv/db is there", 0)
			c.Wait(3 * time.Second)
			c.WantAnswers(call, []string{"/srv/db is there"})
		},
		"an-answer-too-late": func(c rig.Talk) {
			request, _ := c.Ask(rig.ProjectNameQuestion())
			c.Say("/new", 0)
			c.Opencode.AnswerAtTUI(request, [][]string{{"The Bridge"}})
			c.Wait(2 * time.Second)
			c.Tap(c.InLanguage("✏️ An answer", "✏️ 是答案"))
			c.Wait(5 * time.Second)
		},
		"chosen": func(c rig.Talk) {
			c.Say("/agent plan", 0)
			c.UseSession()
			c.Say("/agent", 0)
			c.Say("/agent nobody", 0)
			c.Say("/agent plan", 0)
			c.Say("/model", 0)
			c.Say("/model fake/m1", 0)
			c.Tap("scripted/second")
			c.Say("/run", 0)
			c.Say("Think, @asker, and tell me@once.", 0)
			c.Wait(20 * time.Second)
			c.Say("/agent off", 0)
			c.Say("/model off", 0)
			c.Say("/run nothing at all", 0)
			c.Say("/run say !`id` and @secret.txt", 0)
			c.Say("/run say it again", 0)
			c.Wait(20 * time.Second)
			sent := c.Opencode.Prompts()
			if len(sent) != 2 || sent[0].Agent != "plan" || sent[0].Model != "scripted/second" || sent[1].Command != "say" || sent[1].Model != "" {
				c.T.Errorf("the prompts were %+v", sent)
			}
		},
		"followed": func(c rig.Talk) {
			c.Say("/follow", 0)
			c.UseSession()
			c.Say("/follow", 0)
			c.Opencode.Speak(c.Session, "I look at the checkout flow.\n")
			c.Wait(5 * time.Second)
			c.Opencode.Speak(c.Session, "There is a <bug> in it; ")
			c.Wait(10 * time.Second)
			c.Opencode.Say(c.Session, "I have fixed it.")
			c.Wait(20 * time.Second)
			c.Opencode.Speak(c.Session, "Now the tests.")
			c.Wait(5 * time.Second)
			c.Opencode.AskBash(c.Dir, c.Session, "npm test -- checkout")
			c.Wait(10 * time.Second)
			tapNewest(c, c.InLanguage("✅ Allow once", "✅ 允许一次"))
			c.Wait(20 * time.Second)
			c.Opencode.Speak(c.Session, "One more thing.")
			c.Wait(5 * time.Second)
			c.Say("Enough.", c.Last().ID)
			c.Wait(2 * time.Second)
			c.Opencode.Stop()
			c.Wait(time.Minute)
			c.Opencode.Start()
			c.Wait(time.Minute)
			c.Opencode.Speak(c.Session, "Again.")
			c.Wait(5 * time.Second)
			c.Say("/follow off", 0)
			c.Opencode.Say(c.Session, " Done.")
			c.Wait(20 * time.Second)
		},
		"help": func(c rig.Talk) {
			c.Say("/help", 0)
			c.Say("/restart now", 0)
			c.Say("/etc/hosts is wrong", 0)
		},
	}
}

// inLanguages plays each talk in both languages, and holds what is told of it against the
// golden file of its name. settings change the configuration; they may be nil.
func inLanguages(t *testing.T, prefix string, talks map[string]func(rig.Talk), settings func(*config.Config), told func(rig.Talk, func(rig.Talk)) string) {
	t.Helper()
	for name, play := range talks {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := rig.DrivingRig(t, opencode.VersionNew, func(c *config.Config) {
						c.Lang = lang
						if settings != nil {
							settings(c)
						}
					})
					defer c.End()
					rig.Golden(t, prefix+name+"."+lang+".txt", told(c, play))
				})
			})
		}
	}
}

func TestSessions_Conversations(t *testing.T) {
	inLanguages(t, "remote-", driven(), nil, rig.Talk.TranscriptOf)
}

// finishAfter lets the session work for a while, at the keyboard alone, and come to an end.
func finishAfter(c rig.Talk, works time.Duration) {
	c.T.Helper()
	c.Opencode.Speak(c.Session, "I look at the tests. ")
	c.Wait(works)
	c.Opencode.Say(c.Session, "All is well.")
	c.Wait(10 * time.Second)
}

// tapNewest taps on the newest message that has buttons.
func tapNewest(c rig.Talk, label string) {
	c.T.Helper()
	card := 0
	for _, m := range c.Telegram.Messages(rig.Ada) {
		if len(m.Rows) > 0 {
			card = m.ID
		}
	}
	if _, err := c.Telegram.Tap(rig.Ada, rig.Ada, card, label); err != nil {
		c.T.Fatalf("%v\n%s", err, c.Telegram.History(rig.Ada))
	}
}
