package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand writes what the commands say of themselves as man pages, for packages.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write man pages of all commands into a folder",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			layOutExamples(root)
			return doc.GenManTree(root, &doc.GenManHeader{Source: "hermes", Manual: "hermes manual"}, args[0])
		},
	}
}

// layOutExamples indents what is indented in help texts as Markdown has it for code, which cobra reads them as.
func layOutExamples(cmd *cobra.Command) {
	cmd.Long, cmd.DisableAutoGenTag = strings.ReplaceAll(cmd.Long, "\n  ", "\n      "), true
	for _, sub := range cmd.Commands() {
		layOutExamples(sub)
	}
}
