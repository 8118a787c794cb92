package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	root "hermes"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/setup"
)

// configCommand shows the configuration, and changes it.
func configCommand() *cobra.Command {
	var opts config.Options
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show what is set, and from where; secrets are hidden",
		Long: "Show the variables that are set, and whether the environment or the configuration file sets them. Secrets are hidden. " +
			"What is wrong is named below, and the exit code is then 2. hermes config example prints all variables that there are.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := config.Set(opts)
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, s := range list {
				fmt.Fprintf(table, "%s\t%s\t%s\n", s.Name, letters.Escaped(cmp.Or(s.Value, "-")), s.From)
			}
			_ = table.Flush() // whoever read it is gone
			if len(list) == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "Nothing is set; hermes setup does it.")
			}
			return err
		},
	}
	configFlag(cmd, &opts)
	cmd.AddCommand(configExample(), configSet())
	return cmd
}

func configSet() *cobra.Command {
	var opts config.Options
	cmd := &cobra.Command{
		Use:   "set NAME VALUE",
		Short: "Write a variable into the configuration file",
		Long: "Write a variable into the configuration file, in which all other lines stay as they are; an empty value takes it out. " +
			"A secret is no argument, because every user of a machine can see those: with - for VALUE it is asked for, or read from standard input. " +
			"A running hermes takes it over when it is restarted; HERMES_LOG_LEVEL and the file of HERMES_RULES with hermes reload.\n\n" +
			"  hermes config set HERMES_QUESTION_TTL 2h",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.File = cmp.Or(opts.File, config.UsualFile())
			value, err := settingValue(cmd, args[0], args[1])
			if err == nil {
				err = setup.SetVariable(opts.File, args[0], value)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is written to %s.\n", args[0], opts.File)
			if config.InEnvironment(args[0]) {
				fmt.Fprintf(cmd.OutOrStdout(), "The environment of this command sets it too, and counts before the file.\n")
			}
			_, err = config.Load(opts)
			return err
		},
	}
	configFlag(cmd, &opts)
	return cmd
}

// settingValue is the value that a variable shall have.
func settingValue(cmd *cobra.Command, name, value string) (string, error) {
	if err := config.CheckName(name); err != nil {
		return "", err
	}
	if config.IsSecret(name) && value != "" {
		if value != "-" {
			return "", config.Mistakes{name + ": is a secret, and arguments are none; give - in its place"}
		}
		t := console.NewTerminal(cmd.InOrStdin(), cmd.OutOrStdout())
		if t.Asks() {
			text, err := t.Secret(cmd.Context(), name+":")
			return text.Reveal(), err
		}
		text, err := readInput(cmd.InOrStdin(), "-", config.MaxFile)
		if err != nil {
			return "", err
		}
		value = string(text)
	}
	if value = strings.TrimSpace(value); strings.ContainsAny(value, "\r\n") {
		return "", config.Mistakes{name + ": must be one line"}
	}
	return value, nil
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
