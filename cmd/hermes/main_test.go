package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"hermes/internal/config"
	"hermes/internal/version"
)

func TestMain_Run(t *testing.T) {
	for _, test := range []struct {
		args     []string
		code     int
		out, err string // a part of each
	}{
		{args: nil, code: 0, out: "Available Commands"},
		{args: []string{"version"}, code: 0, out: "hermes "},
		{args: []string{"version", "x"}, code: 2, err: `hermes: unknown command "x"`},
		{args: []string{"version", "--loud"}, code: 2, err: "hermes: unknown flag: --loud"},
		{args: []string{"fly"}, code: 2, err: `hermes: unknown command "fly"`},
	} {
		var out, errs strings.Builder
		code := run(test.args, streams{in: strings.NewReader(""), out: &out, err: &errs})
		if code != test.code || !strings.Contains(out.String(), test.out) || !strings.Contains(errs.String(), test.err) {
			t.Errorf("%q: got %d, %q, %q", test.args, code, out.String(), errs.String())
		}
	}
}

func TestMain_ExitCode(t *testing.T) {
	for _, test := range []struct {
		err   error
		begun bool
		want  int
	}{
		{errors.New("unknown flag"), false, 2},
		{errors.New("disk full"), true, 1},
		{fmt.Errorf("serve: %w", config.Mistakes{"HERMES_LANG: is wrong"}), true, 2},
	} {
		if got := exitCode(test.err, test.begun); got != test.want {
			t.Errorf("%v, %v: got %d, want %d", test.err, test.begun, got, test.want)
		}
	}
}

// run learns from the root's PersistentPreRun that a command has begun; a
// command with its own would hide that, and its failures would exit with 2.
func TestMain_NoCommandHidesItsBeginning(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.PersistentPreRun != nil || cmd.PersistentPreRunE != nil {
			t.Errorf("%s has a PersistentPreRun of its own", cmd.CommandPath())
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(rootCommand(streams{}))
}

func TestMain_ConfigFlag(t *testing.T) {
	var opts config.Options
	cmd := &cobra.Command{Use: "x", RunE: func(*cobra.Command, []string) error { return nil }}
	configFlag(cmd, &opts)
	cmd.SetArgs([]string{"--config", "/etc/hermes.env"})
	if err := cmd.Execute(); err != nil || opts.File != "/etc/hermes.env" {
		t.Errorf("got %q, %v", opts.File, err)
	}
}

func TestMain_Version(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"},
	}}
	if got, want := version.Of(info), "hermes v1.2.3 abc (modified) go1.26.8"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := version.Of(nil), "hermes (unknown version)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
