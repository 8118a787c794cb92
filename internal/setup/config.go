package setup

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hermes/internal/config"
)

// stepConfiguration writes what is left, shows the whole, and checks it as hermes
// serve will.
func (s *Wizard) stepConfiguration(ctx context.Context) error {
	edits, err := s.askExpiry(ctx)
	if err != nil {
		return err
	}
	if len(s.flags.servers) > 0 {
		edits = append(edits, envEdit{Name: "HERMES_OPENCODE_URLS", Value: strings.Join(s.config.OpenCodeURLs, ",")})
	}
	if s.config.DB != usualDB() && s.config.Store == "" {
		edits = append(edits, envEdit{Name: "HERMES_DB", Value: s.config.DB})
	}
	if err := s.env.save(ctx, edits...); err != nil {
		return err
	}
	s.noteEnvironment()
	if s.flags.dryRun {
		s.term.Say("Would check %s as hermes serve does.", shortPath(s.env.path))
		return nil
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

// usualDB is where the database is for a service, which sees neither this
// terminal's XDG_STATE_HOME nor its HERMES_DB.
func usualDB() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "state", "hermes", "hermes.db")
}

// noteEnvironment names the settings that only this terminal has.
func (s *Wizard) noteEnvironment() {
	text, _, err := readEnv(s.env.path)
	if err != nil {
		return // save has said it
	}
	values, _ := config.ParseEnv(text)
	var only []string
	for _, name := range slices.Sorted(maps.Keys(config.Variables())) {
		if _, ok := values[name]; !ok && os.Getenv(name) != "" && !strings.HasPrefix(name, "HERMES_TELEGRAM_TOKEN") {
			only = append(only, name)
		}
	}
	if len(only) > 0 && !s.flags.dryRun {
		s.term.Bad("%s: set in this terminal only. A service does not see that; put it into %s if the service needs it.", strings.Join(only, ", "), shortPath(s.env.path))
	}
}
