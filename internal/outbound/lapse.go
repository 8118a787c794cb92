package outbound

import "time"

// Lapse is what machines have in common that their owner has to look after.
type Lapse struct {
	Kind     LapseKind
	Machines []LapsedMachine
	For      time.Duration // LapseSilent: they were not seen for longer
}

// LapsedMachine is one of them.
type LapsedMachine struct {
	Name    string // of its link
	Host    string // what it calls itself; empty: it did not say
	Version string // of its plugin, or of hermes link run, as it says; empty: it did not say
}

// LapseKind is the closed set of lapses.
type LapseKind string

// The lapses.
const (
	LapseSilent LapseKind = "silent"  // nothing was heard of it for days
	LapseOld    LapseKind = "old"     // its plugin is older than hermes' own, and works
	LapseTooOld LapseKind = "too-old" // what it has is too old for hermes, which refuses it
	LapseTooNew LapseKind = "too-new" // what it has is too new for hermes, which refuses it
)
