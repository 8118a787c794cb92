package rig

import (
	"sync/atomic"
	"time"

	"hermes/internal/daemon"
)

// Restart stops the daemon after some quiet time, starts it after another, and
// returns the newest message then. A daemon that is killed stores nothing more.
func (r *Rig) Restart(quiet, down time.Duration, killed bool) string {
	r.T.Helper()
	var dead atomic.Bool
	if killed {
		r.Halt()
		r.Wrap = func(out daemon.Outside) daemon.Outside {
			out.Store.Write = func(write func() error) error {
				if dead.Load() {
					return errKilled
				}
				return write()
			}
			return out
		}
		r.Start()
	}
	r.Wait(quiet)
	dead.Store(true)
	r.Halt()
	r.Wait(down)
	dead.Store(false)
	r.Start()
	r.Wait(time.Minute)
	return r.Last().Text
}
