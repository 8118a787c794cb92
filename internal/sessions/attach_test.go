package sessions_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// attached is a photo of Ada's, whose file is called as its update.
func attached(update int, album string) inbound.Input {
	id := fmt.Sprint("f", update)
	return inbound.Input{
		Kind: inbound.Attached, Update: chat.UpdateID(update), Chat: 1, Private: true, Message: chat.MessageID(update), Album: album,
		User: chat.User{ID: 1, Name: "Ada"}, Sent: time.Now(), What: chat.Photo,
		File: chat.File{ID: chat.FileID(id), Name: id + ".jpg", Mime: "image/jpeg", Size: 1000},
	}
}

// What is shown as one is one prompt, with its texts before its files.
func TestPrompt_PartsOfFiles(t *testing.T) {
	captioned := func(in inbound.Input, text string) inbound.Input {
		in.Text = text
		return in
	}
	for name, c := range map[string]struct {
		send func(*world)
		want string
	}{
		"one": {func(w *world) { w.send(captioned(attached(1, ""), "look")) }, "look+f1"},
		"an album": {func(w *world) {
			for n := range 3 {
				w.send(attached(n+1, "a"))
			}
		}, "f1+f2+f3"},
		"an album with two captions": {func(w *world) {
			w.send(captioned(attached(1, "a"), "before"))
			w.send(captioned(attached(2, "a"), "after"))
		}, "before\nafter+f1+f2"},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				c.send(w)
				w.wantPrompts(c.want)
			})
		})
	}
}

// The store has the names of files, never what is in them, and what a person wrote
// belongs to the session.
func TestFiles_StoreHasTheirNamesAlone(t *testing.T) {
	in(t, func(w *world) {
		w.send(attached(1, "a"))
		w.send(attached(2, "a"))
		w.wantPrompts("f1+f2")
		for _, c := range w.changes {
			for _, e := range c.Prompts {
				if len(e.Prompt.Parts) != 2 || e.Prompt.Parts[1].File != "f2" || e.Prompt.Parts[1].Data != nil {
					t.Errorf("stored: %+v", e.Prompt.Parts)
				}
			}
		}
		for message := range chat.MessageID(2) {
			said, found, err := w.real.MessageRef(adaChat, message+1)
			if err != nil || !found || said.Session != testSession {
				t.Errorf("message %d is of %+v, %v", message+1, said, err)
			}
		}
		if left := w.inbox(); len(left) > 0 {
			t.Errorf("%v are in the inbox", left)
		}
	})
}

// Nothing of a prompt is sent if not all of it can be, and the person is told why.
func TestFiles_NotSent(t *testing.T) {
	sized := func(update int, album string, size int64) inbound.Input {
		in := attached(update, album)
		in.File.Size = size
		return in
	}
	odd := attached(1, "")
	odd.What, odd.File = chat.Poll, chat.File{}
	abort := attached(1, "")
	abort.Text, abort.Command = "/abort", "abort"
	unknown := abort
	unknown.Text, unknown.Command = "/x", "x"
	fails := func(err error) func(chat.FileID, int64) ([]byte, error) {
		return func(chat.FileID, int64) ([]byte, error) { return nil, err }
	}
	for name, c := range map[string]struct {
		sent  []inbound.Input
		fetch func(chat.FileID, int64) ([]byte, error)
		want  string
	}{
		"just not too large":     {[]inbound.Input{sized(1, "", session.MaxFiles)}, nil, en.Sessions.Nothing}, // of a turn that never began
		"too large":              {[]inbound.Input{sized(1, "", session.MaxFiles+1)}, nil, en.Files.TooLarge},
		"too large together":     {[]inbound.Input{sized(1, "a", session.MaxFiles), sized(2, "a", 1)}, nil, en.Files.TooLarge},
		"larger than told":       {[]inbound.Input{attached(1, "")}, fails(errors.Join(permanent{errors.New("large")}, session.ErrTooLarge)), en.Files.Larger},
		"not given out":          {[]inbound.Input{attached(1, "")}, fails(permanent{errors.New("400")}), en.Files.Gone},
		"a poll":                 {[]inbound.Input{odd}, nil, en.Files.Unusable},
		"a command":              {[]inbound.Input{abort}, nil, en.Files.NoFile},
		"an unknown command":     {[]inbound.Input{unknown}, nil, en.Sessions.Unknown},
		"not given out just now": {[]inbound.Input{attached(1, "")}, fails(passing{errors.New("502")}), en.Files.Fetching},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.set(func() { w.fetch = c.fetch })
				for _, input := range c.sent {
					w.send(input)
				}
				pass(time.Minute)
				if got := w.texts(); len(got) == 0 || !says(got[0], c.want) {
					t.Errorf("told %q, want %q", got, c.want)
				}
				if sent := w.prompts() != ""; sent != (c.want == en.Sessions.Nothing) {
					t.Errorf("sent %q", w.prompts())
				}
			})
		})
	}
}

// Files that are shown as one and have no session are answered once, and consumed. What
// is shown with them later, when a session is used, is a prompt.
func TestAlbum_WithoutASessionIsAnsweredOnce(t *testing.T) {
	for name, settings := range map[string][]remote.ChatSettings{
		"none is used":                       nil,
		"written above a choice that failed": {{Chat: adaChat, Session: testSession, Origin: origin(), Title: "fix"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := seededWorld(storage.Change{ChatSettings: settings})
			w.silent = false
			inThat(t, w, func(w *world) {
				w.set(func() {
					w.listed = func() []session.Session { time.Sleep(time.Second); return nil }
				})
				w.say(9, "/use nothing")
				if len(settings) > 0 {
					pass(2 * time.Second)
				}
				for n := range 3 {
					w.send(attached(n+1, "a"))
				}
				w.wantPrompts("")
				w.wantTold(en.Sessions.Gone, en.Unsent.Which)
				if got := w.told[1].ReplyTo; got != 1 {
					t.Errorf("a reply to %d, want the first", got)
				}
				if left := w.inbox(); len(left) > 0 {
					t.Errorf("%v are in the inbox", left)
				}
				w.set(func() { w.listed = func() []session.Session { return []session.Session{w.state()} } })
				w.say(2000, "/use fix")
				w.send(attached(2001, "a"))
				w.wantPrompts("f2001")
			})
		})
	}
}

// All files of a prompt share one limit, also by what is in them.
func TestFiles_ShareOneLimit(t *testing.T) {
	in(t, func(w *world) {
		var limits []int64
		w.set(func() {
			w.fetch = func(_ chat.FileID, limit int64) ([]byte, error) {
				limits = append(limits, limit)
				return make([]byte, 1000), nil
			}
		})
		w.send(attached(1, "a"))
		w.send(attached(2, "a"))
		pass(10 * time.Second)
		if want := []int64{session.MaxFiles, session.MaxFiles - 1000}; !slices.Equal(limits, want) {
			t.Errorf("limits %v, want %v", limits, want)
		}
	})
}
