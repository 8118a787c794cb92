package sessions

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

// Beyond the moves that are remembered, the oldest is forgotten, and no other.
func TestTheOldestMoveIsForgottenFirst(t *testing.T) {
	in(t, func(w *world) {
		for n := range question.ChatID(maxMoves + 1) {
			w.Moved(-1-n, -1_000_000-n)
		}
		synctest.Wait()
		for n, want := range map[question.ChatID]question.ChatID{
			-1: -1, -2: -1_000_001, -maxMoves / 2: -1_000_000 - maxMoves/2 + 1, -1 - maxMoves: -1_000_000 - maxMoves,
		} {
			if got := w.current(n); got != want {
				t.Errorf("%d has become %d, want %d", n, got, want)
			}
		}
	})
}

// However many sessions an OpenCode says to work, a bounded number of them is watched for
// chats that hear of all; those of others, and those that a person waits for, are too.
func TestAnOpenCodeHasABoundedNumberOfWatches(t *testing.T) {
	w := &world{followed: followed{seated: []question.Seat{{Chat: 1, Session: session, Origin: origin(), Level: question.LevelTurns}}}}
	inThat(t, w, func(w *world) {
		w.event(question.Opened, "")
		w.set(func() { w.busy = true })
		w.say(1, "go on")
		thief := linkOf("thief", "mallory")
		for n := range 5000 {
			kind := question.Worked
			if n%2 == 1 {
				kind = question.Rested
			}
			w.Event(question.Event{Kind: kind, Origin: thief, Session: question.SessionID(fmt.Sprint("ses_of_thief_", n))})
		}
		w.Event(question.Event{Kind: question.Worked, Origin: origin(), Session: "ses_2"})
		time.Sleep(time.Second)
		synctest.Wait()
		if n := len(w.watches); n > maxWatched+2 || n < maxWatched {
			t.Errorf("%d sessions are watched", n)
		}
		for _, id := range []question.SessionID{session, "ses_2"} {
			if w.watches[id] == nil {
				t.Errorf("%s is not watched", id)
			}
		}
		stored := 0
		for _, c := range w.changes {
			for _, one := range c.Watches {
				if strings.HasPrefix(string(one.Session), "ses_of_thief") {
					stored++
				}
			}
		}
		if stored > maxWatched {
			t.Errorf("%d watches of it are stored", stored)
		}
		w.event(question.Opened, "") // and the person's is still looked at
		if got := strings.Count(w.logged.String(), "too many sessions"); got != 1 {
			t.Errorf("the log has it %d times\n%s", got, w.logged.String())
		}
	})
}
