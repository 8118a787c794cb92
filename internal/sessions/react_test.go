package sessions_test

import (
	"errors"
	"testing"
	"time"

	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
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

// What a killed hermes may not have put under a prompt that arrived, the next one does: until the chat takes it, and no more then.
func TestReaction_IsOwedByTheNextStart(t *testing.T) {
	for name, c := range map[string]struct {
		owed  remote.Listener
		alter func(*world)
		want  string
	}{
		"owed":                       {remote.Listener{Message: 1, Unmarked: true}, func(*world) {}, "1👍 "},
		"set, or of an older hermes": {remote.Listener{Message: 1}, func(*world) {}, ""},
		"left behind":                {remote.Listener{Unmarked: true}, func(*world) {}, ""},
		"not taken for a while":      {remote.Listener{Message: 1, Unmarked: true}, func(w *world) { w.noReacts = passing{errors.New("502")} }, "1👍 1👍 1👍 "},
		"never taken":                {remote.Listener{Message: 1, Unmarked: true}, func(w *world) { w.noReacts = errors.New("REACTION_INVALID") }, "1👍 "},
	} {
		t.Run(name, func(t *testing.T) {
			c.owed.Chat, c.owed.Prompt = adaChat, "msg_1"
			w := seededWorld(storage.Change{TurnWatches: []remote.TurnWatch{{Session: testSession, Since: time.Now(), For: []remote.Listener{c.owed}}}})
			c.alter(w)
			inThat(t, w, func(w *world) {
				pass(2 * time.Second) // the attempts are 1 s and 2 s apart
				w.set(func() { w.noReacts = nil })
				pass(time.Minute)
				w.wantReactions(c.want)
			})
		})
	}
}
