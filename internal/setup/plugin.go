package setup

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/secret"
	"hermes/opencode/plugin"
)

// stepPlugin installs the plugin that links OpenCode to hermes.
func (s *Wizard) stepPlugin(ctx context.Context) error {
	if err := s.freePort(ctx); err != nil {
		return err
	}
	if s.flags.openCodeDir == "" && s.openCode2 {
		s.term.Say("Left out, as OpenCode 2 needs none, and there is no OpenCode 1.x.")
		return nil
	}
	if s.flags.openCodeDir == "" {
		s.term.Say("Left out, as there is no OpenCode.")
		return nil
	}
	for {
		err := s.installPlugin(ctx)
		if err == nil || errors.Is(err, console.ErrStopped) || errors.Is(err, errDeclined) || s.term.In == nil {
			return err
		}
		s.term.Bad("%v", err)
		dir, err := s.term.Line(ctx, "Another folder (Enter alone: go on without the plugin):")
		if err != nil || dir == "" {
			return err
		}
		s.flags.openCodeDir = dir
	}
}

// installPlugin says what is there, asks before it changes it, and installs.
func (s *Wizard) installPlugin(ctx context.Context) error {
	o := plugin.Options{ConfigDir: s.flags.openCodeDir, URLs: s.config.Addresses()}
	state, err := plugin.Status(o)
	if err != nil {
		return err
	}
	if err := s.confirmPlugin(ctx, state, o.URLs); err != nil {
		return err
	}
	if s.flags.dryRun {
		return s.previewPlugin(state)
	}
	if o.Token, err = s.linkToken(ctx, o); err != nil {
		return err
	}
	s.term.Redact = secret.NewRedactor(append(s.config.Secrets(), o.Token)...)
	report, err := plugin.Install(o)
	if err != nil {
		return err
	}
	s.plugin = report.Plugin
	s.reportInstalled(report)
	return nil
}

// linkToken gets the token of a link. Where no hermes runs it is in the database, which setup releases meanwhile.
func (s *Wizard) linkToken(ctx context.Context, o plugin.Options) (secret.Text, error) {
	s.unlock()
	s.unlock = func() {}
	token, _, err := apiclient.LinkToken(ctx, apiclient.New(s.config, nil), o)
	if s.running {
		return token, err
	}
	return token, errors.Join(err, s.lock())
}

// confirmPlugin asks before a file that a person has changed is moved aside.
func (s *Wizard) confirmPlugin(ctx context.Context, state plugin.State, urls []string) error {
	if len(state.URLs) > 0 && !slices.Equal(state.URLs, urls) {
		s.term.Say("The plugin dials %s now; it would dial %s.", letters.Escaped(strings.Join(state.URLs, ", ")), letters.Escaped(strings.Join(urls, ", ")))
	}
	if !state.Edited {
		return nil
	}
	s.term.Say("%s was changed by hand. It would be kept beside, as hermes.js.kept-1 or the next free number, and hermes' own take its place.", shortPath(state.Plugin))
	if s.flags.dryRun {
		return nil
	}
	ok, err := s.term.Confirm(ctx, "Replace it?", true)
	return errors.Join(err, errUnless(ok || err != nil, errDeclined))
}

// previewPlugin is the dry run.
func (s *Wizard) previewPlugin(state plugin.State) error {
	if state.Current && slices.Equal(state.URLs, s.config.Addresses()) {
		s.term.Good("%s is current, version %s", shortPath(state.Plugin), state.Version)
		return nil
	}
	s.term.Good("%s (version %s) and %s (0600: where hermes is, and the token of a link)", dryRunPrefix(s.flags.dryRun)+shortPath(state.Plugin), plugin.Version(), shortPath(state.Link))
	return nil
}

func (s *Wizard) reportInstalled(r plugin.Report) {
	s.term.Good("%s (version %s)", shortPath(r.Plugin), r.Version)
	s.term.Good("%s (0600: where hermes is, and the token of a link)", shortPath(r.Link))
	if r.Kept != "" {
		s.term.Say("The file that was changed by hand is kept as %s.", shortPath(r.Kept))
	}
	for _, warning := range r.Warnings {
		s.term.Bad("%s", warning)
	}
	if r.Changed {
		s.term.Say("Restart OpenCode to load it.")
	} else {
		s.term.Say("It was there already.")
	}
}

// freePort looks whether hermes can listen, because the plugin is told where. If
// another program has the port, the next free one is offered.
func (s *Wizard) freePort(ctx context.Context) error {
	if s.running || !portBusy(s.config.Listen) {
		return nil
	}
	host, text, _ := net.SplitHostPort(s.config.Listen)
	port, _ := strconv.Atoi(text) // both checked when it was loaded
	next := port + 1
	for next < port+100 && portBusy(net.JoinHostPort(host, strconv.Itoa(next))) {
		next++
	}
	s.term.Bad("another program listens on %s, where the plugin would reach hermes (HERMES_LISTEN)", s.config.Listen)
	listen := net.JoinHostPort(host, strconv.Itoa(next))
	if s.term.In == nil || config.InEnvironment("HERMES_LISTEN") { // which would win over the file
		return fmt.Errorf("%s is in use; end the other program, or set HERMES_LISTEN to another address, such as %s", s.config.Listen, listen)
	}
	ok, err := s.term.Confirm(ctx, "Use "+listen+" instead?", true)
	if err != nil || !ok {
		return errors.Join(err, errUnless(err != nil, errDeclined))
	}
	s.config.Listen = listen
	agreed := func([]envChange) (bool, error) { return true, nil } // just now
	return s.env.saveIf(agreed, envEdit{Name: "HERMES_LISTEN", Value: listen})
}

// portBusy reports whether something listens there. An address that cannot be
// used for other reasons is for hermes serve to explain.
func portBusy(address string) bool {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return errors.Is(err, syscall.EADDRINUSE)
	}
	return l.Close() != nil
}
