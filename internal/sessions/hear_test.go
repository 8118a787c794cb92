package sessions_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/sessions"
)

// voice is a voice message of Ada's.
func voice(update int) inbound.Input {
	in := attached(update, "")
	in.What, in.File.Name, in.File.Mime = chat.Voice, "voice.ogg", "audio/ogg"
	return in
}

// What was said is stored, shown, and then sent: in this order, and once.
func TestVoice_IsStoredShownAndSent(t *testing.T) {
	w := newWorld().hears()
	inThat(t, w, func(w *world) {
		w.set(func() {
			w.refuse = func(tell telling) error {
				stored := w.driving().Prompts
				if len(stored) != 1 || stored[0].Prompt.Parts[0].Text != "F1" || !stored[0].Prompt.Parts[0].Spoken || tell.text != "🎤 F1" {
					w.t.Errorf("%q was shown after %+v", tell.text, stored)
				}
				if len(w.tries) != 0 {
					w.t.Error("it was sent before it was shown")
				}
				return nil
			}
		})
		w.send(voice(1))
		pass(3 * time.Second)
		w.wantTold("🎤 ")
		w.set(func() { w.refuse = nil })
		w.wantPrompts("F1")
		if w.writtenDown != 1 {
			t.Errorf("written down %d times", w.writtenDown)
		}
	})
}

// What was written down before a restart is shown again, and not written down again.
func TestVoice_OutlivesARestart(t *testing.T) {
	for name, c := range map[string]struct {
		part session.Part
		want []string
		sent string
	}{
		"not shown":        {session.Part{Text: "go on", Spoken: true}, []string{"🎤 "}, "go on"},
		"shown":            {session.Part{Text: "go on"}, nil, "go on"},
		"not written down": {session.Part{File: "f1", Name: "voice.ogg", Spoken: true}, []string{en.Files.Deaf}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			inThat(t, w, func(w *world) {
				w.owe(remote.QueuedPrompt{ID: "e1", Prompt: session.Prompt{Session: testSession, Parts: []session.Part{c.part}}, Origin: origin(), Chat: adaChat, Message: 1, At: time.Now()})
				w.event(event.Opened, "")
				pass(3 * time.Second)
				w.wantTold(c.want...)
				w.wantPrompts(c.sent)
			})
		})
	}
}

// What cannot be heard is not sent, and it is said why; what was not given out yet is
// waited for.
func TestVoice_NotHeard(t *testing.T) {
	for name, c := range map[string]struct {
		alter func(*world)
		want  []string
		sent  string
	}{
		"deaf":    {func(w *world) { w.alter = nil }, []string{en.Files.Deaf}, ""},
		"failing": {func(w *world) { w.unheard = errors.New("HTTP 500") }, []string{en.Files.Unheard}, ""},
		"silent": {func(w *world) {
			w.fetch = func(chat.FileID, int64) ([]byte, error) { return []byte(" \n"), nil }
		}, []string{en.Files.Silent}, ""},
		"gone": {func(w *world) {
			w.fetch = func(chat.FileID, int64) ([]byte, error) { return nil, permanent{errors.New("400")} }
		}, []string{en.Files.Gone}, ""},
		"not given out just now": {func(w *world) {
			tries := 0
			w.fetch = func(chat.FileID, int64) ([]byte, error) {
				if tries++; tries < 3 {
					return nil, passing{errors.New("502")}
				}
				return []byte("la"), nil
			}
		}, []string{en.Files.Fetching, "🎤 ", en.Sessions.Taken}, "LA"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld().hears()
			c.alter(w)
			inThat(t, w, func(w *world) {
				w.send(voice(1))
				w.wantPrompts(c.sent)
				w.wantTold(c.want...)
			})
		})
	}
}

// The end of hermes is no failure of what is written down meanwhile.
func TestVoice_EndWhileItIsWrittenDown(t *testing.T) {
	w := newWorld()
	w.alter = func(c *sessions.Config) {
		c.Hear = func(ctx context.Context, _, _ string, _ []byte) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}
	}
	inThat(t, w, func(w *world) {
		w.send(voice(1))
		pass(time.Second)
		w.shutDown()
		w.wantTold()
		w.wantOwed(1)
	})
}
