package sessions_test

import (
	"errors"
	"testing"
	"time"

	"hermes/internal/remote"
	"hermes/internal/session"
)

// A reaction says that a prompt is owed and that it has arrived. Words say what it cannot,
// and all of it where there are no reactions.
func TestReaction_SaysHowThePromptStands(t *testing.T) {
	for name, c := range map[string]struct {
		alter     func(*world)
		reactions string
		told      []remote.MessageKind
	}{
		"taken":               {func(*world) {}, "1👀 1👍 ", nil},
		"busy":                {func(w *world) { w.busy = true }, "1👀 1👍 ", []remote.MessageKind{remote.TellQueued}},
		"refused":             {func(w *world) { w.unwilling = permanent{session.ErrNoAgent} }, "1👀 1 ", []remote.MessageKind{remote.TellRefused}},
		"without reactions":   {func(w *world) { w.noReacts = errors.New("REACTION_INVALID") }, "1👀 1👍 ", []remote.MessageKind{remote.TellTaken}},
		"kept, and sent then": {func(w *world) { w.unwilling, w.unwillingFor = passing{errors.New("502")}, 3 }, "1👀 1👍 ", []remote.MessageKind{remote.TellKept, remote.TellTaken}},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.set(func() { w.turn = "msg_999"; c.alter(w) })
				w.say(1, "go on")
				pass(4 * time.Second)
				if len(c.told) > 1 {
					pass(20 * time.Second)
					c.told = append(c.told, remote.TellTurn)
				}
				w.wantTold(c.told...)
				w.wantReactions(c.reactions)
			})
		})
	}
}
