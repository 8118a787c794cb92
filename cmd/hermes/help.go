package main

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"hermes/internal/apiclient"
	"hermes/internal/config"
)

// The groups of commands in the help of hermes.
const (
	groupBegin  = "begin"
	groupAsk    = "ask"
	groupAccess = "access"
	groupCare   = "care"
)

// helpCommand is cobra's, but fails for what is no command.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND...]",
		Short:             "Show what a command does, and its flags",
		ValidArgsFunction: completeCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = unknownCommand(found, rest[0])
			}
			if err != nil {
				return config.Mistakes{err.Error()}
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// completeCommands completes the name of a command, and below it those of its subcommands.
func completeCommands(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	found, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var list []cobra.Completion
	for _, sub := range found.Commands() {
		if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), typed) {
			list = append(list, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// inGroup puts commands into a group of the help.
func inGroup(id string, commands ...*cobra.Command) []*cobra.Command {
	for _, cmd := range commands {
		cmd.GroupID = id
	}
	return commands
}

// helpWidth is that of a terminal, in characters.
const helpWidth = 80

// wrapHelp has the help of a command and all below it fit the terminal. It takes what cobra prints: a template of hermes' own would link
// text/template.
func wrapHelp(root *cobra.Command) {
	print := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		out := cmd.OutOrStdout()
		var text bytes.Buffer
		cmd.SetOut(&text)
		print(cmd, args)
		cmd.SetOut(out)
		_, _ = out.Write([]byte(wrapText(text.String(), helpWidth)))
	})
}

// wrapText breaks the lines of a text that are longer than width. A paragraph with such a line is filled anew; a row with a name before it
// goes on below its text. What is indented and no row is a command to type, and stays.
func wrapText(text string, width int) string {
	var wrapped []string
	lines := strings.Split(text, "\n")
	for len(lines) > 0 {
		n := 1
		if indent := rowText(lines[0]); indent > 0 {
			wrapped = append(wrapped, fill(lines[0][:indent], lines[0][indent:], width)...)
		} else {
			for isProse(lines[0]) && n < len(lines) && isProse(lines[n]) {
				n++
			}
			wrapped = append(wrapped, fillParagraph(lines[:n], width)...)
		}
		lines = lines[n:]
	}
	return strings.Join(wrapped, "\n")
}

func isProse(line string) bool { return line != "" && !strings.HasPrefix(line, " ") }

// row is a line of a list: of a command or a flag, and what it does.
var row = regexp.MustCompile(`^ {2,}\S.*?\s{2,}`)

// rowText is where in a row the text begins, in bytes; 0: the line is no row.
func rowText(line string) int { return len(row.FindString(line)) }

func fillParagraph(lines []string, width int) []string {
	tooLong := func(line string) bool { return utf8.RuneCountInString(line) > width }
	if !isProse(lines[0]) || !slices.ContainsFunc(lines, tooLong) {
		return lines
	}
	return fill("", strings.Join(lines, " "), width)
}

// fill puts as many words into each line as have room, behind head in the first one and below that in the others. A word that is longer
// than a line has one of its own.
func fill(head, text string, width int) (lines []string) {
	line, empty := head, true
	for _, word := range strings.Fields(text) {
		switch {
		case empty:
			line, empty = line+word, false
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = strings.Repeat(" ", utf8.RuneCountInString(head)) + word
		}
	}
	return append(lines, line)
}

// refuseInWords makes every command of the tree refuse wrong arguments and flags in hermes'
// words, and say how it is used.
func refuseInWords(cmd *cobra.Command) {
	if takes := cmd.Args; takes != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if takes(cmd, args) != nil {
				return wrongArguments(cmd, args)
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		refuseInWords(sub)
	}
}

// wrongArguments says what is wrong with the arguments of a command, of which its usage line
// tells how many it takes.
func wrongArguments(cmd *cobra.Command, args []string) error {
	name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	_, takes, _ := strings.Cut(cmd.Use, " ")
	takes, _, _ = strings.Cut(takes, " --") // flags are no arguments
	needed := strings.Fields(takes)
	if i := slices.IndexFunc(needed, func(word string) bool { return strings.HasPrefix(word, "[") }); i >= 0 {
		needed = needed[:i]
	}
	switch {
	case cmd.HasSubCommands():
		return unknownCommand(cmd, args[0])
	case len(args) < len(needed):
		return fmt.Errorf("%s: needs %s; %s --help says more", name, strings.Join(needed[len(args):], " and "), cmd.CommandPath())
	case takes == "":
		return fmt.Errorf("%s: takes no arguments, but was given %q", name, args[0])
	}
	return fmt.Errorf("%s: takes only %s, but was given %q as well", name, takes, args[len(args)-1])
}

// unknownCommand says that a command has no subcommand of this name, and what may have been meant.
func unknownCommand(cmd *cobra.Command, name string) error {
	path, text := cmd.CommandPath(), fmt.Sprintf("unknown command %q", name)
	if cmd.HasParent() {
		text += " for " + path
	}
	if !cmd.HasSubCommands() {
		return errors.New(text + ", which has no commands of its own")
	}
	if !cmd.HasParent() && name == "stop" {
		return errors.New(text + "; " + apiclient.HowToStop())
	}
	meant := suggestions(cmd, name)
	if len(meant) == 0 {
		return fmt.Errorf("%s; %s --help lists the commands", text, path)
	}
	for i := range meant {
		meant[i] = path + " " + meant[i]
	}
	return fmt.Errorf("%s; did you mean %s?", text, strings.Join(meant, " or "))
}

// suggestions are the subcommands that may be meant. In a short word two letters are too much of a difference.
func suggestions(cmd *cobra.Command, name string) []string {
	cmd.SuggestionsMinimumDistance = 2
	if len(name) <= 4 {
		cmd.SuggestionsMinimumDistance = 1
	}
	meant := cmd.SuggestionsFor(name)
	slices.Sort(meant)
	return slices.Compact(meant)
}

// suggestFor names what people of other programs would type for a command of hermes.
func suggestFor(cmd *cobra.Command, words ...string) *cobra.Command {
	cmd.SuggestFor = words
	return cmd
}

// wrongFlag names the command whose help lists the flags.
func wrongFlag(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; %s --help lists the flags", err, cmd.CommandPath())
}
