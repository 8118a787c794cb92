package main

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
)

const (
	lateButton, lateButtonZh = "📨 Send my answer as a prompt", "📨 把我的回答作为提示发送"
	sendButton, sendButtonZh = "✅ Send", "✅ 发送"
)

// lose makes OpenCode forget the questions that it asks.
func (c talk) lose() {
	c.t.Helper()
	c.opencode.Restart()
	c.wait(5 * time.Second)
}

// late taps the button of the card that has ended.
func (c talk) late() {
	c.t.Helper()
	c.tap(c.word(lateButton, lateButtonZh))
	c.wait(2 * time.Second)
}

// lateTalks are what Ada does about questions that wait for no answer any more.
func lateTalks() map[string]func(talk) {
	return map[string]func(talk){
		"lost-and-sent": func(c talk) {
			c.ask(database())
			c.lose()
			card := c.last().ID
			c.late()
			c.tap("2.")
			c.wait(20 * time.Second)
			c.wantPrompts("Your question was: Which database should this feature use?\nMy answer: PostgreSQL (Recommended)")
			c.noButton(card)
		},
		"lost-own-words": func(c talk) {
			c.ask(database())
			c.opencode.Abort(c.session)
			c.wait(2 * time.Second)
			c.late()
			c.reply("Neither: use files, @asker.")
			c.wait(20 * time.Second)
			c.wantPrompts("Your question was: Which database should this feature use?\nMy answer: Neither: use files, @asker.")
		},
		"lost-chosen-before": func(c talk) {
			c.opencode.SetFault(func(r *http.Request) opencode.Fault {
				if strings.HasSuffix(r.URL.Path, "/reply") {
					return opencode.FailBeforeEffect
				}
				return opencode.NoFault
			})
			c.ask(database())
			c.tap("1.")
			c.wait(20 * time.Second)
			c.opencode.Stop()
			c.wait(20 * time.Second)
			c.opencode.Restart()
			c.wait(time.Minute)
			c.opencode.SetFault(nil)
			c.late()
			c.tap(c.word(sendButton, sendButtonZh))
			c.wait(20 * time.Second)
			c.wantPrompts("Your question was: Which database should this feature use?\nMy answer: SQLite")
		},
		"lost-half-answered": func(c talk) {
			c.ask(database(), languages(), projectName())
			c.tap("2.")
			c.wait(2 * time.Second)
			c.lose()
			c.late()
			c.tap("☐ 1.")
			c.wait(2 * time.Second)
			c.tap("☐ 3.")
			c.wait(2 * time.Second)
			c.tap(c.word("Next", "下一步"))
			c.wait(2 * time.Second)
			c.reply("The Bridge")
			c.wait(2 * time.Second)
			c.tap(c.word(sendButton, sendButtonZh))
			c.wait(20 * time.Second)
			c.wantPrompts("Your question was: Which database should this feature use?\nMy answer: PostgreSQL (Recommended)\n\n" +
				"Your question was: Which languages?\nMy answer: Go, Zig\n\nYour question was: What shall it be called?\nMy answer: The Bridge")
		},
		"lost-and-given-up": func(c talk) {
			c.ask(database())
			c.lose()
			card := c.last().ID
			c.late()
			c.tap(c.word("🚫 Send nothing", "🚫 不发送"))
			c.wait(2 * time.Second)
			c.wantPrompts()
			c.tapOn(card, c.word(lateButton, lateButtonZh))
		},
		"lost-and-deleted": func(c talk) {
			c.ask(database())
			c.lose()
			c.opencode.Delete(c.session)
			c.late()
			c.tap("1.")
			c.wait(20 * time.Second)
			c.wantPrompts()
		},
	}
}

func (c talk) tapOn(message int, label string) {
	c.t.Helper()
	if _, err := c.telegram.Tap(ada, ada, message, label); err != nil {
		c.t.Fatalf("%v\n%s", err, c.telegram.Transcript(ada))
	}
	c.wait(2 * time.Second)
}

// noButton fails the test if the message has one.
func (c talk) noButton(message int) {
	c.t.Helper()
	for _, m := range c.telegram.Messages(ada) {
		if m.ID == message && len(m.Rows) > 0 {
			c.t.Errorf("a button is left:\n%s", c.telegram.Transcript(ada))
		}
	}
}

// corrections are what Ada does about what her rules have answered.
func corrections() map[string]func(talk) {
	return map[string]func(talk){
		"corrected": func(c talk) {
			c.ask(database())
			c.wait(3 * time.Second)
			c.tap(c.word("✏️ Correct it", "✏️ 更正"))
			c.wait(2 * time.Second)
			c.tap("1.")
			c.wait(20 * time.Second)
			c.wantPrompts("A rule answered your question “Which database should this feature use?” with “PostgreSQL (Recommended)”. Correction: “SQLite”.")
		},
		"corrected-dismissal": func(c talk) {
			c.ask(projectName())
			c.wait(3 * time.Second)
			c.tap(c.word("✏️ Correct it", "✏️ 更正"))
			c.wait(2 * time.Second)
			c.reply("The Bridge")
			c.wait(20 * time.Second)
			c.wantPrompts("A rule dismissed your question “What shall it be called?”. My answer: “The Bridge”.")
		},
	}
}

func TestCorrections(t *testing.T) {
	inLanguages(t, "late-", corrections(), nil, func(c talk, play func(talk)) string {
		c.follow(rulesThatDecide + "\n[remote]\nroles = [\"lead\"]\n")
		return c.told(play)
	})
}

// What a rule has allowed has run: nobody is offered to take that back.
func TestNoCorrectionOfPermissions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := drivingRig(t, opencode.VersionNew, nil)
		defer c.end()
		c.follow(rulesThatDecide + "\n[remote]\nroles = [\"lead\"]\n")
		c.allow(leave("git status"))
		c.wait(3 * time.Second)
		if m := c.last(); !strings.HasPrefix(m.Text, "🤖") || len(m.Rows) > 0 {
			t.Error(c.telegram.Transcript(ada))
		}
	})
}

// Who may not drive sessions cannot send a late answer, and is told so.
func TestLateAnswersTakeARight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := drivingRig(t, opencode.VersionNew, nil)
		defer c.end()
		c.follow(rulesThatDecide + "\n[[person]]\nid = 43\nname = \"Bob\"\nroles = [\"boss\"]\n[remote]\nroles = [\"boss\"]\n")
		c.opencode.Ask(c.dir, c.session, colour())
		c.wait(2 * time.Second)
		c.lose()
		c.late()
		if text := c.telegram.History(ada); !strings.Contains(text, "alerts Ada: You have no role here") || strings.Contains(text, "📨 The agent does not wait") {
			t.Error(text)
		}
		c.wantPrompts()
	})
}

func TestLateAnswers(t *testing.T) {
	inLanguages(t, "late-", lateTalks(), nil, func(c talk, play func(talk)) string {
		_, late, _ := strings.Cut(c.told(play), "Ada taps [📨") // what was before is told elsewhere
		return "Ada taps [📨" + late
	})
}

// An offer that was left lying says, when it is tapped, that another one was used.
func TestTheSecondOfferComesTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := drivingRig(t, opencode.VersionNew, nil)
		defer c.end()
		c.ask(database())
		c.lose()
		card := c.last().ID
		c.tapOn(card, lateButton)
		c.tapOn(card, lateButton)
		second := c.last().ID
		c.tapOn(second-1, "1.")
		c.wait(20 * time.Second)
		c.tapOn(second, "2.")
		c.wantPrompts("Your question was: Which database should this feature use?\nMy answer: SQLite")
		c.noButton(second)
		const end = "There is an answer already, sent as a prompt: SQLite (Ada, 00:00)"
		if text := c.telegram.History(ada); strings.Count(text, end) != 2 || !strings.Contains(text, "alerts Ada: "+end) {
			t.Error(text)
		}
	})
}

// A late answer is one line in the journal, with who gave it and what was said.
func TestALateAnswerIsJournalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := drivingRig(t, opencode.VersionNew, nil)
		defer c.end()
		request, _ := c.ask(database())
		c.lose()
		c.late()
		c.tap("1.")
		c.wait(20 * time.Second)
		said, done := c.journal(question.EntryPrompted), c.journal(question.EntryCarried)
		if len(said) != 1 || said[0].By.User != ada || string(said[0].Request) != request || !strings.Contains(said[0].Note, "My answer: SQLite") {
			t.Errorf("the journal has %+v", said)
		}
		if len(done) != 1 || done[0].Thread != said[0].Thread {
			t.Errorf("the journal has %+v", done)
		}
	})
}

// Where sessions cannot be driven, nothing offers to.
func TestNoLateAnswersWithoutRemote(t *testing.T) {
	play(t, func(c *config) { c.Remote = false }, func(r *rig) {
		r.ask(database())
		r.opencode.Restart()
		r.wait(5 * time.Second)
		if text := r.telegram.Transcript(ada); strings.Contains(text, lateButton) || !strings.Contains(text, "OpenCode was restarted") {
			t.Error(text)
		}
	})
}
