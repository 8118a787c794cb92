package sessions_test

import (
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// A person may reply to a message before hermes knows that it is there: the reply is
// for that message's session, not for the one in use.
func TestReply_BeforeItsMessageIsKnown(t *testing.T) {
	w := seededWorld(storage.Change{ChatSettings: []remote.ChatSettings{{Chat: adaChat, Session: "ses_other", Origin: origin(), Level: remote.LevelTurns}}})
	w.silent = false
	inThat(t, w, func(w *world) {
		w.set(func() { w.turn, w.slow = "msg_500", time.Second })
		w.event(event.Rested, "")
		pass(5 * time.Second)
		w.wantTold(en.Sessions.GoOn)
		w.reply(1, "go on", 1001)
		w.reply(2, "elsewhere", 7)
		pass(10 * time.Second)
		got := map[string]session.ID{}
		for _, p := range w.sent {
			got[p.Parts[0].Text] = p.Session
		}
		if len(w.sent) != 2 || got["go on"] != testSession || got["elsewhere"] != "ses_other" {
			t.Errorf("sent %+v", w.sent)
		}
	})
}

// To fetch a file and to write down a voice takes minutes: how the prompt stands is told
// by how the session stands then.
func TestPrompt_SessionIsLookedAtAgainAfterFetching(t *testing.T) {
	for name, c := range map[string]struct {
		in            func(int) inbound.Input
		before, after bool // it works
		want          []string
		reactions     string
	}{
		"a file, at work by then":    {func(n int) inbound.Input { return attached(n, "") }, false, true, []string{en.Sessions.Queued}, "1👀 1👍 "},
		"a file, at rest by then":    {func(n int) inbound.Input { return attached(n, "") }, true, false, nil, "1👀 1👍 "},
		"a voice, at work by then":   {voice, false, true, []string{"🎤 ", en.Sessions.Queued}, "1👀 1👍 "},
		"a voice, at rest all along": {voice, false, false, []string{"🎤 "}, "1👀 1👍 "},
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
