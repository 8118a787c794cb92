package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"

	"hermes/opencode/plugin"
)

// stepPlugin installs the plugin that links OpenCode to hermes.
func (s *setup) stepPlugin(ctx context.Context) error {
	if err := s.freePort(ctx); err != nil {
		return err
	}
	if s.given.openCodeDir == "" {
		s.t.say("Left out, as there is no OpenCode.")
		return nil
	}
	for {
		err := s.installPlugin(ctx)
		if err == nil || errors.Is(err, errStopped) || errors.Is(err, errDeclined) || s.t.in == nil {
			return err
		}
		s.t.bad("%v", err)
		dir, err := s.t.line(ctx, "Another folder (Enter alone: go on without the plugin):")
		if err != nil || dir == "" {
			return err
		}
		s.given.openCodeDir = dir
	}
}

// installPlugin says what is there, asks before it changes it, and installs.
func (s *setup) installPlugin(ctx context.Context) error {
	o := plugin.Options{ConfigDir: s.given.openCodeDir, URL: s.config.ownURL()}
	state, err := plugin.Status(o)
	if err != nil {
		return pluginError(err)
	}
	if err := s.agreePlugin(ctx, state, o.URL); err != nil {
		return err
	}
	if s.given.dryRun {
		return s.tellPlugin(state)
	}
	if o.Token, err = s.linkToken(ctx, o); err != nil {
		return err
	}
	s.t.redact = newRedactor(append(s.config.secrets(), o.Token)...)
	report, err := plugin.Install(o)
	if err != nil {
		return pluginError(err)
	}
	s.plugin = report.Plugin
	s.installed(report)
	return nil
}

// linkToken gets the token of a link. Where no hermes runs it is in the database, which setup lets go of meanwhile.
func (s *setup) linkToken(ctx context.Context, o plugin.Options) (secret, error) {
	s.unlock()
	s.unlock = func() {}
	token, _, err := linkToken(ctx, toRunning(s.config, nil), o)
	if s.running {
		return token, err
	}
	return token, errors.Join(err, s.lock())
}

// agreePlugin asks before a file that a person has changed is moved aside.
func (s *setup) agreePlugin(ctx context.Context, state plugin.State, url string) error {
	if state.URL != "" && state.URL != url {
		s.t.say("The plugin dials %s now; it would dial %s.", legible(state.URL), legible(url))
	}
	if !state.Edited {
		return nil
	}
	s.t.say("%s was changed by hand. It would be kept beside, as hermes.js.kept-1 or the next free number, and hermes' own take its place.", tilde(state.Plugin))
	if s.given.dryRun {
		return nil
	}
	ok, err := s.t.confirm(ctx, "Replace it?", true)
	return errors.Join(err, unless(ok || err != nil, errDeclined))
}

// tellPlugin is the dry run.
func (s *setup) tellPlugin(state plugin.State) error {
	if state.Current && state.URL == s.config.ownURL() {
		s.t.good("%s is current, version %s", tilde(state.Plugin), state.Version)
		return nil
	}
	s.t.good("%s (version %s) and %s (0600: where hermes is, and the token of a link)", s.would()+tilde(state.Plugin), plugin.Version(), tilde(state.Link))
	return nil
}

func (s *setup) installed(r plugin.Report) {
	s.t.good("%s (version %s)", tilde(r.Plugin), r.Version)
	s.t.good("%s (0600: where hermes is, and the token of a link)", tilde(r.Link))
	if r.Kept != "" {
		s.t.say("The file that was changed by hand is kept as %s.", tilde(r.Kept))
	}
	for _, warning := range r.Warnings {
		s.t.bad("%s", warning)
	}
	if r.Changed {
		s.t.say("Restart OpenCode to load it.")
	} else {
		s.t.say("It was there already.")
	}
}

// pluginError names the flag of setup in place of the one of hermes plugin.
func pluginError(err error) error {
	return errors.New(strings.ReplaceAll(err.Error(), "--config-dir", "--opencode-config-dir"))
}

// freePort looks whether hermes can listen, because the plugin is told where. If
// another program has the port, the next free one is offered.
func (s *setup) freePort(ctx context.Context) error {
	if s.running || !portBusy(s.config.Listen) {
		return nil
	}
	host, text, _ := net.SplitHostPort(s.config.Listen)
	port, _ := strconv.Atoi(text) // both checked when it was loaded
	next := port + 1
	for next < port+100 && portBusy(net.JoinHostPort(host, strconv.Itoa(next))) {
		next++
	}
	s.t.bad("another program listens on %s, where the plugin would reach hermes (HERMES_LISTEN)", s.config.Listen)
	listen := net.JoinHostPort(host, strconv.Itoa(next))
	if s.t.in == nil || inEnvironment("HERMES_LISTEN") { // which would win over the file
		return fmt.Errorf("%s is in use; end the other program, or set HERMES_LISTEN to another address, such as %s", s.config.Listen, listen)
	}
	ok, err := s.t.confirm(ctx, "Use "+listen+" instead?", true)
	if err != nil || !ok {
		return errors.Join(err, unless(err != nil, errDeclined))
	}
	s.config.Listen = listen
	agreed := func([]envChange) (bool, error) { return true, nil } // just now
	return s.saveIf(agreed, envEdit{Name: "HERMES_LISTEN", Value: listen})
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
