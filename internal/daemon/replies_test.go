package daemon_test

import (
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
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
			c.TimeOut()
			c.Say("2", card)
			c.Wait(20 * time.Second)
			c.Say("And mind the indexes.", card)
			c.Wait(20 * time.Second)
			c.WantPrompts("Nobody answered your question “Which database should this feature use?” in time. My answer: “PostgreSQL (Recommended)”.", "And mind the indexes.")
		},
		"to-several-questions-that-timed-out": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion(), rig.ProjectNameQuestion())
			card := c.Last().ID
			c.TimeOut()
			c.Say("1", card)
			c.Wait(2 * time.Second)
			c.WantPrompts()
			c.Reply("The Bridge")
			c.Wait(2 * time.Second)
			c.Tap(c.InLanguage(rig.SendButton, rig.SendButtonZh))
			c.Wait(20 * time.Second)
			c.WantPrompts("Nobody answered your question “Which database should this feature use?” in time. My answer: “SQLite”.\n\n" +
				"Nobody answered your question “What shall it be called?” in time. My answer: “The Bridge”.")
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
			c.WantNoButton(offer)
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

// Who may not drive sessions is told that a reply did not go there.
func TestReplies_OfWhoMayNotDrive(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.UseRules("[remote]\nroles = \"boss\"\n[[person]]\nid = 42\nname = \"Ada\"\nroles = \"lead\"\n[[person]]\nid = 43\nname = \"Bob\"\nroles = \"boss\"\n")
		c.Opencode.Ask(c.Dir, c.Session, rig.DatabaseQuestion())
		c.Wait(2 * time.Second)
		card := c.Last().ID
		c.Tap("1.")
		c.Wait(time.Minute)
		c.Say("Now the tests, please.", card)
		c.WantScreen("Already answered: SQLite (Ada", "Your text was not sent to the session: you are not allowed to write to sessions.")
		c.Say("and now?", 0)
		c.WantScreen("Nothing here is waiting for an answer.")
		c.WantPrompts()
	})
}

// A draft goes once, whatever is tapped, and its message keeps working until then.
func TestReplies_DraftIsSentOnce(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.Say("Now the tests, please.", 0)
		c.Wait(2 * time.Second)
		offer := c.Last()
		data := c.Data(offer, "shop-api · fix checkout flow")
		c.Opencode.Stop()
		c.Wait(20 * time.Second)
		c.Tap("shop-api · fix checkout flow")
		c.Wait(20 * time.Second)
		c.WantScreen("OpenCode")
		c.WantPrompts()
		c.Opencode.Restart()
		c.Wait(20 * time.Second)
		first := c.ForgeTap(rig.Ada, rig.Ada, offer.ID, data)
		c.ForgeTap(rig.Ada, rig.Ada, offer.ID, data)
		c.Wait(20 * time.Second)
		again := c.ForgeTap(rig.Ada, rig.Ada, offer.ID, data)
		c.Wait(20 * time.Second)
		c.WantPrompts("Now the tests, please.")
		if first != "" || again != "This text was already sent." {
			t.Errorf("the taps got %q and %q", first, again)
		}
	})
}

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
	}, func(l *rig.Life, c rig.Talk) { l.ReplyToCard("Now the tests, please.") }, "Now the tests, please."},
	"a reply to a question that timed out": {func(c rig.Talk) {
		c.Ask(rig.DatabaseQuestion())
		c.TimeOut()
	}, func(l *rig.Life, c rig.Talk) { l.ReplyToCard("1") }, "Nobody answered your question “Which database should this feature use?” in time. My answer: “SQLite”."},
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
