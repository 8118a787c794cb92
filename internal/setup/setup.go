package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/database"
	"hermes/internal/flock"
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
	env    *envFile
	config config.Config // as it is, or with --dry-run would be, so far

	unlock  func() // releases the database's lock
	running bool   // a hermes of this configuration holds it
	noPoll  string // why setup cannot read the bot's messages; "" if it can

	bot            *botConnection
	names          nameBook
	openCode2      bool     // its service runs
	plugin         string   // path of the installed plugin, "" for none
	service        *service // to be started; nil: none
	serviceWritten bool     // its file is new
}

// New makes a run of setup that asks at the terminal what the flags leave open.
func New(term *console.Terminal, flags Flags) *Wizard {
	return &Wizard{
		term: term, flags: flags, env: &envFile{term: term, dryRun: flags.dryRun},
		unlock: func() {}, bot: &botConnection{term: term}, names: nameBook{},
	}
}

// Run does all steps.
func (s *Wizard) Run(ctx context.Context) (err error) {
	defer func() { err = s.redact(err); s.unlock() }()
	if err := s.begin(); err != nil {
		return err
	}
	for i, step := range s.steps() {
		s.heading(i+1, step.title)
		if err := step.do(ctx); err != nil {
			return s.stopError(ctx, err)
		}
	}
	s.summary()
	return nil
}

type step struct {
	title string
	do    func(context.Context) error
}

func (s *Wizard) steps() []step {
	return []step{
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
func (s *Wizard) begin() error {
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
func (s *Wizard) lock() error {
	if s.config.Store != "" {
		return s.lookWhoActs()
	}
	file, err := flock.Hold(context.Background(), s.config.DB, flock.Exclusive, 0)
	switch {
	case err == nil:
		s.unlock = func() { _ = file.Close() }
	case errors.Is(err, pending.ErrLocked):
		s.running = true
	case !errors.Is(err, fs.ErrNotExist):
		return errors.New("the database " + s.config.DB + " (HERMES_DB) cannot be opened: " + config.WithoutPath(err).Error())
	}
	return nil
}

// lookWhoActs is lock where several hermes share a database: one that acts, here or elsewhere, reads the bot's messages.
func (s *Wizard) lookWhoActs() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	a, err := database.Look(ctx, s.config)
	if err != nil {
		return fmt.Errorf("HERMES_STORE: %w", err)
	}
	s.running = a.Held
	return nil
}

func (s *Wizard) welcome() {
	if s.flags.dryRun {
		s.term.Print("hermes setup, a dry run: nothing is written or sent.\n")
		return
	}
	s.term.Print("hermes setup\nEvery step is saved when it is done. Press ctrl-C to stop, and run hermes setup again to resume.\n")
}

// stopError takes every error after a ctrl-C for what it is. What the terminal
// shows for the keys stands in a line without an end.
func (s *Wizard) stopError(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	s.term.Print("\n")
	return console.ErrStopped
}

// redact keeps secrets out of what run prints; a mistake stays one.
func (s *Wizard) redact(err error) error { return s.term.Redact.Error(err) }

// heading begins a step.
func (s *Wizard) heading(number int, title string) {
	s.term.Print(fmt.Sprintf("\n%d/%d  %s\n", number, len(s.steps()), title))
}
