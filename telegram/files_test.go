package telegram_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/botapi"
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
)

// longAsks are asks whose whole text goes into a file, with what their cards say where a chat takes none.
func longAsks() map[string]struct {
	view  question.View
	says  []string
	holds string // of the file
} {
	item := cardtest.Database()
	item.Text = "Begin. " + strings.Repeat("a long text ", 4000) + "End."
	command := question.Permission{Kind: "bash", Command: "echo begin " + strings.Repeat("x", 50_000) + " end"}
	return map[string]struct {
		view  question.View
		says  []string
		holds string
	}{
		"a question":   {cardtest.Asks(item), []string{"Begin. ", "this chat does not accept files from bots, so part of it is missing here. OpenCode shows all of it", "1. SQLite"}, "End."},
		"a permission": {cardtest.Permission(command), []string{"echo begin ", "characters are left out here, because this chat does not accept files from bots. OpenCode shows all of it", " end", "Allow it in a chat that does, or in OpenCode."}, " end"},
	}
}

// A chat that forbids files gets the ask all the same, with its buttons, and it says what is missing.
func TestShow_WhereFilesAreForbidden(t *testing.T) {
	for name, c := range longAsks() {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.tele.Forbid(-5, telegramsim.SendDocuments)
				p := post(-5, c.view)
				s := mustShow(t, w.show(p), c.view.Rev)
				all := w.tele.Messages(-5)
				if !s.Unfiled || len(s.Messages) != 1 || len(all) != 1 || len(all[0].Rows) == 0 {
					t.Fatalf("%+v %+v", s, all)
				}
				for _, text := range c.says {
					if !strings.Contains(all[0].Text, text) {
						t.Errorf("the card lacks %q:\n%s", text, all[0].Text)
					}
				}
				w.stop()
				w.renew() // what was learned is forgotten; the record has it
				again := outbound.Post{Thread: p.Thread, Chat: -5, Messages: s.Messages, Unfiled: true, View: p.View}
				if s := mustShow(t, w.show(again), c.view.Rev); !s.Unfiled || len(w.tele.Messages(-5)) != 1 || w.tele.Count("sendDocument") != 1 {
					t.Errorf("%+v\n%s", s, w.tele.Transcript(-5))
				}
				end := cardtest.Ended(c.view, question.Outcome{Kind: question.OutcomeStopped})
				again.View = func() (question.View, bool) { return end, true }
				if s := mustShow(t, w.show(again), end.Rev); len(s.Messages) != 1 || !strings.Contains(w.tele.Transcript(-5), "the session was stopped") && !strings.Contains(w.tele.Transcript(-5), "Stopped") {
					t.Errorf("%+v\n%s", s, w.tele.Transcript(-5))
				}
			})
		})
	}
}

// The buttons of a permission come with its first message, which alone makes a sound. A card that an earlier hermes sent has them below
// its last one: they are gone with the next change.
func TestShow_PermissionInSeveralMessages(t *testing.T) {
	rows := func(w *world) (all []int) {
		for _, m := range w.tele.Messages(-5) {
			all = append(all, len(m.Rows))
		}
		return all
	}
	inWorld(t, func(w *world) {
		w.tele.Forbid(-5, telegramsim.SendDocuments)
		v := cardtest.Permission(question.Permission{Kind: "bash", Command: "echo begin " + strings.Repeat("x", 9000) + " end"})
		s := mustShow(t, w.show(post(-5, v)), v.Rev)
		all := w.tele.Messages(-5)
		if got := rows(w); !slices.Equal(got, []int{2, 0, 0}) || all[0].Silent || !all[1].Silent || !all[2].Silent {
			t.Errorf("the messages have %v rows\n%s", got, w.tele.Transcript(-5))
		}
		end := cardtest.Ended(v, question.Outcome{Kind: question.OutcomeStopped})
		p := post(-5, end, s.Messages...)
		p.Unfiled = true
		mustShow(t, w.show(p), v.Rev)
		if got := rows(w); !slices.Equal(got, []int{0, 0, 0}) || !strings.Contains(w.tele.Messages(-5)[0].Text, "Stopped, not run.") {
			t.Errorf("the messages have %v rows\n%s", got, w.tele.Transcript(-5))
		}
	})
	for name, n := range map[string]int{"more than it needs": 900, "just as many": 9000, "fewer": 13_000} {
		inWorld(t, func(w *world) {
			w.tele.Forbid(-5, telegramsim.SendDocuments)
			old := cardtest.Asks(cardtest.Database())
			old.Request.Items[0].Text = strings.Repeat("x", 5000)
			s := mustShow(t, w.show(post(-5, old)), old.Rev)
			had := rows(w)
			w.stop()
			settle()
			w.renew()
			v := cardtest.Permission(question.Permission{Kind: "bash", Command: "echo begin " + strings.Repeat("x", n) + " end"})
			p := post(-5, v, s.Messages...)
			p.Unfiled = true
			mustShow(t, w.show(p), v.Rev)
			now, text := rows(w), w.tele.Messages(-5)[len(had)-1].Text
			if had[len(had)-1] == 0 || now[0] != 2 || slices.Max(now[1:]) != 0 || strings.Contains(text, "See the message above.") != (n == 900) {
				t.Errorf("%s: the messages had %v rows, and have %v\n%s", name, had, now, w.tele.Transcript(-5))
			}
		})
	}
}

// It is not asked for the right each time, and again after a while.
func TestShow_TriesFilesAgain(t *testing.T) {
	inWorld(t, func(w *world) {
		c := longAsks()["a question"]
		w.tele.Forbid(-5, telegramsim.SendDocuments)
		for range 3 {
			mustShow(t, w.show(post(-5, c.view)), c.view.Rev)
		}
		if n := w.tele.Count("sendDocument"); n != 1 {
			t.Errorf("%d files were tried", n)
		}
		w.tele.Forbid(-5)
		time.Sleep(telegram.FileAgain)
		s := mustShow(t, w.show(post(-5, c.view)), c.view.Rev)
		all := w.tele.Messages(-5)
		if s.Unfiled || len(s.Messages) != 2 || all[3].Document == nil || !strings.Contains(string(all[3].Document.Data), c.holds) {
			t.Errorf("%+v\n%s", s, w.tele.Transcript(-5))
		}
	})
}

// A chat that takes no text either is lost, as before.
func TestShow_WhereAllIsForbidden(t *testing.T) {
	inWorld(t, func(w *world) {
		w.tele.Forbid(-5, telegramsim.SendDocuments, telegramsim.SendMessages)
		s := w.show(post(-5, longAsks()["a question"].view))
		mustFailWith(t, s.Err, botapi.NoRights)
		if s.Refused == "" || len(s.Messages) != 0 {
			t.Errorf("%+v", s)
		}
	})
}

// What a session has changed is one message: a file with a caption.
func TestTell_ChangesAreOneFile(t *testing.T) {
	inWorld(t, func(w *world) {
		asked := w.tele.Messages(7)
		const diff = "--- a\n+++ a\n@@ -1 +1 @@\n-old\n+new\n"
		ids, err := w.tellIDs(outbound.Message{Chat: 7, Text: ui.Diff(session.Session{ID: "ses_1", Directory: "/src/shop"}, diff)})
		all := w.tele.Messages(7)[len(asked):]
		if err != nil || len(ids) != 1 || len(all) != 1 || all[0].Document == nil || string(all[0].Document.Data) != diff || !strings.HasSuffix(all[0].Text, "\n📄 a +1 −1") {
			t.Errorf("%v, %v\n%s", ids, err, w.tele.Transcript(7))
		}
	})
}

// What sessions say and have changed is shown as far as it goes.
func TestTell_WhereFilesAreForbidden(t *testing.T) {
	text := "Begin. " + strings.Repeat("a long text ", 3150) + "End."
	for name, c := range map[string]struct {
		text ui.Text
		says []string
	}{
		"an answer": {ui.LastTurn(session.Session{}, session.Turn{Message: "m", Text: text}), []string{"Begin. ", "this chat does not accept files from bots", "Reply to this message to go on."}},
		"a diff":    {ui.Diff(session.Session{}, "--- a\n+++ a\n@@ -0,0 +1,3000 @@\n"+strings.Repeat("+\tnew\n", 3000)), []string{"📄 a +3000", "This chat does not accept files from bots"}},
		"a voice":   {ui.Heard(text), []string{"🎤 Begin.", "End."}},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.tele.Forbid(-5, telegramsim.SendDocuments)
				ids, err := w.tellIDs(outbound.Message{Chat: -5, Text: c.text})
				var all strings.Builder
				for _, m := range w.tele.Messages(-5) {
					all.WriteString(m.Text)
				}
				if err != nil || len(ids) == 0 || len(ids) != len(w.tele.Messages(-5)) {
					t.Fatalf("%v, %v", ids, err)
				}
				for _, part := range c.says {
					if !strings.Contains(all.String(), part) {
						t.Errorf("it lacks %q:\n%s", part, all.String())
					}
				}
			})
		})
	}
}

// Where a chat takes no file, a message about sessions that breaks off is gone on with where it stopped: nothing of it is missing, nothing
// is there twice, and no part names a file that is not there. That the chat takes files again, or that hermes has forgotten that it
// does not, changes nothing of that.
func TestTell_WithoutAFileGoesOnWhereItStopped(t *testing.T) {
	text := "Begin. " + strings.Repeat("a long text ", 3150) + "End."
	for name, told := range map[string]ui.Text{
		"a voice":   ui.Heard(text),
		"an answer": ui.LastTurn(session.Session{}, session.Turn{Message: "m", Text: text, Error: strings.Repeat("boom ", 2000) + "End."}),
	} {
		for _, parts := range []int{1, 2} {
			t.Run(fmt.Sprint(name, ", ", parts, " shown"), func(t *testing.T) {
				inWorld(t, func(w *world) {
					tell := outbound.Message{Chat: -5, Text: told}
					w.tele.Forbid(-5, telegramsim.SendDocuments)
					want := w.tell(tell)
					whole := w.textIn(-5)
					w.tele.FailNext("sendMessage", append(make([]telegramsim.Fault, parts), telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 5})...)
					first := w.tell(tell)
					if first.Err == nil || !first.Unfiled || len(first.Messages) != parts {
						t.Fatalf("the first attempt: %+v", first)
					}
					w.tele.Forbid(-5)
					time.Sleep(2 * telegram.FileAgain)
					tell.Shown, tell.Unfiled = first.Messages, first.Unfiled
					got := w.tell(tell)
					if got.Err != nil || !got.Unfiled || len(got.Messages) != len(want.Messages) {
						t.Errorf("the second attempt: %+v, want %d messages", got, len(want.Messages))
					}
					if all := w.textIn(-5); all != whole+whole {
						t.Errorf("the chat shows %d letters, want twice %d", len(all), len(whole))
					}
				})
			})
		}
	}
}

// textIn is all that the bot has written in a chat.
func (w *world) textIn(chat int64) string {
	var all strings.Builder
	for _, m := range w.tele.Messages(chat) {
		all.WriteString(m.Text)
	}
	return all.String()
}

// A file that was sent is not sent again, also if the chat takes no more of them by then.
func TestTell_WithItsFileGoesOnWhereItStopped(t *testing.T) {
	inWorld(t, func(w *world) {
		tell := outbound.Message{Chat: -5, Text: ui.LastTurn(session.Session{}, session.Turn{Message: "m", Text: strings.Repeat("a long text ", 4000)})}
		w.tele.FailNext("sendMessage", telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 5})
		first := w.tell(tell)
		if first.Err == nil || first.Unfiled || len(first.Messages) != 1 {
			t.Fatalf("the first attempt: %+v", first)
		}
		w.tele.Forbid(-5, telegramsim.SendDocuments)
		tell.Shown = first.Messages
		got := w.tell(tell)
		if all := w.tele.Messages(-5); got.Err != nil || got.Unfiled || len(got.Messages) != 2 || len(all) != 2 || strings.Contains(all[1].Text, "does not accept files") {
			t.Errorf("%+v\n%s", got, w.tele.Transcript(-5))
		}
	})
}
