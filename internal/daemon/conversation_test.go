package daemon_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

func TestMain(m *testing.M) { rig.Main(m) }

// conversations are what people live through. Each is played in English and in
// Chinese, and its transcript is held against testdata.
func conversations() map[string]func(rig.Talk) {
	return map[string]func(rig.Talk){
		"single-choice": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Tap("2.")
			c.Wait(2 * time.Second)
		},
		"typed-label": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Reply("post")
		},
		"typed-number-without-reply": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Say("1", 0)
		},
		"own-words": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Tap(c.InLanguage("✏️ Type an answer", "✏️ 输入答案"))
			c.Wait(2 * time.Second)
			c.Reply("Neither.\n\nUse <b>files</b> & *no* server, שלום 👋")
		},
		"ambiguous": func(c rig.Talk) {
			q := rig.DatabaseQuestion()
			q.Options = append(q.Options, opencode.Option{Label: "PostgreSQL + cache"})
			c.Ask(q)
			c.Reply("post")
			c.Reply(`"post"`)
		},
		"three-questions": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion(), rig.LanguagesQuestion(), rig.ProjectNameQuestion())
			c.Tap("2.")
			c.Wait(2 * time.Second)
			c.Tap("☐ 1.")
			c.Tap("☐ 3.")
			c.Wait(2 * time.Second)
			c.Tap(c.InLanguage("Next", "下一步"))
			c.Wait(2 * time.Second)
			c.Reply("The Bridge")
			c.Wait(2 * time.Second)
			c.Tap(c.InLanguage("✅ Send", "✅ 发送"))
			c.Wait(2 * time.Second)
		},
		"dismissed": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			for _, label := range []string{c.InLanguage("🚫 Dismiss", "🚫 忽略"), c.InLanguage("◀ Back", "◀ 上一步"), "🚫", c.InLanguage("🚫 Dismiss", "🚫 忽略")} {
				c.Tap(label)
				c.Wait(2 * time.Second)
			}
		},
		"answered-at-the-terminal": func(c rig.Talk) {
			request, _ := c.Ask(rig.DatabaseQuestion())
			c.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
			c.Wait(2 * time.Second)
			c.Reply("2")
		},
		"aborted": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Opencode.Abort(c.Session)
			c.Wait(2 * time.Second)
		},
		"restarted": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Opencode.Restart()
			c.Wait(5 * time.Second)
		},
		"expired": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Wait(31 * time.Minute)
		},
		"slow-opencode": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Opencode.SetFault(func(*http.Request) opencode.Fault { return opencode.FailBeforeEffect })
			c.Tap("2.")
			c.Wait(3 * time.Second)
			c.Opencode.SetFault(nil)
			c.Wait(30 * time.Second)
		},
		"subagent": func(c rig.Talk) {
			child := c.Opencode.Task(c.Dir, c.Session, "tester", "look at the tests")
			c.Opencode.Ask(c.Dir, child, rig.DatabaseQuestion())
			c.Wait(2 * time.Second)
			c.Tap("1.")
			c.Wait(2 * time.Second)
		},
		"taken-back": func(c rig.Talk) {
			held(c)
			c.Ask(rig.DatabaseQuestion())
			c.Tap("1.")
			c.Wait(3 * time.Second)
			c.Tap("↩️")
			c.Wait(2 * time.Second)
			c.Tap("2.")
			c.Wait(3 * time.Second)
			c.Reply("no, SQLite")
			c.Wait(15 * time.Second)
		},
		"taken-back-several": func(c rig.Talk) {
			held(c)
			c.Ask(rig.ClosedQuestion(), rig.ClosedQuestion())
			for _, label := range []string{"1.", "2.", c.InLanguage("✅ Send", "✅ 发送"), "↩️", "✏️ 1", "2.", c.InLanguage("✅ Send", "✅ 发送")} {
				c.Tap(label)
				c.Wait(3 * time.Second)
			}
			c.Wait(15 * time.Second)
		},
		"taken-back-permission": func(c rig.Talk) {
			held(c)
			c.Allow(rig.BashPermission("rm -rf build"))
			c.Wait(2 * time.Second)
			c.Press("✅ Allow once", "✅ 允许一次")
			c.Wait(3 * time.Second)
			c.Press("↩️ Undo", "↩️ 撤销")
			c.Wait(3 * time.Second)
			c.Press("🚫 Reject", "🚫 拒绝")
			c.Wait(15 * time.Second)
		},
		"held-and-answered-there": func(c rig.Talk) {
			held(c)
			request, _ := c.Ask(rig.DatabaseQuestion())
			c.Tap("2.")
			c.Wait(3 * time.Second)
			c.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
			c.Wait(2 * time.Second)
		},
		"held-while-opencode-ends": func(c rig.Talk) {
			held(c)
			c.Ask(rig.DatabaseQuestion())
			c.Tap("2.")
			c.Wait(3 * time.Second)
			c.Opencode.Stop()
			c.Wait(15 * time.Second)
			c.Opencode.Start()
			c.Wait(time.Minute)
		},
		"nothing-asked": func(c rig.Talk) {
			c.Say("hello?", 0)
			c.Say("anybody?", 0)
		},
	}
}

// held has hermes hold decisions for ten seconds, from a restart on.
func held(c rig.Talk) {
	c.Halt()
	c.Config.Undo = 10 * time.Second
	c.Start()
}

func TestConversations(t *testing.T) {
	for name, play := range allTalks() {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { rig.Converse(t, name, lang, play) })
			})
		}
	}
}
