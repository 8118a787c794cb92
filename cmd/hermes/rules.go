package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"hermes/internal/policy"
)

// book says who may answer and which chats get it: as the rules file has it, or
// without one all users and all chats. The error is of type mistakes.
func (c config) book() (*policy.Book, error) {
	var targets []policy.Target
	for _, chat := range c.TelegramChats {
		targets = append(targets, policy.Target{Chat: chat.ID, Topic: chat.Topic})
	}
	if c.Rules == "" {
		return policy.Everyone(c.TelegramUsers, targets), nil
	}
	b, err := readRules("HERMES_RULES", c.Rules, filepath.Base(c.Rules))
	if err == nil && len(targets) > 0 {
		b = b.WithDefault(targets...)
	}
	return b, err
}

// ruled is the configuration with the people who may answer and the chats by the rules
// file, if there is one, in place of its own.
func (c config) ruled() (config, error) {
	b, err := c.book()
	if c.Rules == "" || err != nil {
		return c, err
	}
	c.TelegramUsers, c.TelegramChats = nil, nil
	for _, p := range b.People() {
		if len(p.Roles) > 0 {
			c.TelegramUsers = append(c.TelegramUsers, p.ID)
		}
	}
	for _, t := range b.Targets() {
		c.TelegramChats = append(c.TelegramChats, chat{ID: t.Chat, Topic: t.Topic})
	}
	return c, nil
}

// listing is the setting that says who may answer.
func (c config) listing() string {
	if c.Rules != "" {
		return "HERMES_RULES"
	}
	return "HERMES_TELEGRAM_USERS"
}

// readRules reads a rules file. setting is where its path comes from, name is how
// mistakes in it name it.
func readRules(setting, path, name string) (*policy.Book, error) {
	text, _, err := readSmall(path)
	if err != nil {
		var wrong mistakes
		wrong.add(setting, "the rules cannot be read: %v", plain(err))
		return nil, wrong
	}
	b, err := policy.Parse(name, []byte(text))
	var wrong policy.Mistakes
	if errors.As(err, &wrong) {
		return nil, mistakes(wrong)
	}
	return b, err
}

// rulesCommand groups what is done with a rules file.
func rulesCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "rules", Short: "Look at the file that says who may answer what"}
	cmd.AddCommand(rulesCheckCommand(), rulesTestCommand())
	return cmd
}

func rulesCheckCommand() *cobra.Command {
	var opts options
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Name every mistake in a rules file, with its line; exit 2 if there is one",
		Long: "Name every mistake in a rules file, with its line; the exit code is then 2. Without FILE it is the one of HERMES_RULES.\n" +
			"docs/rules.md tells what can stand in it.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				b, err := readRules(args[0], args[0], args[0])
				return told(cmd.OutOrStdout(), args[0], b, err)
			}
			return checkConfigured(cmd.OutOrStdout(), opts)
		},
	}
	configFlag(cmd, &opts)
	return cmd
}

func checkConfigured(out io.Writer, opts options) error {
	c, err := loadConfig(opts)
	switch {
	case err != nil:
		return err
	case c.Rules == "":
		return mistakes{"HERMES_RULES: is not set; set it, or name a file to check"}
	}
	b, err := c.book()
	return told(out, filepath.Base(c.Rules), b, err)
}

func told(out io.Writer, name string, b *policy.Book, err error) error {
	if err == nil {
		fmt.Fprintf(out, "%s: %s\n", name, summary(b))
	}
	return err
}

// summary is what there is in a book.
func summary(b *policy.Book) string {
	return fmt.Sprintf("people %d, rules %d, chats %d", len(b.People()), len(b.Rules()), len(b.Targets()))
}
