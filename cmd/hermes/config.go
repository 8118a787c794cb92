package main

import (
	"io"

	"github.com/spf13/cobra"

	root "hermes"
)

// configCommand tells of the configuration.
func configCommand() *cobra.Command {
	return groupOf(&cobra.Command{
		Use:   "config",
		Short: "Show every setting of hermes, with its default and what it means",
	}, configExample())
}

func configExample() *cobra.Command {
	return &cobra.Command{
		Use:   "example",
		Short: "Print every setting with its default and what it means, as a configuration file",
		Long: "Print every setting with its default and what it means, in the form of a configuration file. It holds no secret, and nothing " +
			"of your own configuration. To begin one by hand:\n\n" +
			"  (umask 077; mkdir -p ~/.config/hermes\n" +
			"  hermes config example > ~/.config/hermes/hermes.env)\n\n" +
			"hermes setup writes it for you.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), root.ExampleConfig())
			return err
		},
	}
}
