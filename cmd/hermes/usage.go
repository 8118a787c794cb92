package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hermes/internal/apiclient"
)

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
