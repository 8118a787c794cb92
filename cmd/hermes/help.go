package main

import (
	"strings"

	"github.com/spf13/cobra"

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
