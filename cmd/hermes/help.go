package main

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/console"
)

// The groups of commands in the help of hermes.
const (
	groupBegin  = "begin"
	groupAsk    = "ask"
	groupAccess = "access"
	groupCare   = "care"
)

// inGroup puts commands into a group of the help.
func inGroup(id string, commands ...*cobra.Command) []*cobra.Command {
	for _, cmd := range commands {
		cmd.GroupID = id
	}
	return commands
}

// suggestFor names what people of other programs would type for a command of hermes.
func suggestFor(cmd *cobra.Command, words ...string) *cobra.Command {
	cmd.SuggestFor = words
	return cmd
}

// showHelp is hermes help. Cobra's own does not fail for a command that does not exist.
func showHelp(cmd *cobra.Command, args []string) error {
	found, rest, _ := cmd.Root().Find(args) // no command fails for its arguments here
	if len(rest) > 0 {
		return unknownCommand(found, rest[0])
	}
	found.InitDefaultHelpFlag()
	return found.Help()
}

// unknownCommand says that a command has no subcommand of this name, and what may have been meant. In a short word, two letters are too
// much of a difference.
func unknownCommand(cmd *cobra.Command, name string) config.Mistakes {
	cmd.SuggestionsMinimumDistance = min(2, len(name)/3)
	var meant []string
	for _, one := range cmd.SuggestionsFor(name) {
		meant = append(meant, cmd.CommandPath()+" "+one)
	}
	if len(meant) == 0 {
		return config.Mistakes{fmt.Sprintf("unknown command %q for %s; %s --help lists the commands", name, cmd.CommandPath(), cmd.CommandPath())}
	}
	return config.Mistakes{fmt.Sprintf("unknown command %q for %s; did you mean %s?", name, cmd.CommandPath(), strings.Join(meant, " or "))}
}

// stopCommand is for those who look for it: how hermes stops depends on what has started it.
func stopCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "stop",
		Hidden: true,
		RunE:   func(*cobra.Command, []string) error { return config.Mistakes{apiclient.HowToStop()} },
	}
}

// helpWidth is that of a terminal, in characters.
const helpWidth = 80

// helpRow matches what stands before the text in a line of a list: a command or a flag.
var helpRow = regexp.MustCompile(`^ {2,}\S.*?\s{2,}`)

// wrapHelp has the help of all commands fit the terminal.
func wrapHelp(root *cobra.Command) {
	print := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		out := cmd.OutOrStdout()
		var text bytes.Buffer
		cmd.SetOut(&text)
		print(cmd, args)
		cmd.SetOut(out)
		for line := range strings.Lines(text.String()) {
			line = strings.TrimSuffix(line, "\n")
			head := helpRow.FindString(line)
			_, _ = io.WriteString(out, console.Wrap(line[len(head):], head, strings.Repeat(" ", utf8.RuneCountInString(head)), helpWidth))
		}
	})
}
