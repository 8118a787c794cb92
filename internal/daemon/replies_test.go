package daemon_test

import (
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

// replyTalks are what Ada writes where nothing waits for it.
func replyTalks() map[string]func(rig.Talk) {
	return map[string]func(rig.Talk){
		"to-an-answered-question": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			card := c.Last().ID
			c.Tap("2.")
			c.Wait(20 * time.Second)
			c.Say("Now the tests, please.", card)
			c.Wait(20 * time.Second)
			c.Say("1", card)
			c.Wait(20 * time.Second)
			c.WantPrompts("Now the tests, please.", "About your question “Which database should this feature use?”: “SQLite”.")
		},
		"to-a-permission-that-was-given": func(c rig.Talk) {
			c.Allow(rig.BashPermission("make test"))
			card := c.Last().ID
			c.Press("✅ Allow once", "✅ 允许一次")
			c.Wait(20 * time.Second)
			c.Say("and then make lint", card)
			c.Wait(20 * time.Second)
			c.WantPrompts("and then make lint")
		},
		"to-a-question-that-timed-out": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			card := c.Last().ID
			timeOut(c)
			c.Say("2", card)
			c.Wait(2 * time.Second)
			c.WantPrompts()
			tapLateButton(c)
			c.Wait(20 * time.Second)
			c.Reply("And mind the indexes.")
			c.Wait(20 * time.Second)
			c.WantPrompts("Nobody answered your question “Which database should this feature use?” in time. My answer: “PostgreSQL (Recommended)”.", "And mind the indexes.")
		},
		"to-several-questions-that-timed-out": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion(), rig.ProjectNameQuestion())
			card := c.Last().ID
			timeOut(c)
			c.Say("SQLite, and call it The Bridge", card)
			c.Wait(2 * time.Second)
			tapLateButton(c)
			c.Wait(20 * time.Second)
			c.WantPrompts("Nobody answered your question “Which database should this feature use? What shall it be called?” in time. My answer: “SQLite, and call it The Bridge”.")
		},
		"while-it-was-answered": func(c rig.Talk) {
			request, _ := c.Ask(rig.DatabaseQuestion())
			card := c.Last().ID
			c.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
			c.Wait(2 * time.Second)
			c.Say("2", card)
			c.WantPrompts()
			c.Wait(10 * time.Second)
			c.Say("Thanks, go on.", card)
			c.Wait(20 * time.Second)
			c.WantPrompts("Thanks, go on.")
			tapLateButton(c)
			c.Wait(20 * time.Second)
			c.WantPrompts("Thanks, go on.", "About your question “Which database should this feature use?”: “PostgreSQL (Recommended)”.")
		},
		"to-a-deleted-session": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Opencode.Delete(c.Session)
			c.Wait(20 * time.Second)
			c.Reply("hello?")
			c.WantPrompts()
		},
		"a-text-for-nothing": func(c rig.Talk) {
			c.Opencode.NewSession(c.Dir, "fix the docs")
			c.Say("Now the tests, please.", 0)
			c.Wait(2 * time.Second)
			offer := c.Last().ID
			c.Tap("shop-api · fix checkout flow")
			c.Wait(20 * time.Second)
			c.WantPrompts("Now the tests, please.")
			wantNoButton(c, offer)
		},
		"commands": func(c rig.Talk) { // each is about the session whose message it replies to
			c.Opencode.NewSession(c.Dir, "fix the docs")
			c.Say("/use fix the docs", 0)
			docs := c.Last().ID
			c.UseSession()
			checkout := c.Last().ID
			c.Say("Look around.", checkout)
			c.Wait(20 * time.Second)
			c.Say("/model", checkout)
			c.Say("/follow", docs)
			c.Say("/model", checkout)
			c.Tap("scripted/second")
			c.Wait(2 * time.Second)
			c.Say("/status", 0)
			c.Say("/agent plan", docs)
			c.Say("And then?", 0)
			c.Wait(20 * time.Second)
			c.Say("/status", 0)
			c.Say("/status", checkout)
			c.Say("/diff", checkout)
			c.WantPrompts("Look around.", "And then?")
		},
		"abort-in-reply-to-a-question": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			card := c.Last().ID
			c.Say("/abort", card)
			c.Tap(c.InLanguage("▶️ A command", "▶️ 是命令"))
			c.Wait(2 * time.Second)
			c.Tap(c.InLanguage("⏹ Stop", "⏹ 停止"))
			c.Wait(20 * time.Second)
			if c.Opencode.Busy(c.Session) {
				c.T.Error("the session works")
			}
		},
	}
}

func TestReplies(t *testing.T) { inLanguages(t, "reply-", replyTalks(), nil, rig.Talk.TranscriptOf) }

// replyLives are what Ada does with such texts while hermes is killed.
var replyLives = map[string]struct {
	before func(rig.Talk)
	live   func(*rig.Life, rig.Talk)
	prompt string
}{
	"a text for nothing": {func(rig.Talk) {}, func(l *rig.Life, c rig.Talk) {
		l.Write(c, "Now the tests, please.")
		l.PressWherever("shop-api · fix checkout flow")
	}, "Now the tests, please."},
	"a reply to an answered question": {func(c rig.Talk) {
		c.Ask(rig.DatabaseQuestion())
		c.Tap("1.")
		c.Wait(20 * time.Second)
	}, func(l *rig.Life, c rig.Talk) { replyToCard(l, "Now the tests, please.") }, "Now the tests, please."},
	"the answer that was lost": {func(c rig.Talk) {
		c.Ask(rig.DatabaseQuestion())
		loseAnswer(c, "1.")
	}, func(l *rig.Life, _ rig.Talk) { l.PressWherever(rig.LateButton) }, "Your question was: Which database should this feature use?\nMy answer: SQLite"},
	"a reply to a question that timed out": {func(c rig.Talk) {
		c.Ask(rig.DatabaseQuestion())
		timeOut(c)
	}, func(l *rig.Life, c rig.Talk) {
		replyToCard(l, "1")
		l.PressWherever(rig.LateButton)
	}, "Nobody answered your question “Which database should this feature use?” in time. My answer: “SQLite”."},
}

// TestReplies_Killed kills hermes at each of its operations in turn: the session has the text
// once, and Ada sees that it has.
func TestReplies_Killed(t *testing.T) {
	for name := range replyLives {
		everyKill(t, "replies: "+name, func(t *testing.T, k *rig.Killer) string { return replyLife(t, name, k) })
	}
}

func replyLife(t *testing.T, name string, k *rig.Killer) string {
	c := rig.DrivingRig(t, opencode.VersionNew, nil)
	story := replyLives[name]
	story.before(c)
	c.Halt()
	l := &rig.Life{Rig: c.Rig, Killer: k}
	c.Wrap = k.Around
	c.Start()
	l.Pass(5 * time.Second)
	story.live(l, c)
	l.Pass(3 * time.Minute)
	what := k.Killed()
	c.WantPrompts(story.prompt)
	if n := len(c.Journal(storage.EntryPrompted)); n != 1 {
		t.Errorf("%d prompts are in the journal", n)
	}
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v\n%s\nlog:\n%s", k.At, what, k.After, c.Telegram.Transcript(rig.Ada), c.Log.String())
	}
	c.EndAfterKill(what)
	return what
}

// A reply to what ended counts as written too soon for five seconds, however Telegram's clock differs from the one here.
func TestReplies_OtherClock(t *testing.T) {
	for _, ahead := range []time.Duration{-time.Hour, 0, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			r := rig.NewStoppedOn(t, opencode.VersionNew, telegram.Options{Ahead: ahead}, func(c *config.Config) { c.Remote = true })
			r.Start()
			defer r.End()
			r.Say("/start", 0)
			c := rig.Talk{Rig: r, Dir: r.Opencode.Directory()}
			c.Session = r.Opencode.NewSession(c.Dir, "fix checkout flow")
			request, _ := c.Ask(rig.DatabaseQuestion())
			card := r.Last().ID
			c.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
			c.Wait(2 * time.Second)
			r.Say("2", card)
			c.WantScreen("Your answer was not sent")
			c.Wait(8 * time.Second)
			r.Say("and add an index", card)
			c.WantPrompts("and add an index")
		})
	}
}

// replyToCard is a reply of Ada's to the first card, whether hermes is alive or not.
func replyToCard(l *rig.Life, text string) {
	l.T.Helper()
	for _, m := range l.Telegram.Messages(rig.Ada) {
		if m.FromBot && strings.Contains(m.Text, "Database") {
			if _, err := l.Telegram.Say(rig.Ada, rig.Ada, text, telegram.ReplyTo(m.ID)); err != nil {
				l.T.Fatal(err)
			}
			break
		}
	}
	l.Pass(5 * time.Second)
}
