package main

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/spf13/cobra"

	"hermes/internal/question"
	"hermes/pending"
	"hermes/telegram/botapi"
)

// setup is one run of hermes setup: eight steps, each of which saves what it
// settled before the next one begins. So a stop at any point leaves nothing
// half-written, and the next run finds what is done and goes on.
//
// The token is kept in hermes.env, which is 0600, and not in a file of its own:
// one file then holds all that a person has to look after.
type setup struct {
	t      *terminal
	given  setupFlags
	path   string // of hermes.env
	config config // as it is, or with --dry-run would be, so far

	unlock  func() // lets go of the database's lock
	running bool   // a hermes of this configuration holds it
	noPoll  string // why setup cannot read the bot's messages; "" if it can

	bot     *botapi.Client
	mail    *mailbox
	me      account                     // the bot itself; empty until a token was checked
	names   map[question.UserID]account // people that Telegram told of
	plugin  string                      // path of the installed plugin, "" for none
	service *service                    // to be started; nil: none
	fresh   bool                        // something changed that a running hermes has not read
}

// setupCommand guides through everything that hermes needs.
func setupCommand() *cobra.Command {
	var given setupFlags
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Set hermes up: bot, people, plugin, service, and a test question",
		Long: "Set hermes up, step by step: the bot, who may answer, the plugin in OpenCode, the configuration, the service,\n" +
			"and a test question on the phone. Every step is saved when it is done, in $XDG_CONFIG_HOME/hermes/hermes.env (0600).\n" +
			"It can be run again at any time, and says what it would change.\n\n" +
			"In a script, where there is no terminal to ask on, the flags and HERMES_TELEGRAM_TOKEN give the answers. The token\n" +
			"is never an argument, because every user of a machine can see those.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s := &setup{
				t: newTerminal(cmd.InOrStdin(), cmd.OutOrStdout()), given: given,
				unlock: func() {}, names: map[question.UserID]account{},
			}
			return s.run(cmd.Context())
		},
	}
	configFlag(cmd, &given.config)
	given.flags(cmd)
	return cmd
}

// run does all steps.
func (s *setup) run(ctx context.Context) (err error) {
	defer func() { err = s.redacted(err); s.unlock() }()
	if err := s.begin(); err != nil {
		return err
	}
	for i, step := range s.steps() {
		s.heading(i+1, step.title)
		if err := step.do(ctx); err != nil {
			return s.stopped(ctx, err)
		}
	}
	s.summary()
	return nil
}

type setupStep struct {
	title string
	do    func(context.Context) error
}

func (s *setup) steps() []setupStep {
	return []setupStep{
		{"Bot", s.stepBot},
		{"People", s.stepPeople},
		{"OpenCode", s.stepOpenCode},
		{"Plugin", s.stepPlugin},
		{"Configuration", s.stepConfiguration},
		{"Service", s.stepService},
		{"Test", s.stepTest},
		{"Start", s.stepStart},
	}
}

// begin understands the flags and the configuration, before anything is asked
// or changed.
func (s *setup) begin() error {
	s.t.yes = s.given.yes
	if s.given.dryRun {
		s.t.in = nil // nothing is asked
	}
	if err := s.given.check(); err != nil {
		return err
	}
	if err := s.load(); err != nil {
		return err
	}
	if err := s.answered(); err != nil {
		return err
	}
	if err := s.lock(); err != nil {
		return err
	}
	if s.running {
		s.noPoll = "a hermes of this configuration is running, and Telegram lets one program at a time read a bot's messages"
	}
	s.welcome()
	return nil
}

// lock keeps a hermes from starting meanwhile. Where there is no database none ever
// ran, and there is nothing to lock.
func (s *setup) lock() error {
	file, err := holdDatabase(context.Background(), s.config.DB, syscall.LOCK_EX, 0)
	switch {
	case err == nil:
		s.unlock = func() { _ = file.Close() }
	case errors.Is(err, pending.ErrLocked):
		s.running = true
	case !errors.Is(err, fs.ErrNotExist):
		return errors.New("the database " + s.config.DB + " (HERMES_DB) cannot be opened: " + plain(err).Error())
	}
	return nil
}

func (s *setup) welcome() {
	if s.given.dryRun {
		s.t.raw("hermes setup, a dry run: nothing is written or sent.\n")
		return
	}
	s.t.raw("hermes setup\nEvery step is saved when it is done. Ctrl-C stops; hermes setup then goes on from there.\n")
}

// stopped takes every error after a ctrl-C for what it is. What the terminal
// shows for the keys stands in a line without an end.
func (s *setup) stopped(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	s.t.raw("\n")
	return errStopped
}

// redacted keeps secrets out of what run prints; a mistake stays one.
func (s *setup) redacted(err error) error { return s.t.redact.error(err) }
