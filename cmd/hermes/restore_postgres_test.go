//go:build postgres && unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"hermes/pending/postgres/pgtest"
)

// A backup leads from the file to the database of HERMES_STORE and back, and the journal is the same on both sides.
func TestRestore_FromTheFileToTheDatabaseAndBack(t *testing.T) {
	server := pgtest.Start(t, pgtest.Options{})
	c := recorded(t, history()...)
	forCommands(t, c.DB)
	dir := t.TempDir()
	ofFile, ofStore := filepath.Join(dir, "file.db"), filepath.Join(dir, "store.db")
	must := func(says string, args ...string) string {
		t.Helper()
		code, out, errs := typedIn(t, args...)
		if code != 0 || !strings.Contains(out, says) {
			t.Fatalf("%q: %d, %s%s; want %q", args, code, out, errs, says)
		}
		return out
	}
	must(ofFile, "backup", ofFile)
	t.Setenv("HERMES_STORE", server.URL())
	if code, out, errs := typedIn(t, "backup", ofStore); code != exitFailure || !strings.Contains(errs, "HERMES_STORE") {
		t.Errorf("a backup of nothing: %d, %s%s", code, out, errs)
	}
	if out := must("the database of HERMES_STORE is the backup now: ", "restore", ofFile); strings.Contains(out, ".before-restore-") {
		t.Errorf("something was there before: %s", out)
	}
	must(ofStore, "backup", ofStore)
	must(ofFile+".before-restore-", "restore", ofFile) // over what is there
	there := must("restored", "audit")
	must("", "audit", "--verify")
	t.Setenv("HERMES_STORE", "")
	must(c.DB+" is the backup now: ", "restore", ofStore)
	if back := must("restored", "audit"); !strings.HasPrefix(back, there[:strings.LastIndex(there[:len(there)-1], "\n")]) {
		t.Errorf("the journal is another: %s\nwant the beginning of: %s", back, there)
	}
}
