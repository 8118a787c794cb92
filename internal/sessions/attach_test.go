package sessions

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

// attached is a photo of Ada's, whose file is called as its update.
func attached(update int, album string) question.Input {
	id := fmt.Sprint("f", update)
	return question.Input{
		Kind: question.Attached, Update: question.UpdateID(update), Chat: 1, Private: true, Message: question.PostedID(update), Album: album,
		User: question.User{ID: 1, Name: "Ada"}, Sent: time.Now(), What: question.Photo,
		File: question.File{ID: question.FileID(id), Name: id + ".jpg", Mime: "image/jpeg", Size: 1000},
	}
}

func (w *world) send(in question.Input) {
	w.t.Helper()
	if !w.Take(in, true) {
		w.t.Errorf("%+v was not taken", in)
	}
	synctest.Wait()
}

// words are the prompts that were sent: text and files, a prompt a line.
func (w *world) words() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var lines []string
	for _, p := range w.sent {
		var parts []string
		for _, part := range p.Parts {
			parts = append(parts, part.Text+string(part.Data))
		}
		lines = append(lines, strings.Join(parts, "+"))
	}
	return strings.Join(lines, "\n")
}

func (w *world) wantWords(want string) {
	w.t.Helper()
	time.Sleep(10 * time.Second)
	synctest.Wait()
	if got := w.words(); got != want {
		w.t.Errorf("sent:\n%s\nwant:\n%s", got, want)
	}
}

// What people send stays in the order in which they sent it, and what is shown as one
// is one prompt.
func TestTheOrderOfWhatIsSent(t *testing.T) {
	captioned := func(in question.Input, text string) question.Input {
		in.Text = text
		return in
	}
	long := strings.Repeat("a", 4000)
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
		"two albums": {func(w *world) {
			w.send(attached(1, "a"))
			w.send(attached(2, "b"))
			w.send(attached(3, "b"))
		}, "f1\nf2+f3"},
		"an album, then a text": {func(w *world) {
			w.send(attached(1, "a"))
			w.send(attached(2, "a"))
			w.say(3, "these")
		}, "f1+f2\nthese"},
		"a long text, then a photo": {func(w *world) {
			w.say(1, long)
			w.send(attached(2, ""))
		}, long + "\nf2"},
		"one of an album comes late": {func(w *world) {
			w.send(attached(1, "a"))
			time.Sleep(5 * time.Second)
			w.send(attached(2, "a"))
		}, "f1\nf2"},
		"one comes twice": {func(w *world) {
			w.send(attached(1, "a"))
			w.send(attached(1, "a"))
		}, "f1"},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				c.send(w)
				w.wantWords(c.want)
			})
		})
	}
}

// The store has the names of files, never what is in them, and what a person wrote
// belongs to the session.
func TestWhatIsStoredOfFiles(t *testing.T) {
	in(t, func(w *world) {
		w.send(attached(1, "a"))
		w.send(attached(2, "a"))
		w.wantWords("f1+f2")
		used, said := []question.UpdateID{}, []question.PostedID{}
		for _, c := range w.changes {
			used = append(used, c.Consumed...)
			for _, s := range c.Said {
				said = append(said, s.Message)
			}
			for _, e := range c.Errands {
				if len(e.Prompt.Parts) != 2 || e.Prompt.Parts[1].File != "f2" || e.Prompt.Parts[1].Data != nil {
					t.Errorf("stored: %+v", e.Prompt.Parts)
				}
			}
		}
		slices.Sort(used)
		if !slices.Equal(used, []question.UpdateID{1, 2}) || !slices.Contains(said, 1) || !slices.Contains(said, 2) {
			t.Errorf("used %v, said %v", used, said)
		}
	})
}

// Nothing of a prompt is sent if not all of it can be, and the person is told why.
func TestFilesThatAreNotSent(t *testing.T) {
	sized := func(update int, album string, size int64) question.Input {
		in := attached(update, album)
		in.File.Size = size
		return in
	}
	odd := attached(1, "")
	odd.What, odd.File = question.Poll, question.File{}
	abort := attached(1, "")
	abort.Text, abort.Command = "/abort", "abort"
	unknown := abort
	unknown.Text, unknown.Command = "/x", "x"
	fails := func(err error) func(question.FileID, int64) ([]byte, error) {
		return func(question.FileID, int64) ([]byte, error) { return nil, err }
	}
	for name, c := range map[string]struct {
		sent  []question.Input
		fetch func(question.FileID, int64) ([]byte, error)
		want  question.TellingKind
	}{
		"just not too large":     {[]question.Input{sized(1, "", question.MaxFiles)}, nil, question.TellNothing}, // of a turn that never began
		"too large":              {[]question.Input{sized(1, "", question.MaxFiles+1)}, nil, question.TellTooLarge},
		"too large together":     {[]question.Input{sized(1, "a", question.MaxFiles), sized(2, "a", 1)}, nil, question.TellTooLarge},
		"larger than told":       {[]question.Input{attached(1, "")}, fails(errors.Join(permanent{errors.New("large")}, question.ErrTooLarge)), question.TellTooLarge},
		"not given out":          {[]question.Input{attached(1, "")}, fails(permanent{errors.New("400")}), question.TellFileGone},
		"a poll":                 {[]question.Input{odd}, nil, question.TellUnusable},
		"a command":              {[]question.Input{abort}, nil, question.TellNoFile},
		"an unknown command":     {[]question.Input{unknown}, nil, question.TellUnknown},
		"not given out just now": {[]question.Input{attached(1, "")}, fails(passing{errors.New("502")}), question.TellFetching},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.set(func() { w.fetch = c.fetch })
				for _, input := range c.sent {
					w.send(input)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if got := w.kinds(); len(got) == 0 || got[0] != c.want {
					t.Errorf("told %q, want %q", got, c.want)
				}
				if sent := w.words() != ""; sent != (c.want == question.TellNothing) {
					t.Errorf("sent %q", w.words())
				}
			})
		})
	}
}

// Files that are shown as one and have no session are answered once, and let go of.
func TestAnAlbumWithoutASession(t *testing.T) {
	for name, alter := range map[string]func(*world){
		"none is used": func(w *world) {
			w.seats.Store(question.ChatID(1), question.Seat{Chat: 1})
			w.open.begin(typed(9, "new"))
		},
		"written above a choice that failed": func(w *world) { w.missed[1] = 100 },
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.back(func() { alter(w) })
				synctest.Wait()
				for n := range 3 {
					w.send(attached(n+1, "a"))
				}
				w.wantWords("")
				wantKinds(t, w, question.TellWhich)
				if got := w.told[0].ReplyTo; got != 1 {
					t.Errorf("a reply to %d, want the first", got)
				}
				var used []question.UpdateID
				for _, c := range w.changes {
					used = append(used, c.Consumed...)
				}
				if slices.Sort(used); !slices.Equal(used, []question.UpdateID{1, 2, 3}) {
					t.Errorf("used %v", used)
				}
				w.shares.Range(func(key, _ any) bool {
					t.Errorf("%+v is kept", key)
					return true
				})
			})
		})
	}
}

// All files of a prompt share one limit, also by what is in them.
func TestTheLimitIsForAllFiles(t *testing.T) {
	in(t, func(w *world) {
		var limits []int64
		w.set(func() {
			w.fetch = func(_ question.FileID, limit int64) ([]byte, error) {
				limits = append(limits, limit)
				return make([]byte, 1000), nil
			}
		})
		w.send(attached(1, "a"))
		w.send(attached(2, "a"))
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if want := []int64{question.MaxFiles, question.MaxFiles - 1000}; !slices.Equal(limits, want) {
			t.Errorf("limits %v, want %v", limits, want)
		}
	})
}

// What is not for a session is left to others: in groups all but replies.
func TestWhatIsNotTaken(t *testing.T) {
	in(t, func(w *world) {
		group, other := attached(1, ""), attached(2, "")
		group.Chat, group.Private = 1, false
		other.Chat = 5
		for _, input := range []question.Input{group, other} {
			if w.Take(input, true) {
				t.Errorf("%+v was taken", input)
			}
		}
	})
}
