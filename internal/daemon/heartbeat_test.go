package daemon_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/simulate/rig"
)

// A chat is quiet for some ten minutes, hermes goes away for a while and comes
// back: it says that it was offline only when taps may have been lost (150 s). A
// poll is held for 50 s, so the stop comes at several places in one.
func TestHeartbeat_RestartOfAQuietChat(t *testing.T) {
	for _, test := range []struct {
		down    time.Duration
		killed  bool
		offline string // what the card says; empty: nothing
	}{
		{down: 2 * time.Second},
		{down: 20 * time.Second},
		{down: 100 * time.Second},
		{down: 145 * time.Second},
		{down: 170 * time.Second, offline: "I was offline for 3 min"},
		{down: 2 * time.Second, killed: true},
		{down: 20 * time.Second, killed: true},
		{down: 90 * time.Second, killed: true},
		{down: 170 * time.Second, killed: true, offline: "I was offline for"},
	} {
		for into := range 5 {
			quiet := 10*time.Minute + time.Duration(into)*23*time.Second
			t.Run(fmt.Sprintf("%v down after %v, killed: %v", test.down, quiet, test.killed), func(t *testing.T) {
				rig.Play(t, func(c *config.Config) { c.QuestionTTL = 0 }, func(r *rig.Rig) {
					r.Ask(rig.DatabaseQuestion())
					text := restartAfter(r, quiet, test.down, test.killed)
					if strings.Contains(text, "offline") != (test.offline != "") || !strings.Contains(text, test.offline) {
						t.Errorf("the card says:\n%s", text)
					}
				})
			})
		}
	}
}

// restartAfter stops the daemon after some quiet time, starts it after another, and
// returns the newest message then. A daemon that is killed stores nothing more.
func restartAfter(r *rig.Rig, quiet, down time.Duration, killed bool) string {
	r.T.Helper()
	var dead atomic.Bool
	if killed {
		r.Halt()
		r.Wrap = func(out daemon.Outside) daemon.Outside {
			out.Store.Write = func(write func() error) error {
				if dead.Load() {
					return errors.New("killed")
				}
				return write()
			}
			return out
		}
		r.Start()
	}
	r.Wait(quiet)
	dead.Store(true)
	if r.Stop(); killed {
		<-r.Ended
	} else if err := <-r.Ended; err != nil {
		r.T.Error("the daemon ended:", err)
	}
	r.Wait(down)
	dead.Store(false)
	r.Start()
	r.Wait(time.Minute)
	return r.Last().Text
}
