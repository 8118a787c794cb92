package sessions_test

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// A failure of the store is logged once until it is another, or has passed.
func TestStore_FailureIsLoggedOnce(t *testing.T) {
	in(t, func(w *world) {
		for n, step := range []struct {
			broken error
			lines  int // in the log by then
		}{
			{errors.New("the disk is full"), 1},
			{errors.New("the disk is full"), 1},
			{errors.New("the disk is broken"), 2},
			{errors.New("the disk is full"), 3},
			{nil, 3},
			{errors.New("the disk is full"), 4},
		} {
			w.set(func() { w.broken = step.broken })
			for more := range 3 {
				w.say(10*n+more+1, "/level all")
				pass(time.Minute)
			}
			if got := strings.Count(w.logged.String(), "the store does not take changes"); got != step.lines {
				t.Errorf("%d lines after step %d (%v), want %d", got, n, step.broken, step.lines)
			}
		}
	})
}
