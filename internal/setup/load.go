package setup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hermes/internal/config"
	"hermes/internal/secret"
)

// load reads the configuration as it is. What is wrong with the settings that
// setup is about to make is said and mended; anything else has to be mended by
// hand first.
func (s *Wizard) load() error {
	if s.env.path = s.envPath(); s.env.path == "" {
		return config.Mistakes{"HOME is not set, so there is no place for hermes.env; set it, or name a file with --config"}
	}
	_, mode, err := readEnv(s.env.path)
	if err != nil {
		return err
	}
	opts := config.Options{File: s.env.path}
	if mode == 0 {
		opts.File = os.DevNull // there is no file yet: as if it were empty
	}
	c, err := config.Load(opts)
	var wrong config.Mistakes
	if err != nil && !errors.As(err, &wrong) {
		return err
	}
	c, rulesErr := c.WithRules()
	if c.Rules != "" && len(s.flags.userIDs)+len(s.flags.targets) > 0 {
		rulesErr = config.Mistakes{"--user, --chat: the file of HERMES_RULES says who may answer and where the questions go; change it there"}
	}
	s.config = c
	s.term.Redact = secret.NewRedactor(append(c.Secrets(), s.flags.token)...)
	own, others := splitMendable(wrong)
	for _, line := range own {
		s.term.Print("! " + line + "\n")
	}
	return errors.Join(others.Err(), rulesErr)
}

// envPath is the file that setup writes.
func (s *Wizard) envPath() string {
	if named := s.flags.Config.File; named != "" {
		path, err := filepath.Abs(named)
		if err != nil {
			return ""
		}
		return path
	}
	return config.UsualFile()
}

// splitMendable parts the mistakes that the first two steps mend from the others.
func splitMendable(wrong config.Mistakes) (own, others config.Mistakes) {
	for _, line := range wrong {
		name, _, _ := strings.Cut(line, ":")
		if slices.Contains([]string{"HERMES_TELEGRAM_TOKEN", "HERMES_TELEGRAM_TOKEN_FILE", "HERMES_TELEGRAM_USERS", "HERMES_TELEGRAM_CHATS"}, name) {
			own = append(own, line)
		} else {
			others = append(others, line)
		}
	}
	return own, others
}
