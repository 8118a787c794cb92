package sessions

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

// voice is a voice message of Ada's.
func voice(update int) question.Input {
	in := attached(update, "")
	in.What, in.File.Name, in.File.Mime = question.Voice, "voice.ogg", "audio/ogg"
	return in
}

// hears makes the desk hear: what is in a file is what is said in it.
func (w *world) hears() (times *int) {
	times = new(int)
	w.config.Hear = func(_ context.Context, _, _ string, sound []byte) (string, error) {
		*times++
		if err := w.unheard; err != nil {
			return "", err
		}
		return strings.ToUpper(string(sound)), nil
	}
	return times
}

// What was said is stored, shown, and then sent: in this order, and once.
func TestVoices(t *testing.T) {
	in(t, func(w *world) {
		times := w.hears()
		w.set(func() {
			w.refuse = func(tell question.Telling) error {
				stored := w.changes[len(w.changes)-1].Errands
				if len(stored) != 1 || stored[0].Prompt.Parts[0].Text != "F1" || !stored[0].Prompt.Parts[0].Spoken || tell.Text != "F1" {
					w.t.Errorf("%q was shown after %+v", tell.Text, stored)
				}
				if len(w.tries) != 0 {
					w.t.Error("it was sent before it was shown")
				}
				return nil
			}
		})
		w.send(voice(1))
		time.Sleep(3 * time.Second)
		synctest.Wait()
		wantKinds(t, w, question.TellHeard)
		w.set(func() { w.refuse = nil })
		w.wantWords("F1")
		if *times != 1 {
			t.Errorf("written down %d times", *times)
		}
	})
}

// What was written down before a restart is shown again, and not written down again.
func TestVoicesOutliveARestart(t *testing.T) {
	for name, c := range map[string]struct {
		part question.Part
		want []question.TellingKind
		sent string
	}{
		"not shown":        {question.Part{Text: "go on", Spoken: true}, []question.TellingKind{question.TellHeard}, "go on"},
		"shown":            {question.Part{Text: "go on"}, nil, "go on"},
		"not written down": {question.Part{File: "f1", Name: "voice.ogg", Spoken: true}, []question.TellingKind{question.TellDeaf}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.back(func() {
					e := question.Errand{ID: "e1", Prompt: question.Prompt{Session: session, Parts: []question.Part{c.part}}, Origin: origin(), Chat: 1, Message: 1, At: time.Now()}
					w.lines[session] = append(w.lines[session], &errand{Errand: e})
					w.carry(session)
				})
				time.Sleep(3 * time.Second)
				synctest.Wait()
				wantKinds(t, w, c.want...)
				w.wantWords(c.sent)
			})
		})
	}
}

// What cannot be heard is not sent, and it is said why; what was not given out yet is
// waited for.
func TestVoicesThatAreNotHeard(t *testing.T) {
	for name, c := range map[string]struct {
		alter func(*world)
		want  []question.TellingKind
		sent  string
	}{
		"deaf":    {func(w *world) { w.config.Hear = nil }, []question.TellingKind{question.TellDeaf}, ""},
		"failing": {func(w *world) { w.unheard = errors.New("HTTP 500") }, []question.TellingKind{question.TellUnheard}, ""},
		"silent": {func(w *world) {
			w.fetch = func(question.FileID, int64) ([]byte, error) { return []byte(" \n"), nil }
		}, []question.TellingKind{question.TellSilent}, ""},
		"gone": {func(w *world) {
			w.fetch = func(question.FileID, int64) ([]byte, error) { return nil, permanent{errors.New("400")} }
		}, []question.TellingKind{question.TellFileGone}, ""},
		"not given out just now": {func(w *world) {
			tries := 0
			w.fetch = func(question.FileID, int64) ([]byte, error) {
				if tries++; tries < 3 {
					return nil, passing{errors.New("502")}
				}
				return []byte("la"), nil
			}
		}, []question.TellingKind{question.TellFetching, question.TellHeard, question.TellTaken}, "LA"},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.hears()
				w.set(func() { c.alter(w) })
				w.send(voice(1))
				w.wantWords(c.sent)
				wantKinds(t, w, c.want...)
			})
		})
	}
}

// The end of hermes is no failure of what is written down meanwhile.
func TestTheEndWhileAVoiceIsWrittenDown(t *testing.T) {
	var w *world
	in(t, func(running *world) {
		w = running
		w.config.Hear = func(ctx context.Context, _, _ string, _ []byte) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}
		w.send(voice(1))
		time.Sleep(time.Second)
	})
	carried := slices.ContainsFunc(w.changes, func(c question.Change) bool { return len(c.Carried) > 0 })
	if told := w.kinds(); carried || len(told) != 0 {
		t.Errorf("told %q, carried: %v", told, carried)
	}
}
