package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/pending"
)

// Where no hermes runs, the file is copied; a file that is there stays, and the database never is the copy.
func TestBackup_WithoutHermes(t *testing.T) {
	c := recorded(t, history()...)
	forCommands(t, c.DB)
	path := filepath.Join(t.TempDir(), "copy.db")
	if code, out, errs := typedIn(t, "backup", path); code != 0 || !strings.Contains(out, path+": ") || !strings.Contains(out, " in the journal") {
		t.Fatalf("%d, %s%s", code, out, errs)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	empty := filepath.Join(t.TempDir(), "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, w := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"backup", path}, exitFailure, "give another name, or --replace"},
		{[]string{"backup", path, "--replace"}, 0, ""},
		{[]string{"backup", c.DB, "--replace"}, exitUsage, "must be another one than the database"},
		{[]string{"backup", filepath.Join(t.TempDir(), "none", "x.db")}, exitFailure, "there is no folder "},
		{[]string{"restore", filepath.Join(t.TempDir(), "none.db")}, exitFailure, "none.db: there is no such file"},
		{[]string{"restore", empty}, exitFailure, "empty.db is no backup that hermes made; nothing was changed"},
		{[]string{"restore", "backup_test.go"}, exitFailure, "backup_test.go is no backup that hermes made; nothing was changed"},
	} {
		if code, out, errs := typedIn(t, w.args...); code != w.code || !strings.Contains(errs, w.says) {
			t.Errorf("%q: %d, %s%s", w.args, code, out, errs)
		}
	}
	code, out, errs := typedIn(t, "restore", path)
	if code != 0 || !strings.Contains(out, c.DB+" is the backup now: ") || !strings.Contains(out, ".before-restore-") {
		t.Errorf("%d, %s%s", code, out, errs)
	}
	t.Log(out)
	if err := os.Remove(c.DB); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := typedIn(t, "backup", path, "--replace"); code != exitFailure || !strings.Contains(errs, "there is no database") {
		t.Errorf("of no database: %d, %s%s", code, out, errs)
	}
	if _, err := pending.CheckCopy(path); err != nil {
		t.Errorf("a backup that failed has changed the file that was there: %v", err)
	}
}

// While a hermes has the database, nothing is restored over it.
func TestRestore_RefusesWhileHermesRuns(t *testing.T) {
	c := recorded(t, history()...)
	forCommands(t, c.DB)
	path := filepath.Join(t.TempDir(), "copy.db")
	if code, _, errs := typedIn(t, "backup", path); code != 0 {
		t.Fatal(errs)
	}
	s, err := pending.Open(c.DB, pending.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, args := range [][]string{{"restore", path}, {"backup", path, "--replace"}} {
		if code, out, errs := typedIn(t, args...); code != exitFailure || !strings.Contains(errs, "a hermes uses ") {
			t.Errorf("%q: %d, %s%s", args, code, out, errs)
		}
	}
}
