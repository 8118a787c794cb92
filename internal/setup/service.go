package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"hermes/internal/config"
)

// service is how a machine keeps hermes running: the file to write, and the
// commands by which it comes to life.
type service struct {
	kind     string // systemd or launchd
	path     string
	content  string
	there    []string   // succeeds where there is such a service manager
	runs     []string   // succeeds while hermes runs under it
	start    [][]string // from any state
	restart  [][]string
	look     string // how a person sees what it does
	stop     string
	loggedIn string // what holds while nobody is logged in; "" for nothing to say
}

// stepService writes the service's file, if one is wanted.
func (s *Wizard) stepService(ctx context.Context) error {
	binary, err := os.Executable()
	if err != nil {
		return fmt.Errorf("setup does not find its own program file: %w", err)
	}
	svc, err := s.chooseService(ctx, binary)
	if err != nil || svc == nil {
		return err
	}
	if err := s.writeService(ctx, svc); err != nil {
		return err
	}
	s.service = svc
	return nil
}

// chooseService returns the service that is wanted and possible here, or nil
// after saying why there is none. One that was asked for by its flag must be.
func (s *Wizard) chooseService(ctx context.Context, binary string) (*service, error) {
	kind := s.Given.service
	if kind == "" {
		kind = usualService()
	}
	if kind == "none" {
		s.T.Say("None. Start hermes yourself: hermes serve")
		return nil, nil
	}
	svc := newService(kind, binary, s.path, s.config.DB)
	if trouble := s.unfit(ctx, svc, binary); trouble != "" {
		if s.Given.service != "" && !s.Given.dryRun {
			return nil, fmt.Errorf("%s; --service=none goes without", trouble)
		}
		s.T.Bad("%s. Start hermes yourself: hermes serve", trouble)
		return nil, nil
	}
	if s.Given.service != "" || s.Given.dryRun {
		return svc, nil
	}
	ok, err := s.T.Confirm(ctx, "Let "+kind+" run hermes for you, now and at every login?", true)
	if err != nil || ok {
		return svc, err
	}
	s.T.Say("None, then. Start hermes yourself: hermes serve")
	return nil, nil
}

func usualService() string {
	if runtime.GOOS == "darwin" {
		return "launchd"
	}
	return "systemd"
}

func newService(kind, binary, env, db string) *service {
	if kind == "launchd" {
		return launchdService(binary, env)
	}
	return systemdService(binary, env, db)
}

// unfit says why the service cannot be here, "" if it can.
func (s *Wizard) unfit(ctx context.Context, svc *service, binary string) string {
	if out, err := runLine(ctx, svc.there); err != nil {
		return fmt.Sprintf("%s is not there for this user: %s", svc.kind, out)
	}
	if temporary(binary) {
		return "this hermes is a build of go run, which does not stay; build one (make build), put it where it stays, and run its setup"
	}
	return ""
}

// temporary reports whether go run made the binary: it lies in
// go-build…/b001/exe and is removed at the end.
func temporary(binary string) bool {
	dir := filepath.Dir(binary)
	return filepath.Base(dir) == "exe" && strings.Contains(dir, "go-build")
}

// writeService writes the file. One that differs is kept aside, never lost.
func (s *Wizard) writeService(ctx context.Context, svc *service) error {
	now, err := os.ReadFile(svc.path)
	switch {
	case err == nil && string(now) == svc.content:
		s.T.Good("%s was there already", tilde(svc.path))
		return nil
	case err == nil:
		s.T.Say("%s is there, and differs. It would be kept beside, with .kept- and a number.", tilde(svc.path))
		if ok, err := s.agreeService(ctx); err != nil || !ok {
			return err
		}
	}
	s.T.Good("%s%s", s.would(), tilde(svc.path))
	if s.Given.dryRun {
		return nil
	}
	s.fresh = true
	if err == nil {
		if err := s.keepBeside(svc.path); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(s.config.DB), 0o700); err != nil {
		return fmt.Errorf("the directory of the database (HERMES_DB) cannot be made: %w", config.WithoutPath(err))
	}
	return replaceFile(svc.path, svc.content, 0o644, 0o755)
}

func (s *Wizard) agreeService(ctx context.Context) (bool, error) {
	if s.Given.dryRun {
		return true, nil
	}
	ok, err := s.T.Confirm(ctx, "Replace it?", true)
	if err == nil && !ok {
		s.T.Say("It stays as it is.")
	}
	return ok, err
}

// keepBeside moves a file to the first free name beside it.
func (s *Wizard) keepBeside(path string) error {
	for n := 1; ; n++ {
		kept := fmt.Sprintf("%s.kept-%d", path, n)
		err := os.Link(path, kept)
		if err == nil {
			s.T.Say("What was there is kept as %s.", tilde(kept))
			return nil
		}
		if !errors.Is(err, os.ErrExist) {
			return fmt.Errorf("%s cannot be kept beside: %w", path, err)
		}
	}
}
