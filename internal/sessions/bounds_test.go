package sessions_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// However many sessions an OpenCode says to work, a bounded number of them is watched for
// chats that hear of all; those of others, and those that a person waits for, are too.
func TestTurns_OneOpenCodeHasABoundedNumber(t *testing.T) {
	const most = 200
	w := seededWorld(storage.Change{ChatSettings: []remote.ChatSettings{{Chat: adaChat, Session: testSession, Origin: origin(), Title: "fix", Level: remote.LevelTurns}}})
	inThat(t, w, func(w *world) {
		w.event(event.Opened, "")
		w.set(func() { w.busy = true })
		w.say(1, "go on")
		thief := linkOf("thief", "mallory")
		for n := range 5000 {
			kind := event.Worked
			if n%2 == 1 {
				kind = event.Rested
			}
			w.Event(event.Event{Kind: kind, Origin: thief, Session: session.ID(fmt.Sprint("ses_of_thief_", n))})
		}
		w.Event(event.Event{Kind: event.Worked, Origin: origin(), Session: "ses_2"})
		pass(time.Second)
		stored, others := 0, map[session.ID]bool{}
		for _, one := range w.driving().TurnWatches {
			if strings.HasPrefix(string(one.Session), "ses_of_thief") {
				stored++
			} else {
				others[one.Session] = true
			}
		}
		if stored > most || stored < most/4 {
			t.Errorf("%d watches of it are stored", stored)
		}
		if !others[testSession] || !others["ses_2"] {
			t.Errorf("of others %v are watched", others)
		}
		pass(time.Minute)
		if n := len(w.seen); n > most || n < most/2 {
			t.Errorf("%d of its sessions were looked at", n)
		}
		w.event(event.Opened, "") // and the person's is still looked at
		if got := strings.Count(w.logged.String(), "too many sessions"); got != 1 {
			t.Errorf("the log has it %d times\n%s", got, w.logged.String())
		}
	})
}
