//go:build e2e && postgres && linux

package e2e_test

import (
	"math/rand/v2"
	"syscall"
	"time"
)

// fault is a way in which the hermes that acts can be lost.
type fault struct {
	name string
	// strike has it happen, and returns when it did; what it returns mends it.
	strike  func(s *storm, dice *rand.Rand, acting *hermes) (at time.Time, mend func())
	watched bool // whoever was lost could go on sending, and must not
	keeps   bool // the hermes that acts may go on acting
}

// faults are all.
func faults() []fault {
	return []fault{
		{name: "stop", strike: byStop},
		{name: "kill", strike: byKill},
		{name: "freeze", strike: byFreeze, watched: true},
		{name: "silence", strike: byCut(silent, allSides()...)},
		{name: "reset", strike: byCut(broken, allSides()...)},
		{name: "store-silence", strike: byCut(silent, toStore), watched: true},
		{name: "failover", strike: byFailover, keeps: true},
	}
}

// byStop ends hermes as systemd does.
func byStop(s *storm, _ *rand.Rand, acting *hermes) (time.Time, func()) {
	acting.stop(s.t)
	return time.Now(), func() { acting.start(s.t) }
}

// byKill ends it with SIGKILL. It starts again at once, or when the other one acts.
func byKill(s *storm, dice *rand.Rand, acting *hermes) (time.Time, func()) {
	at := time.Now()
	acting.kill()
	if dice.IntN(2) == 0 {
		acting.start(s.t)
		return at, func() {}
	}
	return at, func() { acting.start(s.t) }
}

// byFreeze stops its process where it is, for longer than the lease, and lets it go on: for all it knows no time has gone by.
func byFreeze(s *storm, _ *rand.Rand, acting *hermes) (time.Time, func()) {
	at := time.Now()
	_ = acting.run.Process.Signal(syscall.SIGSTOP)
	return at, func() {
		time.Sleep(time.Until(at.Add(s.lease)))
		_ = acting.run.Process.Signal(syscall.SIGCONT)
	}
}

// byCut takes connections away from it.
func byCut(st state, sides ...side) func(*storm, *rand.Rand, *hermes) (time.Time, func()) {
	return func(s *storm, _ *rand.Rand, acting *hermes) (time.Time, func()) {
		s.network.set(acting, st, sides...)
		return time.Now(), func() { s.network.set(acting, whole, sides...) }
	}
}

// byFailover loses the database's primary, and makes its standby the primary. A new standby comes in the place of the old primary.
func byFailover(s *storm, _ *rand.Rand, _ *hermes) (time.Time, func()) {
	at := time.Now()
	s.database.Primary.Kill()
	s.database.Promote(s.t)
	return at, func() { s.database.Replace(s.t) }
}
