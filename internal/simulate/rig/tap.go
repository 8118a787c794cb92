package rig

import (
	"testing"

	"hermes/internal/question"
	"hermes/internal/storage"
)

// WantRefusals fails the test unless just these taps were recorded as having had no
// effect, in this order, each with the person who made it.
func (r *Rig) WantRefusals(details ...string) {
	r.T.Helper()
	entries := r.Journal(storage.EntryRefused)
	if len(entries) != len(details) {
		r.T.Errorf("the journal has %d refusals, want %d: %+v", len(entries), len(details), entries)
		return
	}
	for i, e := range entries {
		if e.Detail != details[i] || e.By.Kind != question.Person || e.By.User == 0 || e.By.Chat == 0 || e.By.Name == "" {
			r.T.Errorf("refusal %d is %+v, want %q", i, e, details[i])
		}
	}
}

// WantAlert fails the test unless the answer to a tap is this.
func WantAlert(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: the alert is %q, want %q", what, got, want)
	}
}

const (
	SaysUnknown = "This question is no longer available"
	SaysStale   = "That was an older version of this question"
	SaysEve     = "Only people on the list can answer here"
)
