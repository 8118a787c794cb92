package sessions_test

import (
	"testing"
	"testing/synctest"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/remote"
)

// choosesMeaning is Ada's tap on what she is asked about a text.
func choosesMeaning(update, text int, kind inbound.ButtonKind) inbound.Input {
	return tapped(update, 0, inbound.Button{Kind: kind, Update: chat.UpdateID(text)})
}

// Who may not drive is not asked: what can be an answer is one. A command that stands for
// itself stays one, and is refused.
func TestDoubt_OfWhoMayOnlyAnswer(t *testing.T) {
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
				if got := w.sayEither(typed(1, "/"+c.command), false, c.words); got != c.want {
					t.Errorf("taken: %v", got)
				}
				synctest.Wait()
				if c.want {
					w.wantTold(remote.TellNoRight)
				} else {
					w.wantTold()
				}
			})
		})
	}
}

// Who might drive when they were asked, and may not now, can still say that it is an answer.
func TestDoubt_AnswerNeedsNoRole(t *testing.T) {
	in(t, func(w *world) {
		w.sayEither(typed(1, "/data"), true, true)
		synctest.Wait()
		w.wantTold(remote.TellDoubt)
		w.Take(choosesMeaning(2, 1, inbound.ButtonCommand), false)
		synctest.Wait()
		w.wantAlerts(outbound.AlertNoRole)
		w.Take(choosesMeaning(3, 1, inbound.ButtonAnswer), false)
		synctest.Wait()
		if len(w.left) != 1 || w.left[0].Text != "/data" {
			t.Errorf("answers: %+v", w.left)
		}
		w.wantAlerts(outbound.AlertNoRole, outbound.AlertNone)
	})
}
