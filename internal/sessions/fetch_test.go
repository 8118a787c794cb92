package sessions_test

import (
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/remote"
)

// To fetch a file and to write down a voice takes minutes: how the prompt stands is told
// by how the session stands then.
func TestPrompt_SessionIsLookedAtAgainAfterFetching(t *testing.T) {
	for name, c := range map[string]struct {
		in            func(int) inbound.Input
		before, after bool // it works
		want          []remote.MessageKind
		reactions     string
	}{
		"a file, at work by then":    {func(n int) inbound.Input { return attached(n, "") }, false, true, []remote.MessageKind{remote.TellQueued}, "1👀 1👍 "},
		"a file, at rest by then":    {func(n int) inbound.Input { return attached(n, "") }, true, false, nil, "1👀 1👍 "},
		"a voice, at work by then":   {voice, false, true, []remote.MessageKind{remote.TellHeard, remote.TellQueued}, "1👀 1👍 "},
		"a voice, at rest all along": {voice, false, false, []remote.MessageKind{remote.TellHeard}, "1👀 1👍 "},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld().hears()
			inThat(t, w, func(w *world) {
				w.set(func() {
					w.busy, w.turn = c.before, "msg_999"
					w.fetch = func(chat.FileID, int64) ([]byte, error) {
						w.busy = c.after
						return []byte("la"), nil
					}
				})
				w.send(c.in(1))
				pass(4 * time.Second)
				w.wantTold(c.want...)
				w.wantReactions(c.reactions)
			})
		})
	}
}
