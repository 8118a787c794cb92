package kvtest

import (
	"testing"

	"hermes/pending/kv"
)

// Buckets are the names of the suite's buckets, for an engine that makes its buckets when it is opened.
func Buckets() []string { return []string{"one", "two", "three"} }

// Run plays the suite. open gives an empty database, which the suite closes.
func Run(t *testing.T, open func(t *testing.T) kv.DB) {
	for _, test := range []struct {
		name string
		play func(*testing.T, kv.DB)
	}{
		{"random changes leave what a model has", randomChanges},
		{"values and keys are bytes", bytesAsTheyAre},
		{"a change that fails leaves nothing", failedChange},
		{"a value read is good until the end", valuesStay},
		{"a range goes over what is stored and what is not yet", rangeOverBoth},
		{"a range goes over what is left", rangeOverHoles},
		{"a range over nothing", rangeOverNothing},
		{"a reader sees one moment", oneMoment},
		{"changes come one after the other", oneAfterTheOther},
		{"close waits", closeWaits},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := open(t)
			defer db.Close()
			test.play(t, db)
		})
	}
}

func mustView(t *testing.T, db kv.DB, fn func(kv.Tx) error) {
	t.Helper()
	if err := db.View(fn); err != nil {
		t.Fatalf("View: %v", err)
	}
}

func mustUpdate(t *testing.T, db kv.DB, fn func(kv.Tx) error) {
	t.Helper()
	if err := db.Update(fn); err != nil {
		t.Fatalf("Update: %v", err)
	}
}
