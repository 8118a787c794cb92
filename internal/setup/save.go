package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"hermes/internal/console"
)

// errDeclined ends a setup whose change a person did not want.
var errDeclined = errors.New("nothing was changed there; run hermes setup again when you want to go on")

// save makes the edits in hermes.env and says so. What is there already is only
// replaced after a yes. Nothing is written when nothing differs.
func (s *Wizard) save(ctx context.Context, edits ...envEdit) error {
	return s.saveIf(func(changes []envChange) (bool, error) { return s.agreed(ctx, changes) }, edits...)
}

// saveIf is save with another way to get the person's yes.
func (s *Wizard) saveIf(agreed func([]envChange) (bool, error), edits ...envEdit) error {
	before, mode, err := readEnv(s.path)
	if err != nil {
		return err
	}
	after, changes := editEnv(before, edits)
	open := mode&0o077 != 0
	if len(changes) == 0 && !open {
		return nil
	}
	if ok, err := agreed(changes); err != nil || !ok {
		return errors.Join(err, unless(ok || err != nil, errDeclined))
	}
	if len(changes) == 0 {
		after = before
	}
	if !s.Given.dryRun {
		if err := replaceFile(s.path, after, 0o600, 0o700); err != nil {
			return err
		}
		s.fresh = true
	}
	s.saved(changes)
	if open {
		s.T.Good("%s: %sonly you can read it now (it was mode %04o)", tilde(s.path), s.would(), mode)
	}
	return nil
}

func unless(ok bool, err error) error {
	if ok {
		return nil
	}
	return err
}

// agreed asks before a line that is there is changed.
func (s *Wizard) agreed(ctx context.Context, changes []envChange) (bool, error) {
	replaced := false
	for _, c := range changes {
		if c.Before == "" {
			continue
		}
		replaced = true
		s.T.Say("%s would change:", tilde(s.path))
		s.T.Say("  - %s=%s", c.Name, console.Legible(c.Before))
		if c.After != "" {
			s.T.Say("  + %s=%s", c.Name, console.Legible(c.After))
		}
	}
	if !replaced || s.Given.dryRun {
		return true, nil
	}
	return s.T.Confirm(ctx, "Change it?", true)
}

func (s *Wizard) saved(changes []envChange) {
	for _, c := range changes {
		switch {
		case c.After == "":
			s.T.Good("%s: %sremoved %s", tilde(s.path), s.would(), c.Name)
		default:
			s.T.Good("%s: %s%s=%s", tilde(s.path), s.would(), c.Name, console.Legible(c.After))
		}
	}
}

// would marks what a dry run did not do.
func (s *Wizard) would() string {
	if s.Given.dryRun {
		return "would be written: "
	}
	return ""
}

func (s *Wizard) heading(number int, title string) {
	s.T.Print(fmt.Sprintf("\n%d/%d  %s\n", number, len(s.steps()), title))
}

// tilde shortens a path in the home directory for a person to read.
func tilde(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "/" || !strings.HasPrefix(path, home+"/") {
		return console.Legible(path)
	}
	return console.Legible("~" + strings.TrimPrefix(path, home))
}
