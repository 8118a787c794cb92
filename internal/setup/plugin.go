package setup

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hermes/internal/apiclient"
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
		s.flags.openCodeDir, err = s.term.Line(ctx, "Another folder (Enter alone: go on without the plugin):")
		if err != nil || s.flags.openCodeDir == "" {
			return err
		}
	}
}

// installPlugin says what is there, asks before it changes it, and installs.
func (s *Wizard) installPlugin(ctx context.Context) error {
	o := plugin.Options{ConfigDir: s.flags.openCodeDir, URLs: s.config.Addresses()}
	state, err := plugin.Status(o)
	if err != nil {
		return err
	}
	if len(state.URLs) > 0 && !slices.Equal(state.URLs, o.URLs) {
		s.term.Say("The plugin dials %s now; it would dial %s.", letters.Escaped(strings.Join(state.URLs, ", ")), letters.Escaped(strings.Join(o.URLs, ", ")))
	}
	if state.Edited {
		s.term.Say("%s was changed by hand. It would be kept beside, as hermes.js.kept-1 or the next free number, and hermes' own take its place.", shortPath(state.Plugin))
	}
	switch {
	case s.flags.dryRun && state.Current && slices.Equal(state.URLs, o.URLs):
		s.term.Good("%s is current, version %s", shortPath(state.Plugin), state.Version)
		return nil
	case s.flags.dryRun:
		s.term.Good("%s (version %s) and %s (0600: where hermes is, and the token of a link)", dryRunPrefix(true)+shortPath(state.Plugin), plugin.Version(), shortPath(state.Link))
		return nil
	case state.Edited:
		if err := agree(ctx, s.term, "Replace it?"); err != nil {
			return err
		}
	}
	if o.Token, _, err = apiclient.LinkToken(ctx, s.hermes(), o); err != nil {
		return err
	}
	s.term.Redact = secret.NewRedactor(append(s.config.Secrets(), o.Token)...)
	r, err := plugin.Install(o)
	if err != nil {
		return err
	}
	s.plugin = r.Plugin
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
	return nil
}
