package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"hermes/internal/config"
	"hermes/internal/letters"
	"hermes/internal/policy"
)

// rulesCommand groups what is done with a rules file.
func rulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Check or try the file that says who may answer what",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return config.Mistakes{"say what to do: hermes rules check or hermes rules test"}
		},
	}
	cmd.AddCommand(rulesCheckCommand(), rulesTestCommand())
	return cmd
}

func rulesCheckCommand() *cobra.Command {
	var opts config.Options
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Name every mistake in a rules file, with its line; exit 2 if there is one",
		Long: "Name every mistake in a rules file, with its line; the exit code is then 2. Without FILE, it is the file of HERMES_RULES.\n" +
			"docs/rules.md describes what it can contain.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				b, err := config.ReadRules(args[0], args[0], args[0])
				return reportRules(cmd.OutOrStdout(), args[0], b, err)
			}
			return checkConfigured(cmd.OutOrStdout(), opts)
		},
	}
	configFlag(cmd, &opts)
	return cmd
}

func checkConfigured(out io.Writer, opts config.Options) error {
	c, err := config.Load(opts)
	switch {
	case err != nil:
		return err
	case c.Rules == "":
		return config.Mistakes{"HERMES_RULES: is not set; set it, or name a file to check"}
	}
	b, err := c.Ruleset()
	return reportRules(out, filepath.Base(c.Rules), b, err)
}

func reportRules(out io.Writer, name string, b *policy.Ruleset, err error) error {
	if err == nil {
		fmt.Fprintf(out, "%s: %s\n", name, config.RulesSummary(b))
		for _, note := range b.Notes() {
			fmt.Fprintf(out, "note: %s\n", letters.Escaped(note))
		}
	}
	return err
}
