package sessions

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

// typed is a text of Ada's that begins like a command.
func typed(update int, command string) question.Input {
	return question.Input{
		Kind: question.Typed, Update: question.UpdateID(update), Chat: 1, Private: true, Message: question.PostedID(update),
		User: question.User{ID: 1, Name: "Ada"}, Sent: time.Now(), Text: "/" + command, Command: command,
	}
}

// saysWhich is Ada's tap on what she is asked about a text.
func saysWhich(update, text int, kind question.OrderKind) question.Input {
	return question.Input{
		Kind: question.Tapped, Update: question.UpdateID(update), Chat: 1, Private: true, User: question.User{ID: 1, Name: "Ada"},
		Order: question.Order{Kind: kind, Update: question.UpdateID(text)},
	}
}

// Who may not drive is not asked: what can be an answer is one. A command that stands for
// itself stays one, and is refused.
func TestDoubtsOfWhoMayOnlyAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		command string
		words   bool
		want    bool
	}{
		"a path where words are asked for":    {"data", true, false},
		"a path":                              {"data", false, false},
		"a command where words are asked for": {"status", true, false},
		"a command":                           {"status", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				if got := w.Doubt(typed(1, c.command), false, question.Thread{}, c.words); got != c.want {
					t.Errorf("taken: %v", got)
				}
				synctest.Wait()
				if c.want {
					wantKinds(t, w, question.TellNoRight)
				} else {
					wantKinds(t, w)
				}
			})
		})
	}
}

// Who might drive when they were asked, and may not now, can still say that it is an answer.
func TestAnAnswerNeedsNoRole(t *testing.T) {
	in(t, func(w *world) {
		var again []question.Input
		w.config.Again = func(_ context.Context, in question.Input) { w.set(func() { again = append(again, in) }) }
		w.Doubt(typed(1, "data"), true, question.Thread{}, true)
		synctest.Wait()
		wantKinds(t, w, question.TellDoubt)
		w.Take(saysWhich(2, 1, question.OrderCommand), false)
		synctest.Wait()
		w.wantAlerts(t, question.AlertNoRole)
		w.Take(saysWhich(3, 1, question.OrderAnswer), false)
		synctest.Wait()
		if len(again) != 1 || again[0].Text != "/data" || !again[0].Sure {
			t.Errorf("handed back: %+v", again)
		}
		w.wantAlerts(t, question.AlertNoRole, question.AlertNone)
	})
}
