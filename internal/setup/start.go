package setup

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"hermes/internal/letters"
)

// stepStart starts the service, or restarts it where it runs with what was
// changed. It releases the database's lock first.
func (s *Wizard) stepStart(ctx context.Context) error {
	s.unlock()
	s.unlock = func() {}
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
	_, err := runLine(ctx, s.service.runs)
	switch {
	case err != nil && s.running:
		s.term.Bad("hermes is running, but not by %s, and two cannot run at once. Stop it, then run hermes setup again.", s.service.kind)
		return nil
	case err != nil:
		return s.carryOut(ctx, s.service.start)
	case s.env.written || s.serviceWritten:
		return s.carryOut(ctx, s.service.restart)
	}
	s.term.Good("it runs already, with all of this")
	return nil
}

// carryOut runs commands one after another.
func (s *Wizard) carryOut(ctx context.Context, commands [][]string) error {
	for _, c := range commands {
		line := strings.Join(c, " ")
		if s.flags.dryRun {
			s.term.Say("Would run: %s", line)
			continue
		}
		if out, err := runLine(ctx, c); err != nil {
			return fmt.Errorf("%s: %s; %s shows more", line, out, s.service.look)
		}
		s.term.Good("%s", line)
	}
	return nil
}

// startWithin is how long a service manager may take.
const startWithin = time.Minute

// runLine runs one command, and returns the last line that it wrote, or its
// error in words.
func runLine(ctx context.Context, line []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
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
