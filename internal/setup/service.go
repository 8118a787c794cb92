package setup

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"hermes/deploy"
	"hermes/internal/config"
	"hermes/internal/letters"
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
	loggedIn string // what holds while nobody is logged in; "" for nothing to say
}

// stepService writes the service's file, if one is wanted and possible here. One that was asked for by its flag must be.
func (s *Wizard) stepService(ctx context.Context) error {
	binary, err := os.Executable()
	if err != nil {
		return fmt.Errorf("setup does not find its own program file: %w", err)
	}
	kind, wanted := s.flags.service, s.flags.service != ""
	if kind == "" {
		kind = map[bool]string{true: "launchd", false: "systemd"}[runtime.GOOS == "darwin"]
	}
	svc := systemdService(binary, s.env.path, s.config.DB)
	if kind == "launchd" {
		svc = launchdService(binary, s.env.path)
	}
	if kind == "none" {
		s.term.Say("None. Start hermes yourself: hermes serve")
		return nil
	}
	trouble := ""
	if out, err := runLine(ctx, svc.there); err != nil {
		trouble = fmt.Sprintf("%s is not there for this user: %s", kind, out)
	} else if isTemporaryBuild(binary) {
		trouble = "this hermes is a build of go run, which does not stay; build one (make build), put it where it stays, and run its setup"
	}
	switch {
	case trouble != "" && wanted && !s.flags.dryRun:
		return fmt.Errorf("%s; --service=none goes without", trouble)
	case trouble != "":
		s.term.Bad("%s. Start hermes yourself: hermes serve", trouble)
		return nil
	case !wanted && !s.flags.dryRun:
		ok, err := s.term.Confirm(ctx, "Let "+kind+" run hermes for you, now and at every login?", true)
		if err != nil {
			return err
		}
		if !ok {
			s.term.Say("None, then. Start hermes yourself: hermes serve")
			return nil
		}
	}
	s.service = svc
	return s.writeService(ctx, svc)
}

// writeService writes the file. One that differs is kept aside, never lost.
func (s *Wizard) writeService(ctx context.Context, svc *service) error {
	now, err := os.ReadFile(svc.path)
	there := err == nil
	if there && string(now) == svc.content {
		s.term.Good("%s was there already", shortPath(svc.path))
		return nil
	}
	if there {
		s.term.Say("%s is there, and differs. It would be kept beside, with .kept- and a number.", shortPath(svc.path))
	}
	if there && !s.flags.dryRun {
		ok, err := s.term.Confirm(ctx, "Replace it?", true)
		if err != nil {
			return err
		}
		if !ok {
			s.term.Say("It stays as it is.")
			return nil
		}
	}
	s.term.Good("%s%s", dryRunPrefix(s.flags.dryRun), shortPath(svc.path))
	if s.flags.dryRun {
		return nil
	}
	if there {
		kept, err := keepBeside(svc.path)
		if err != nil {
			return fmt.Errorf("%s cannot be kept beside: %w", svc.path, err)
		}
		s.term.Say("What was there is kept as %s.", shortPath(kept))
	}
	if err := os.MkdirAll(filepath.Dir(s.config.DB), 0o700); err != nil {
		return fmt.Errorf("the directory of the database (HERMES_DB) cannot be made: %w", config.WithoutPath(err))
	}
	s.serviceWritten = true
	return replaceFile(svc.path, svc.content, 0o644, 0o755)
}

// keepBeside gives a file the first free name beside it, too.
func keepBeside(path string) (kept string, err error) {
	for n := 1; ; n++ {
		kept = fmt.Sprintf("%s.kept-%d", path, n)
		if err = os.Link(path, kept); !errors.Is(err, os.ErrExist) {
			return kept, err
		}
	}
}

// isTemporaryBuild reports whether go run made the binary: it lies in
// go-build…/b001/exe and is removed at the end.
func isTemporaryBuild(binary string) bool {
	dir := filepath.Dir(binary)
	return filepath.Base(dir) == "exe" && strings.Contains(dir, "go-build")
}

// stepStart starts the service, or restarts it where it runs with what was
// changed. It stops setup's own hermes first.
func (s *Wizard) stepStart(ctx context.Context) error {
	if err := s.stopOwn(); err != nil {
		return err
	}
	switch {
	case s.service == nil && s.running && s.env.written:
		s.term.Say("hermes is running, with the configuration from before. Restart it where it runs.")
		return nil
	case s.service == nil && s.running:
		s.term.Good("hermes is running, with all of this")
		return nil
	case s.service == nil:
		s.term.Say("Start it when you want: hermes serve")
		return nil
	}
	commands := s.service.start
	if _, err := runLine(ctx, s.service.runs); err != nil && s.running {
		s.term.Bad("hermes is running, but not by %s, and two cannot run at once. Stop it, then run hermes setup again.", s.service.kind)
		return nil
	} else if err == nil && !s.env.written && !s.serviceWritten {
		s.term.Good("it runs already, with all of this")
		return nil
	} else if err == nil {
		commands = s.service.restart
	}
	for _, c := range commands {
		line := strings.Join(c, " ")
		if s.flags.dryRun {
			s.term.Say("Would run: %s", line)
		} else if out, err := runLine(ctx, c); err != nil {
			return fmt.Errorf("%s: %s; %s shows more", line, out, s.service.look)
		} else {
			s.term.Good("%s", line)
		}
	}
	return nil
}

// runLine runs one command, and returns the last line that it wrote, or its
// error in words. A service manager may take a minute.
func runLine(ctx context.Context, line []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	text := letters.Escaped(lines[len(lines)-1])
	if err != nil && text == "" {
		text = err.Error()
	}
	return text, err
}

// systemdService is deploy/hermes.service with the paths of this machine.
func systemdService(binary, env, db string) *service {
	const user = "systemctl --user "
	return &service{
		kind: "systemd", path: deploy.SystemdUnitPath(),
		content: systemdUnit(binary, env, db),
		there:   strings.Fields(user + "show-environment"),
		runs:    strings.Fields(user + "is-active --quiet hermes"),
		start:   [][]string{strings.Fields(user + "daemon-reload"), strings.Fields(user + "enable --now hermes")},
		restart: [][]string{strings.Fields(user + "daemon-reload"), strings.Fields(user + "enable hermes"), strings.Fields(user + "restart hermes")},
		look:    "journalctl --user -u hermes", loggedIn: "loginctl enable-linger keeps it running while you are logged out",
	}
}

func systemdUnit(binary, env, db string) string {
	_, unit, _ := strings.Cut(deploy.SystemdUnit(), "[Unit]")
	exec := "ExecStart=" + systemdWord(binary, true) + " serve" + configArgument(env, func(s string) string { return " " + systemdWord(s, true) })
	return "# Hermes as a service of one user, written by hermes setup.\n\n[Unit]" + strings.NewReplacer(
		"ExecStart=%h/.local/bin/hermes serve", exec,
		"ReadWritePaths=-%h/.local/state/hermes", "ReadWritePaths="+systemdWord(filepath.Dir(db), false),
	).Replace(unit)
}

// configArgument names hermes.env where a service would not look by itself: it
// does not see this terminal's XDG_CONFIG_HOME.
func configArgument(env string, word func(string) string) string {
	home, err := os.UserHomeDir()
	if err == nil && env == filepath.Join(home, ".config", "hermes", "hermes.env") {
		return ""
	}
	return word("--config") + word(env)
}

// systemdWord writes a path so that systemd takes it for one word and expands
// nothing in it (systemd.syntax, systemd.unit); in a command line it would expand
// $ too.
func systemdWord(path string, command bool) string {
	path = strings.ReplaceAll(path, "%", "%%")
	if command {
		path = strings.ReplaceAll(path, "$", "$$")
	}
	if !strings.ContainsAny(path, " \t\"'\\;") {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}

// launchdService is deploy/hermes.plist with the paths of this machine.
func launchdService(binary, env string) *service {
	path, log := deploy.LaunchdPlistPath(), deploy.LaunchdLogPath()
	domain := fmt.Sprintf("gui/%d", os.Getuid())
	load := []string{"launchctl", "bootstrap", domain, path}
	return &service{
		kind: "launchd", path: path, content: launchdPlist(binary, env, log),
		there:   []string{"launchctl", "print", domain},
		runs:    []string{"launchctl", "print", domain + "/hermes"},
		start:   [][]string{load},
		restart: [][]string{{"launchctl", "bootout", domain + "/hermes"}, load},
		look:    "tail " + log,
	}
}

func launchdPlist(binary, env, log string) string {
	args := configArgument(env, func(s string) string { return "\n\t\t<string>" + xmlText(s) + "</string>" })
	head, _, _ := strings.Cut(deploy.LaunchdPlist(), "<!--")
	_, plist, _ := strings.Cut(deploy.LaunchdPlist(), "-->\n")
	return head + "<!-- Hermes as a launch agent of one user, written by hermes setup. -->\n" +
		strings.NewReplacer("@HERMES@", xmlText(binary), "@ARGS@", args, "@LOG@", xmlText(log)).Replace(plist)
}

func xmlText(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder does not fail
	return b.String()
}
