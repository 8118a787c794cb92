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
		Long: "Set hermes up, step by step: the bot, who may answer, the plugin in OpenCode, the configuration, the service, " +
			"and a test question on the phone. Every step is saved when it is done, in $XDG_CONFIG_HOME/hermes/hermes.env (0600). " +
			"Press ctrl-C to stop and run it again to resume; it never changes anything without telling you.\n\n" +
			"In a script the flags and HERMES_TELEGRAM_TOKEN give the answers. The token is never an argument, because every user of a machine " +
			"can see those.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			term := console.NewTerminal(cmd.InOrStdin(), cmd.OutOrStdout())
			return setup.New(term, flags, serveForSetup).Run(cmd.Context())
		},
	}
	configFlag(cmd, &flags.Config)
	flags.AddTo(cmd)
	return cmd
}
