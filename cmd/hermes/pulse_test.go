package main

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	telegram "hermes/internal/simulate/telegramsim"
)

// A chat is quiet for some ten minutes, hermes goes away for a while and comes
// back: it says that it was offline only when taps may have been lost (150 s). A
// poll is held for 50 s, so the stop comes at several places in one.
func TestRestartOfAQuietChat(t *testing.T) {
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
				play(t, func(c *config) { c.QuestionTTL = 0 }, func(r *rig) {
					r.ask(database())
					text := r.restart(quiet, test.down, test.killed)
					if strings.Contains(text, "offline") != (test.offline != "") || !strings.Contains(text, test.offline) {
						t.Errorf("the card says:\n%s", text)
					}
				})
			})
		}
	}
}

// restart stops the daemon after some quiet time, starts it after another, and
// returns the newest message then. A daemon that is killed stores nothing more.
func (r *rig) restart(quiet, down time.Duration, killed bool) string {
	r.t.Helper()
	var dead atomic.Bool
	if killed {
		r.halt()
		r.wrap = func(out outside) outside {
			out.store.Write = func(write func() error) error {
				if dead.Load() {
					return errKilled
				}
				return write()
			}
			return out
		}
		r.start()
	}
	r.wait(quiet)
	dead.Store(true)
	r.halt()
	r.wait(down)
	dead.Store(false)
	r.start()
	r.wait(time.Minute)
	return r.last().Text
}

// What Telegram did not answer before the stop was not heard.
func TestStopWhileTelegramIsAway(t *testing.T) {
	play(t, func(c *config) { c.QuestionTTL = 0 }, func(r *rig) {
		r.ask(database())
		r.telegram.SetFault(func(telegram.Call) telegram.Fault { return telegram.Fault{Kind: telegram.Unreachable} })
		r.wait(4 * time.Minute)
		r.halt()
		r.telegram.SetFault(nil)
		r.start()
		r.wait(time.Minute)
		r.screen("I was offline for")
	})
}
