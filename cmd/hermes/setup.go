package main

import (
	"github.com/spf13/cobra"

	"hermes/internal/console"
	"hermes/internal/setup"
)

// setupCommand guides through everything that hermes needs.
func setupCommand() *cobra.Command {
	var flags setup.Flags
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
			term := console.NewTerminal(cmd.InOrStdin(), cmd.OutOrStdout())
			return setup.New(term, flags).Run(cmd.Context())
		},
	}
	configFlag(cmd, &flags.Config)
	flags.AddTo(cmd)
	return cmd
}
