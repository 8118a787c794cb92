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
	"hermes/internal/console"
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
	installer := serviceInstaller{s.term, s.flags, s.env.path, s.config.DB}
	svc, err := installer.choose(ctx, binary)
	if err != nil || svc == nil {
		return err
	}
	if s.serviceWritten, err = installer.write(ctx, svc); err != nil {
		return err
	}
	s.service = svc
	return nil
}

// serviceInstaller writes the file of a service.
type serviceInstaller struct {
	term  *console.Terminal
	flags Flags
	env   string // path of hermes.env
	db    string // HERMES_DB
}

// choose returns the service that is wanted and possible here, or nil
// after saying why there is none. One that was asked for by its flag must be.
func (i serviceInstaller) choose(ctx context.Context, binary string) (*service, error) {
	kind := i.flags.service
	if kind == "" {
		kind = usualService()
	}
	if kind == "none" {
		i.term.Say("None. Start hermes yourself: hermes serve")
		return nil, nil
	}
	svc := newService(kind, binary, i.env, i.db)
	if trouble := i.trouble(ctx, svc, binary); trouble != "" {
		if i.flags.service != "" && !i.flags.dryRun {
			return nil, fmt.Errorf("%s; --service=none goes without", trouble)
		}
		i.term.Bad("%s. Start hermes yourself: hermes serve", trouble)
		return nil, nil
	}
	if i.flags.service != "" || i.flags.dryRun {
		return svc, nil
	}
	ok, err := i.term.Confirm(ctx, "Let "+kind+" run hermes for you, now and at every login?", true)
	if err != nil || ok {
		return svc, err
	}
	i.term.Say("None, then. Start hermes yourself: hermes serve")
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

// trouble says why the service cannot be here, "" if it can.
func (i serviceInstaller) trouble(ctx context.Context, svc *service, binary string) string {
	if out, err := runLine(ctx, svc.there); err != nil {
		return fmt.Sprintf("%s is not there for this user: %s", svc.kind, out)
	}
	if isTemporaryBuild(binary) {
		return "this hermes is a build of go run, which does not stay; build one (make build), put it where it stays, and run its setup"
	}
	return ""
}

// isTemporaryBuild reports whether go run made the binary: it lies in
// go-build…/b001/exe and is removed at the end.
func isTemporaryBuild(binary string) bool {
	dir := filepath.Dir(binary)
	return filepath.Base(dir) == "exe" && strings.Contains(dir, "go-build")
}

// write writes the file, and reports whether it did. One that differs is kept aside, never lost.
func (i serviceInstaller) write(ctx context.Context, svc *service) (written bool, err error) {
	now, err := os.ReadFile(svc.path)
	switch {
	case err == nil && string(now) == svc.content:
		i.term.Good("%s was there already", shortPath(svc.path))
		return false, nil
	case err == nil:
		i.term.Say("%s is there, and differs. It would be kept beside, with .kept- and a number.", shortPath(svc.path))
		if ok, err := i.confirm(ctx); err != nil || !ok {
			return false, err
		}
	}
	i.term.Good("%s%s", dryRunPrefix(i.flags.dryRun), shortPath(svc.path))
	if i.flags.dryRun {
		return false, nil
	}
	if err == nil {
		if err := i.keepBeside(svc.path); err != nil {
			return true, err
		}
	}
	if err := os.MkdirAll(filepath.Dir(i.db), 0o700); err != nil {
		return true, fmt.Errorf("the directory of the database (HERMES_DB) cannot be made: %w", config.WithoutPath(err))
	}
	return true, replaceFile(svc.path, svc.content, 0o644, 0o755)
}

// confirm asks whether a file that differs may be replaced.
func (i serviceInstaller) confirm(ctx context.Context) (bool, error) {
	if i.flags.dryRun {
		return true, nil
	}
	ok, err := i.term.Confirm(ctx, "Replace it?", true)
	if err == nil && !ok {
		i.term.Say("It stays as it is.")
	}
	return ok, err
}

// keepBeside moves a file to the first free name beside it.
func (i serviceInstaller) keepBeside(path string) error {
	for n := 1; ; n++ {
		kept := fmt.Sprintf("%s.kept-%d", path, n)
		err := os.Link(path, kept)
		if err == nil {
			i.term.Say("What was there is kept as %s.", shortPath(kept))
			return nil
		}
		if !errors.Is(err, os.ErrExist) {
			return fmt.Errorf("%s cannot be kept beside: %w", path, err)
		}
	}
}
