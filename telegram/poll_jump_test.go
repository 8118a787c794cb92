package telegram_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

const week = 7 * 24 * time.Hour

// After a week without updates the next one has any id (Bot API, Update), and the Bot API server takes an offset that is more than ten beyond it for none
// (Client.cpp:16333-16358). With the last one again, an offset of last week would confirm what nobody has seen.
func TestPoll_UpdateIDsJump(t *testing.T) {
	for name, id := range map[string]int{"down": 3_000_001, "onto the last one": 100_000_001} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.start()
				w.say("last week")
				time.Sleep(week + time.Hour)
				w.inbox.prune()
				w.jump(id)
				want := []string{"last week"}
				for i := range 151 {
					if _, err := w.tele.Say(7, 7, fmt.Sprint(i)); err != nil {
						t.Fatal(err)
					}
					want = append(want, fmt.Sprint(i))
				}
				before := w.tele.Count("getUpdates")
				settle()
				if got := w.texts(); !slices.Equal(got, want) {
					t.Errorf("%d of %d were handled: %q", len(got), len(want), got)
				}
				if n := w.tele.Count("getUpdates") - before; w.tele.Pending() != 0 || n > 8 {
					t.Errorf("%d updates wait after %d polls in a minute", w.tele.Pending(), n)
				}
				w.stop()
				w.checkRules()
			})
		})
	}
}

// An answer that is lost brings the first updates of the new ids again.
func TestPoll_UpdateIDsJumpWithALostAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start()
		w.say("last week")
		time.Sleep(week + time.Hour)
		w.jump(3_000_001)
		w.tele.FailNext("getUpdates", lostAnswer, lostAnswer)
		for _, text := range []string{"one", "two", "three"} {
			w.say(text)
		}
		settle()
		if got := w.texts(); !slices.Equal(got, []string{"last week", "one", "two", "three"}) || w.tele.Pending() != 0 {
			t.Errorf("%q, %d wait", got, w.tele.Pending())
		}
		w.stop()
		w.checkRules()
	})
}
