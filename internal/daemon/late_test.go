package daemon_test

import (
	"net/http"
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
			c.LoseQuestion()
			card := c.Last().ID
			c.TapLateButton()
			c.Tap("2.")
			c.Wait(20 * time.Second)
			c.WantPrompts("Your question was: Which database should this feature use?\nMy answer: PostgreSQL (Recommended)")
			c.WantNoButton(card)
		},
		"lost-own-words": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.Opencode.Abort(c.Session)
			c.Wait(2 * time.Second)
			c.TapLateButton()
			c.Reply("Neither: use files, @asker.")
			c.Wait(20 * time.Second)
			c.WantPrompts("Your question was: Which database should this feature use?\nMy answer: Neither: use files, @asker.")
		},
		"lost-chosen-before": func(c rig.Talk) {
			c.Opencode.SetFault(func(r *http.Request) opencode.Fault {
				if strings.HasSuffix(r.URL.Path, "/reply") {
					return opencode.FailBeforeEffect
				}
				return opencode.NoFault
			})
			c.Ask(rig.DatabaseQuestion())
			c.Tap("1.")
			c.Wait(20 * time.Second)
			c.Opencode.Stop()
			c.Wait(20 * time.Second)
			c.Opencode.Restart()
			c.Wait(time.Minute)
			c.Opencode.SetFault(nil)
			c.TapLateButton()
			c.Tap(c.InLanguage(rig.SendButton, rig.SendButtonZh))
			c.Wait(20 * time.Second)
			c.WantPrompts("Your question was: Which database should this feature use?\nMy answer: SQLite")
		},
		"lost-half-answered": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion(), rig.LanguagesQuestion(), rig.ProjectNameQuestion())
			c.Tap("2.")
			c.Wait(2 * time.Second)
			c.LoseQuestion()
			c.TapLateButton()
			c.Tap("☐ 1.")
			c.Wait(2 * time.Second)
			c.Tap("☐ 3.")
			c.Wait(2 * time.Second)
			c.Tap(c.InLanguage("Next", "下一步"))
			c.Wait(2 * time.Second)
			c.Reply("The Bridge")
			c.Wait(2 * time.Second)
			c.Tap(c.InLanguage(rig.SendButton, rig.SendButtonZh))
			c.Wait(20 * time.Second)
			c.WantPrompts("Your question was: Which database should this feature use?\nMy answer: PostgreSQL (Recommended)\n\n" +
				"Your question was: Which languages?\nMy answer: Go, Zig\n\nYour question was: What shall it be called?\nMy answer: The Bridge")
		},
		"lost-and-given-up": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.LoseQuestion()
			card := c.Last().ID
			c.TapLateButton()
			c.Tap(c.InLanguage("🚫 Send nothing", "🚫 不发送"))
			c.Wait(2 * time.Second)
			c.WantPrompts()
			c.TapOn(card, c.InLanguage(rig.LateButton, rig.LateButtonZh))
		},
		"timed-out-and-sent": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.TimeOut()
			card := c.CardWith("Database").ID
			c.TapLateButton()
			c.Tap("2.")
			c.Wait(20 * time.Second)
			c.WantPrompts("Nobody answered your question “Which database should this feature use?” in time. My answer: “PostgreSQL (Recommended)”.")
			c.WantNoButton(card)
		},
		"timed-out-own-words": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.TimeOut()
			c.TapLateButton()
			c.Reply("Neither: use files.")
			c.Wait(20 * time.Second)
			c.WantPrompts("Nobody answered your question “Which database should this feature use?” in time. My answer: “Neither: use files.”.")
		},
		"lost-and-deleted": func(c rig.Talk) {
			c.Ask(rig.DatabaseQuestion())
			c.LoseQuestion()
			c.Opencode.Delete(c.Session)
			c.TapLateButton()
			c.Tap("1.")
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
			c.Tap(c.InLanguage("✏️ Correct it", "✏️ 更正"))
			c.Wait(2 * time.Second)
			c.Tap("1.")
			c.Wait(20 * time.Second)
			c.WantPrompts("A rule answered your question “Which database should this feature use?” with “PostgreSQL (Recommended)”. Correction: “SQLite”.")
		},
		"corrected-dismissal": func(c rig.Talk) {
			c.Ask(rig.ProjectNameQuestion())
			c.Wait(3 * time.Second)
			c.Tap(c.InLanguage("✏️ Correct it", "✏️ 更正"))
			c.Wait(2 * time.Second)
			c.Reply("The Bridge")
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

// What a rule has rejected was not run: that is told by the agent's session, and not corrected.
func TestLateAnswers_NoCorrectionOfPermissions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := rig.DrivingRig(t, opencode.VersionNew, nil)
		defer c.End()
		c.UseRules(rig.RulesThatDecide + "\n[remote]\nroles = [\"lead\"]\n")
		c.Allow(rig.BashPermission("rm -rf build"))
		c.Wait(3 * time.Second)
		if m := c.Last(); !strings.HasPrefix(m.Text, "🤖") || len(m.Rows) > 0 {
			t.Error(c.Telegram.Transcript(rig.Ada))
		}
	})
}

// Who may not drive sessions cannot send a late answer, and is told so.
func TestLateAnswers_TakeARight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := rig.DrivingRig(t, opencode.VersionNew, nil)
		defer c.End()
		c.UseRules(rig.RulesThatDecide + "\n[[person]]\nid = 43\nname = \"Bob\"\nroles = [\"boss\"]\n[remote]\nroles = [\"boss\"]\n")
		c.Opencode.Ask(c.Dir, c.Session, rig.ColourQuestion())
		c.Wait(2 * time.Second)
		c.LoseQuestion()
		c.TapLateButton()
		if text := c.Telegram.History(rig.Ada); !strings.Contains(text, "alerts Ada: You have no role here") || strings.Contains(text, "📨 The agent is no longer waiting") {
			t.Error(text)
		}
		c.WantPrompts()
	})
}

func TestLateAnswers(t *testing.T) {
	inLanguages(t, "late-", lateTalks(), nil, func(c rig.Talk, play func(rig.Talk)) string {
		_, late, _ := strings.Cut(c.TranscriptOf(play), "Ada taps [📨") // what was before is told elsewhere
		return "Ada taps [📨" + late
	})
}

// An offer that was left lying says, when it is tapped, that another one was used.
func TestLateAnswers_SecondOfferComesTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := rig.DrivingRig(t, opencode.VersionNew, nil)
		defer c.End()
		c.Ask(rig.DatabaseQuestion())
		c.LoseQuestion()
		card := c.Last().ID
		c.TapOn(card, rig.LateButton)
		c.TapOn(card, rig.LateButton)
		second := c.Last().ID
		c.TapOn(second-1, "1.")
		c.Wait(20 * time.Second)
		c.TapOn(second, "2.")
		c.WantPrompts("Your question was: Which database should this feature use?\nMy answer: SQLite")
		c.WantNoButton(second)
		const end = "There is already an answer, sent as a prompt: SQLite (Ada, 00:00)"
		if text := c.Telegram.History(rig.Ada); strings.Count(text, end) != 2 || !strings.Contains(text, "alerts Ada: "+end) {
			t.Error(text)
		}
	})
}

// A late answer is one line in the journal, with who gave it and what was said.
func TestLateAnswers_AreJournalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := rig.DrivingRig(t, opencode.VersionNew, nil)
		defer c.End()
		request, _ := c.Ask(rig.DatabaseQuestion())
		c.LoseQuestion()
		c.TapLateButton()
		c.Tap("1.")
		c.Wait(20 * time.Second)
		said, done := c.Journal(storage.EntryPrompted), c.Journal(storage.EntryCarried)
		if len(said) != 1 || said[0].By.User != rig.Ada || string(said[0].Request) != request || !strings.Contains(said[0].Note, "My answer: SQLite") {
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
