package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/database"
	"hermes/internal/letters"
	"hermes/internal/secret"
	"hermes/pending"
)

// Wizard is one run of hermes setup: eight steps, each of which saves what it
// settled before the next one begins. So a stop at any point leaves nothing
// half-written, and the next run finds what is done and continues.
//
// The token is kept in hermes.env, which is 0600, and not in a file of its own:
// one file then holds all that a person has to look after.
type Wizard struct {
	term   *console.Terminal
	flags  Flags
	serve  Serve
	env    *envFile
	config config.Config // as it is, or with --dry-run would be, so far

	running bool       // a hermes of this configuration ran before setup
	own     *ownHermes // that setup runs; nil: none
	trouble string     // of hermes with Telegram, as it was told

	bot            bot
	openCode2      bool     // its service runs
	plugin         string   // path of the installed plugin, "" for none
	service        *service // to be started; nil: none
	serviceWritten bool     // its file is new
}

// New makes a run of setup that asks at the terminal what the flags leave open. With
// serve it runs a hermes where it needs one and none runs.
func New(term *console.Terminal, flags Flags, serve Serve) *Wizard {
	return &Wizard{term: term, flags: flags, serve: serve, env: &envFile{term: term, dryRun: flags.dryRun}}
}

// Run does all steps. Its error shows no secret, and a mistake in it stays a mistake.
func (s *Wizard) Run(ctx context.Context) (err error) {
	defer func() {
		if stopped := s.stopOwn(); err == nil { // else err may be the same
			err = stopped
		}
		err = s.term.Redact.Error(err)
	}()
	if err := s.begin(ctx); err != nil {
		return err
	}
	steps := []struct {
		title string
		do    func(context.Context) error
	}{
		{"Bot", s.stepBot},
		{"People", s.stepPeople},
		{"OpenCode", s.stepOpenCode},
		{"Plugin", s.stepPlugin},
		{"Configuration", s.stepConfiguration},
		{"Service", s.stepService},
		{"Test", s.stepTest},
		{"Start", s.stepStart},
	}
	for i, step := range steps {
		s.term.Print(fmt.Sprintf("\n%d/%d  %s\n", i+1, len(steps), step.title))
		err := step.do(ctx)
		switch {
		case err != nil && ctx.Err() != nil: // whatever failed did so because of that
			s.term.Print("\n") // the terminal shows ctrl-C in a line without an end
			return console.ErrStopped
		case err != nil:
			return err
		}
	}
	s.summary(ctx)
	return nil
}

// begin understands the flags and the configuration, before anything is asked
// or changed.
func (s *Wizard) begin(ctx context.Context) (err error) {
	s.term.Yes = s.flags.yes
	if s.flags.dryRun {
		s.term.In = nil // nothing is asked
	}
	if err := s.flags.parse(); err != nil {
		return err
	}
	if err := s.load(); err != nil {
		return err
	}
	if err := s.requireAnswers(); err != nil {
		return err
	}
	if s.running, err = s.isRunning(ctx); err != nil {
		return err
	}
	if s.flags.dryRun {
		s.term.Print("hermes setup, a dry run: nothing is written or sent.\n")
	} else {
		s.term.Print("hermes setup\nEvery step is saved when it is done. Press ctrl-C to stop, and run hermes setup again to resume.\n")
	}
	return nil
}

// load reads the configuration as it is. What is wrong with the settings that
// setup is about to make is said and mended; anything else has to be mended by
// hand first.
func (s *Wizard) load() error {
	s.env.path = config.UsualFile()
	if named := s.flags.Config.File; named != "" {
		s.env.path, _ = filepath.Abs(named) // fails where there is no working directory, and is "" then
	}
	if s.env.path == "" {
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
	var others config.Mistakes
	for _, line := range wrong {
		name, _, _ := strings.Cut(line, ":")
		if slices.Contains([]string{"HERMES_TELEGRAM_TOKEN", "HERMES_TELEGRAM_TOKEN_FILE", "HERMES_TELEGRAM_USERS", "HERMES_TELEGRAM_CHATS"}, name) {
			s.term.Print("! " + line + "\n")
		} else {
			others = append(others, line)
		}
	}
	return errors.Join(others.Err(), rulesErr)
}

// isRunning reports whether a hermes of this configuration runs: it holds the lock of the
// database, or the lease on the one that several share.
func (s *Wizard) isRunning(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if s.config.Store != "" {
		a, err := database.Look(ctx, s.config)
		if err != nil {
			return false, fmt.Errorf("HERMES_STORE: %w", err)
		}
		return a.Held, nil
	}
	file, err := pending.Lock(s.config.DB)
	switch {
	case err == nil:
		return false, file.Close()
	case errors.Is(err, pending.ErrLocked):
		return true, nil
	case errors.Is(err, fs.ErrNotExist): // none ever ran
		return false, nil
	}
	return false, errors.New("the database " + s.config.DB + " (HERMES_DB) cannot be opened: " + config.WithoutPath(err).Error())
}

// summary tells what there is now, and what to do next.
func (s *Wizard) summary(ctx context.Context) {
	if s.flags.dryRun {
		s.term.Print("\nNothing was written. Without --dry-run, hermes setup does all of this.\n")
		return
	}
	s.term.Print("\nDone\n")
	s.term.Say("Bot            @%s", letters.Escaped(s.bot.name))
	s.term.Say("Answers from   %s", s.userNames(ctx))
	s.term.Say("Questions to   %s", s.chatNames())
	s.term.Say("Configuration  %s", shortPath(s.env.path))
	if s.plugin != "" {
		s.term.Say("Plugin         %s", shortPath(s.plugin))
	}
	if s.service != nil {
		s.term.Say("Service        %s; to see what it does: %s", s.service.kind, s.service.look)
	}
	s.term.Print("\nNext\n")
	if s.service == nil && !s.running {
		s.term.Say("Run hermes serve, and leave it running.")
	}
	if s.service != nil && s.service.loggedIn != "" {
		s.term.Say("%s.", s.service.loggedIn)
	}
	if s.plugin != "" {
		s.term.Say("Restart OpenCode, then tell it: “Ask me which of two names I like better, with the question tool.”")
	}
	s.term.Say("If something does not work: hermes doctor")
}

// shortPath shortens a path in the home directory for a person to read.
func shortPath(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "/" || !strings.HasPrefix(path, home+"/") {
		return letters.Escaped(path)
	}
	return letters.Escaped("~" + strings.TrimPrefix(path, home))
}
