package main

import (
	"testing"
	"time"

	"hermes/internal/question"
)

func TestJournalIsKeptForAsLongAsAskedFor(t *testing.T) {
	for _, c := range []struct {
		keep time.Duration
		left int
	}{{0, 1}, {time.Hour, 0}, {24 * time.Hour, 1}} {
		play(t, func(x *config) { x.JournalKeep = c.keep }, func(r *rig) {
			r.ask(database())
			r.tap("1.")
			r.wait(13 * time.Hour)
			if n := len(r.journal(question.EntryAsked)); n != c.left {
				t.Errorf("kept for %v, it has %d questions after 13 hours", c.keep, n)
			}
			if err := r.daemon.store.Verify(); err != nil {
				t.Error(err)
			}
		})
	}
}
