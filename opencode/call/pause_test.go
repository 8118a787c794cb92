package call

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// However many directories are paused at once, few are remembered: then all are paused.
func TestPauses_AreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const gap = 2 * time.Second
		var r Pauses
		for n := range 3 * maxPauses {
			r.Begin(strings.Repeat("d", n+1), gap)
		}
		if len(r.until) > maxPauses {
			t.Errorf("%d are remembered", len(r.until))
		}
		for _, directory := range []string{"d", strings.Repeat("d", 3*maxPauses)} {
			if r.timeLeft(directory) != gap {
				t.Errorf("one is paused for %v", r.timeLeft(directory))
			}
		}
		time.Sleep(gap)
		if r.Begin("d", gap); len(r.until) != 1 {
			t.Errorf("%d are remembered in the end", len(r.until))
		}
	})
}
