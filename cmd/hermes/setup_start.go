package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// stepStart starts the service, or restarts it where it runs with what was
// changed. The database's lock is let go first.
func (s *setup) stepStart(ctx context.Context) error {
	s.unlock()
	s.unlock = func() {}
	switch {
	case s.service == nil && s.running:
		s.t.say("hermes is running. Restart it where it runs, so that it reads what was changed.")
		return nil
	case s.service == nil:
		s.t.say("Start it when you want: hermes serve")
		return nil
	}
	_, err := runLine(ctx, s.service.runs)
	switch {
	case err != nil && s.running:
		s.t.bad("hermes is running, but not by %s, and two cannot run at once. Stop it, then run hermes setup again.", s.service.kind)
		return nil
	case err != nil:
		return s.carryOut(ctx, s.service.start)
	case s.fresh:
		return s.carryOut(ctx, s.service.restart)
	}
	s.t.good("it runs already, with all of this")
	return nil
}

func (s *setup) carryOut(ctx context.Context, commands [][]string) error {
	for _, c := range commands {
		line := strings.Join(c, " ")
		if s.given.dryRun {
			s.t.say("Would run: %s", line)
			continue
		}
		if out, err := runLine(ctx, c); err != nil {
			return fmt.Errorf("%s: %s; %s shows more", line, out, s.service.look)
		}
		s.t.good("%s", line)
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
	text := legible(lines[len(lines)-1])
	if err != nil && text == "" {
		text = err.Error()
	}
	return text, err
}
