package setup

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hermes/internal/config"
	"hermes/internal/question"
)

// stepConfiguration writes what is left, shows the whole, and checks it as hermes
// serve will.
func (s *Wizard) stepConfiguration(ctx context.Context) error {
	edits, err := s.askExpiry(ctx)
	if err != nil {
		return err
	}
	if len(s.flags.servers) > 0 {
		edits = append(edits, envEdit{"HERMES_OPENCODE_URLS", strings.Join(s.config.OpenCodeURLs, ",")})
	}
	// A service sees neither this terminal's XDG_STATE_HOME nor its HERMES_DB.
	home, _ := os.UserHomeDir()
	if s.config.DB != filepath.Join(home, ".local", "state", "hermes", "hermes.db") && s.config.Store == "" {
		edits = append(edits, envEdit{"HERMES_DB", s.config.DB})
	}
	if err := s.env.save(ctx, edits...); err != nil {
		return err
	}
	if s.flags.dryRun {
		s.term.Say("Would check %s as hermes serve does.", shortPath(s.env.path))
		return nil
	}
	values := s.env.values()
	var only []string // that this terminal alone has
	for _, name := range slices.Sorted(maps.Keys(config.Variables())) {
		if _, ok := values[name]; !ok && os.Getenv(name) != "" && !strings.HasPrefix(name, "HERMES_TELEGRAM_TOKEN") {
			only = append(only, name)
		}
	}
	if len(only) > 0 {
		s.term.Bad("%s: set in this terminal only. A service does not see that; put it into %s if the service needs it.", strings.Join(only, ", "), shortPath(s.env.path))
	}
	c, err := config.Load(config.Options{File: s.env.path, Serve: true})
	if err != nil {
		return err
	}
	if s.config, err = c.WithRules(); err != nil {
		return err
	}
	s.term.Good("%s (0600) is complete", shortPath(s.env.path))
	return nil
}

// askExpiry asks what shall happen when nobody answers, unless that is configured already, and
// returns what to write. The usual answer, that a question waits, is written as well: hermes does
// something else without the settings.
func (s *Wizard) askExpiry(ctx context.Context) ([]envEdit, error) {
	const onExpiry, ttl = "HERMES_ON_EXPIRY", "HERMES_QUESTION_TTL"
	values := s.env.values()
	for _, name := range []string{onExpiry, ttl} {
		if _, set := values[name]; set || config.InEnvironment(name) {
			return nil, nil
		}
	}
	usual := config.Variables()[ttl]
	n, err := s.term.Choose(ctx, "What should happen when nobody answers?", []string{
		"Wait until somebody does; there are reminders in the first " + usual,
		"Give up after " + usual + " and tell the agent; you can still answer late",
		"Give up after another time",
	})
	switch {
	case err != nil:
		return nil, err
	case n == 0:
		return []envEdit{{onExpiry, string(question.ExpireWait)}}, nil
	case n == 1:
		return []envEdit{{onExpiry, string(question.ExpireReject)}}, nil
	}
	for {
		text, err := s.term.Line(ctx, "After which time? (2h, 45m)")
		if err != nil {
			return nil, err
		}
		if t, err := time.ParseDuration(text); err == nil && t >= time.Minute {
			return []envEdit{{onExpiry, string(question.ExpireReject)}, {ttl, text}}, nil
		}
		s.term.Say("Please answer with a time of at least a minute, such as 2h or 45m.")
	}
}
