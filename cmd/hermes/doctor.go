package main

import (
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/doctor"
)

// doctorCommand looks for what would keep a question from its answer.
func doctorCommand() *cobra.Command {
	var opts doctor.Options
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find what is wrong, and say what to do; exit 1 if something is",
		Long: "Check the configuration, Telegram, the running hermes, the database, the plugin and OpenCode, and say what to do. " +
			"The exit code is 1 if a check fails. Nothing is changed; people see \"typing…\" for a moment.\n\n" +
			"With --round-trip the running hermes also asks a test question, in every chat, and doctor waits for a tap.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return examineAll(cmd, opts) },
	}
	configFlag(cmd, &opts.Options)
	configDirFlag(cmd, &opts.Plugin)
	cmd.Flags().BoolVar(&opts.JSON, "json", false, "write one JSON value: {\"checks\":[{\"name\",\"status\",\"detail\",\"remedy\"}]}")
	cmd.Flags().BoolVar(&opts.RoundTrip, "round-trip", false, "send a test question to every chat, and wait for a tap")
	cmd.Flags().DurationVar(&opts.Wait, "wait", 2*time.Minute, "how long --round-trip waits for a tap")
	return cmd
}

func examineAll(cmd *cobra.Command, opts doctor.Options) error {
	if cmd.Flags().Changed("wait") && (!opts.RoundTrip || opts.Wait < time.Second) {
		return config.Mistakes{"--wait: give at least 1s, and --round-trip with it"}
	}
	opts.Serve = true
	c, err := config.Load(opts.Options)
	var wrong config.Mistakes
	if err != nil && !errors.As(err, &wrong) {
		return err
	}
	here, _ := os.Getwd() // one that is gone is not looked at
	d := doctor.New(c, wrong, opts, doctor.World{Notice: cmd.ErrOrStderr(), Here: here})
	style := console.StyleFor(cmd.OutOrStdout(), opts.JSON, os.Getenv)
	return d.Report(cmd.Context(), cmd.OutOrStdout(), style)
}
