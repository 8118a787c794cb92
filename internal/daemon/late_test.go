package daemon_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

// lateTalks are what Ada does about questions that wait for no answer any more.
func lateTalks() map[string]func(rig.Talk) {
	return map[string]func(rig.Talk){
		"lost-and-sent": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			tap := outdated(c, "2.")
			loseQuestion(c)
			tap()
			offer := c.Last().ID
			tapLateButton(c)
			c.Wait(20 * time.Second)
			c.WantPrompts("Your question was: Which database should this feature use?\nMy answer: PostgreSQL (Recommended)")
			wantNoButton(c, offer)
		},
		"lost-own-words": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Opencode.Abort(c.Session)
			c.Wait(2 * time.Second)
			c.Reply("Neither: use files, @asker.")
			c.Wait(2 * time.Second)
			tapLateButton(c)
			c.Wait(20 * time.Second)
			c.WantPrompts("Your question was: Which database should this feature use?\nMy answer: Neither: use files, @asker.")
		},
		"lost-chosen-before": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			loseAnswer(c, "1.")
			tapLateButton(c)
			c.Wait(20 * time.Second)
			tapLateButton(c)
			c.WantPrompts("Your question was: Which database should this feature use?\nMy answer: SQLite")
		},
		"lost-half-answered": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion(), rig.LanguagesQuestion(), rig.ProjectNameQuestion())
			c.Tap("2.")
			c.Wait(2 * time.Second)
			loseQuestion(c)
			c.Reply("Go and Zig. Call it The Bridge.")
			c.Wait(2 * time.Second)
			tapLateButton(c)
			c.Wait(20 * time.Second)
			c.WantPrompts("Your question was: Which database should this feature use?\nMy answer: PostgreSQL (Recommended)\n\n" +
				"Your question was: Which languages? What shall it be called?\nMy answer: Go and Zig. Call it The Bridge.")
		},
		"timed-out-and-sent": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			tap := outdated(c, "2.")
			timeOut(c)
			tap()
			tapLateButton(c)
			c.Wait(20 * time.Second)
			c.WantPrompts("Nobody answered your question “Which database should this feature use?” in time. My answer: “PostgreSQL (Recommended)”.")
		},
		"lost-and-deleted": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			loseQuestion(c)
			c.Reply("1")
			c.Wait(2 * time.Second)
			c.Opencode.Delete(c.Session)
			tapLateButton(c)
			c.Wait(20 * time.Second)
			c.WantPrompts()
		},
	}
}

// corrections are what Ada does about what her rules have answered.
func corrections() map[string]func(rig.Talk) {
	return map[string]func(rig.Talk){
		"corrected": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Wait(3 * time.Second)
			c.Reply("1")
			c.Wait(2 * time.Second)
			tapLateButton(c)
			c.Wait(20 * time.Second)
			c.WantPrompts("A rule answered your question “Which database should this feature use?” with “PostgreSQL (Recommended)”. Correction: “SQLite”.")
		},
		"corrected-dismissal": func(c rig.Talk) {
			c.Ask(rig.ProjectNameQuestion())
			c.Wait(3 * time.Second)
			c.Reply("The Bridge")
			c.Wait(2 * time.Second)
			tapLateButton(c)
			c.Wait(20 * time.Second)
			c.WantPrompts("A rule dismissed your question “What shall it be called?”. My answer: “The Bridge”.")
		},
	}
}

func TestLateAnswers_Corrections(t *testing.T) {
	inLanguages(t, "late-", corrections(), nil, func(c rig.Talk, play func(rig.Talk)) string {
		c.UseRules(rig.RulesThatDecide + "\n[remote]\nroles = [\"lead\"]\n")
		return c.TranscriptOf(play)
	})
}

// Who may not drive sessions is told the end of the question, and no more.
func TestLateAnswers_TakeARight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := rig.DrivingRig(t, opencode.VersionNew, nil)
		defer c.End()
		c.UseRules(rig.RulesThatDecide + "\n[[person]]\nid = 43\nname = \"Bob\"\nroles = [\"boss\"]\n[remote]\nroles = [\"boss\"]\n")
		c.Opencode.Ask(c.Dir, c.Session, rig.ColourQuestion())
		c.Wait(2 * time.Second)
		tap := outdated(c, "1.")
		loseQuestion(c)
		tap()
		if text := c.Telegram.History(rig.Ada); !strings.Contains(text, "alerts Ada: No longer waiting: OpenCode was restarted") || strings.Contains(text, rig.LateButton) {
			t.Error(text)
		}
		c.WantPrompts()
	})
}

func TestLateAnswers(t *testing.T) {
	inLanguages(t, "late-", lateTalks(), nil, func(c rig.Talk, play func(rig.Talk)) string {
		return regexp.MustCompile(`forged: [^\]]*`).ReplaceAllString(c.TranscriptOf(play), "a button of before")
	})
}

// A late answer is one line in the journal, with who gave it and what was said.
func TestLateAnswers_AreJournalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := rig.DrivingRig(t, opencode.VersionNew, nil)
		defer c.End()
		c.Ask(rig.DatabaseQuestion())
		loseQuestion(c)
		c.Reply("1")
		c.Wait(2 * time.Second)
		tapLateButton(c)
		c.Wait(20 * time.Second)
		said, done := c.Journal(storage.EntryPrompted), c.Journal(storage.EntryCarried)
		if len(said) != 1 || said[0].By.User != rig.Ada || !strings.Contains(said[0].Note, "My answer: SQLite") {
			t.Errorf("the journal has %+v", said)
		}
		if len(done) != 1 || done[0].Thread != said[0].Thread {
			t.Errorf("the journal has %+v", done)
		}
	})
}

// Where sessions cannot be driven, nothing offers to.
func TestLateAnswers_NoLateAnswersWithoutRemote(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.Remote = false }, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		r.Opencode.Restart()
		r.Wait(5 * time.Second)
		if text := r.Telegram.Transcript(rig.Ada); strings.Contains(text, rig.LateButton) || !strings.Contains(text, "OpenCode was restarted") {
			t.Error(text)
		}
	})
}

// loseQuestion makes OpenCode forget the questions that it asks.
func loseQuestion(c rig.Talk) {
	c.T.Helper()
	c.Opencode.Restart()
	c.Wait(5 * time.Second)
}

// outdated is a tap of Ada's, for later, on a button that the newest message shows now.
func outdated(c rig.Talk, label string) (tap func()) {
	c.T.Helper()
	m := c.Last()
	data := c.Data(m, label)
	return func() { c.ForgeTap(rig.Ada, rig.Ada, m.ID, data) }
}

// loseAnswer lets Ada answer what OpenCode asks, which forgets it before the answer arrives.
func loseAnswer(c rig.Talk, label string) {
	c.T.Helper()
	c.Opencode.SetFault(func(r *http.Request) opencode.Fault {
		if strings.HasSuffix(r.URL.Path, "/reply") {
			return opencode.FailBeforeEffect
		}
		return opencode.NoFault
	})
	c.Tap(label)
	c.Wait(20 * time.Second)
	c.Opencode.Stop()
	c.Wait(20 * time.Second)
	c.Opencode.Restart()
	c.Wait(time.Minute)
	c.Opencode.SetFault(nil)
}

// wantNoButton fails the test if the message has one.
func wantNoButton(c rig.Talk, message int) {
	c.T.Helper()
	for _, m := range c.Telegram.Messages(rig.Ada) {
		if m.ID == message && len(m.Rows) > 0 {
			c.T.Errorf("a button is left:\n%s", c.Telegram.Transcript(rig.Ada))
		}
	}
}

// timeOut lets the time pass in which somebody could have answered.
func timeOut(c rig.Talk) {
	c.T.Helper()
	c.Wait(31 * time.Minute)
}

// tapLateButton taps the button that sends a late answer.
func tapLateButton(c rig.Talk) {
	c.T.Helper()
	c.Tap(c.InLanguage(rig.LateButton, rig.LateButtonZh))
	c.Wait(2 * time.Second)
}
