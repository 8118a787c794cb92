package sessions_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/session"
)

// Wherever hermes is killed, right before or behind a commit, the next start does what is
// owed: once for the session, and the update leaves the inbox.
func TestCrash_AtEveryCommit(t *testing.T) {
	for name, begin := range map[string]func(*world){
		"a text":  func(w *world) { w.say(1, "go on") },
		"a file":  func(w *world) { w.send(attached(1, "")) },
		"a voice": func(w *world) { w.send(voice(1)) },
		"an album": func(w *world) {
			w.send(attached(1, "a"))
			w.send(attached(2, "a"))
		},
		"a late answer": func(w *world) {
			w.lost(decided)
			w.send(sendsLost(1))
		},
		"behind a choice": func(w *world) {
			w.set(func() { w.listed = func() []session.Session { return []session.Session{w.state()} } })
			w.say(1, "/use fix")
			w.say(2, "go on")
		},
	} {
		t.Run(name, func(t *testing.T) {
			commits := playUntil(t, begin, -1, false)
			for n := range commits {
				for _, applied := range []bool{false, true} {
					t.Run(fmt.Sprint(n, applied), func(t *testing.T) { playUntil(t, begin, n, applied) })
				}
			}
		})
	}
}

// playUntil plays what begins so, with hermes killed at the n-th commit, and returns how many
// commits there were.
func playUntil(t *testing.T, begin func(*world), n int, applied bool) (commits int) {
	w := newWorld().hears()
	inThat(t, w, func(w *world) {
		w.dies = func() (bool, bool) {
			commits++
			return commits-1 == n, applied
		}
		begin(w)
		pass(10 * time.Second)
		w.restart()
		pass(30 * time.Second)
		w.set(func() { w.turn = "msg_999" })
		w.event(event.Rested, "")
		pass(time.Minute)
		w.restart() // it may have been killed in its second life
		pass(time.Minute)
		if len(w.sent) != 1 {
			t.Errorf("sent:\n%s", w.prompts())
		}
		if strings.Contains(w.reactions, "👀") && !strings.Contains(w.reactions, "👍") {
			t.Errorf("reactions %q: the message stays as one that waits", w.reactions)
		}
		if d := w.driving(); len(w.inbox()) > 0 || len(d.Prompts) > 0 || len(d.TurnWatches) > 0 {
			t.Errorf("in the inbox are %v, owed %+v, watched %+v", w.inbox(), d.Prompts, d.TurnWatches)
		}
	})
	return commits
}

// Wherever hermes is killed, a person hears of the prompt that a session did not take: it shows no 👀, and words say why.
func TestCrash_ABadEndIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		alter func(*world)
		say   string
		want  string
	}{
		"refused": {func(w *world) { w.unwilling = permanent{session.ErrNoAgent} }, "go on", en.Sessions.Refused},
		"deleted": {func(w *world) { w.unwilling = session.ErrNoSession }, "go on", en.Sessions.Deleted},
		"noted":   {func(*world) {}, "/noreply by the way", en.Sessions.Noted},
	} {
		t.Run(name, func(t *testing.T) {
			for n, commits := 0, 1; n < commits; n++ {
				for _, applied := range []bool{false, true} {
					in(t, func(w *world) {
						made := 0
						w.set(func() {
							c.alter(w)
							w.dies = func() (bool, bool) { made++; return made-1 == n, applied }
						})
						w.say(1, c.say)
						pass(10 * time.Second)
						w.restart()
						pass(time.Minute)
						w.restart()
						pass(time.Minute)
						if got := w.texts(); len(got) < 1 || len(got) > 2 || !says(got[0], c.want) || !says(got[len(got)-1], c.want) {
							t.Errorf("killed at %d, %v: told %q, want %q once, or once more", n, applied, got, c.want)
						}
						if d := w.driving(); len(w.inbox()) > 0 || len(d.Prompts) > 0 {
							t.Errorf("killed at %d, %v: in the inbox are %v, owed %+v", n, applied, w.inbox(), d.Prompts)
						}
						commits = max(commits, made)
					})
				}
			}
		})
	}
}
