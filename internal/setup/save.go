package setup

import (
	"context"
	"errors"
	"os"
	"strings"

	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/secret"
)

// errDeclined ends a setup whose change a person did not want.
var errDeclined = errors.New("nothing was changed there; run hermes setup again when you want to go on")

// envFile is hermes.env, which is changed only after a yes.
type envFile struct {
	path    string
	term    *console.Terminal
	dryRun  bool
	written bool // by this run
}

// save makes the edits in hermes.env and says so. What is there already is only
// replaced after a yes. Nothing is written when nothing differs.
func (f *envFile) save(ctx context.Context, edits ...envEdit) error {
	return f.saveIf(func(changes []envChange) (bool, error) { return f.confirmChanges(ctx, changes) }, edits...)
}

// saveIf is save with another way to get the person's yes.
func (f *envFile) saveIf(agreed func([]envChange) (bool, error), edits ...envEdit) error {
	before, mode, err := readEnv(f.path)
	if err != nil {
		return err
	}
	after, changes := editEnv(before, edits)
	open := secret.IsExposed(mode)
	if len(changes) == 0 && !open {
		return nil
	}
	if ok, err := agreed(changes); err != nil || !ok {
		return errors.Join(err, errUnless(ok || err != nil, errDeclined))
	}
	if len(changes) == 0 {
		after = before
	}
	if !f.dryRun {
		if err := replaceFile(f.path, after, 0o600, 0o700); err != nil {
			return err
		}
		f.written = true
	}
	f.reportSaved(changes)
	if open {
		f.term.Good("%s: %sonly you can read it now (it was mode %04o)", shortPath(f.path), dryRunPrefix(f.dryRun), mode)
	}
	return nil
}

func errUnless(ok bool, err error) error {
	if ok {
		return nil
	}
	return err
}

// confirmChanges asks before a line that is there is changed.
func (f *envFile) confirmChanges(ctx context.Context, changes []envChange) (bool, error) {
	replaced := false
	for _, c := range changes {
		if c.Before == "" {
			continue
		}
		replaced = true
		f.term.Say("%s would change:", shortPath(f.path))
		f.term.Say("  - %s=%s", c.Name, letters.Escaped(c.Before))
		if c.After != "" {
			f.term.Say("  + %s=%s", c.Name, letters.Escaped(c.After))
		}
	}
	if !replaced || f.dryRun {
		return true, nil
	}
	return f.term.Confirm(ctx, "Change it?", true)
}

// reportSaved says what was changed.
func (f *envFile) reportSaved(changes []envChange) {
	for _, c := range changes {
		switch {
		case c.After == "":
			f.term.Good("%s: %sremoved %s", shortPath(f.path), dryRunPrefix(f.dryRun), c.Name)
		default:
			f.term.Good("%s: %s%s=%s", shortPath(f.path), dryRunPrefix(f.dryRun), c.Name, letters.Escaped(c.After))
		}
	}
}

// dryRunPrefix marks what a dry run did not do.
func dryRunPrefix(dryRun bool) string {
	if dryRun {
		return "would be written: "
	}
	return ""
}

// shortPath shortens a path in the home directory for a person to read.
func shortPath(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "/" || !strings.HasPrefix(path, home+"/") {
		return letters.Escaped(path)
	}
	return letters.Escaped("~" + strings.TrimPrefix(path, home))
}
