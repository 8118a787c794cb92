package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"hermes/internal/policy"
	"hermes/internal/secret"
)

// Ruleset says who may answer and which chats get it: as the rules file has it, or
// without one all users and all chats. The error is of type mistakes.
func (c Config) Ruleset() (*policy.Ruleset, error) {
	var targets []policy.Target
	for _, chat := range c.TelegramChats {
		targets = append(targets, policy.Target{Chat: chat.ID, Topic: chat.Topic})
	}
	if c.Rules == "" {
		return policy.Everyone(c.TelegramUsers, targets), nil
	}
	b, err := ReadRules("HERMES_RULES", c.Rules, filepath.Base(c.Rules))
	if err == nil && len(targets) > 0 {
		b = b.WithDefault(targets...)
	}
	return b, err
}

// WithRules is the configuration with the people who may answer and the chats by the rules
// file, if there is one, in place of its own.
func (c Config) WithRules() (Config, error) {
	b, err := c.Ruleset()
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
		c.TelegramChats = append(c.TelegramChats, Chat{ID: t.Chat, Topic: t.Topic})
	}
	return c, nil
}

// PeopleSetting is the setting that says who may answer.
func (c Config) PeopleSetting() string {
	if c.Rules != "" {
		return "HERMES_RULES"
	}
	return "HERMES_TELEGRAM_USERS"
}

// ReadRules reads a rules file. setting is where its path comes from, name is how
// mistakes in it name it.
func ReadRules(setting, path, name string) (*policy.Ruleset, error) {
	text, _, err := ReadSmall(path)
	if err != nil {
		var wrong Mistakes
		wrong.Add(setting, "the rules cannot be read: %v", WithoutPath(err))
		return nil, wrong
	}
	b, err := policy.Parse(name, []byte(text))
	var wrong policy.Mistakes
	if errors.As(err, &wrong) {
		return nil, Mistakes(wrong)
	}
	return b, err
}

// RulesSummary is what a ruleset holds, in a line.
func RulesSummary(b *policy.Ruleset) string {
	return fmt.Sprintf("people %d, rules %d, chats %d", len(b.People()), len(b.Rules()), len(b.Targets()))
}

// WarnWritable says what is wrong where other users of this machine may change the rules
// file, or put another one into its place: then they say who may allow what.
func WarnWritable(path string) Mistakes {
	var wrong Mistakes
	info, err := os.Stat(path)
	if err != nil {
		return nil // whoever reads it says so
	}
	if mode := info.Mode().Perm(); secret.IsWritable(mode) {
		wrong.Add("HERMES_RULES", "other users of this machine may change the file (mode %04o); chmod go-w it, it says who may allow what", mode)
	}
	folders := []string{filepath.Dir(path)}
	if real, err := filepath.EvalSymlinks(path); err == nil && !slices.Contains(folders, filepath.Dir(real)) {
		folders = append(folders, filepath.Dir(real))
	}
	for _, folder := range folders {
		info, err := os.Stat(folder)
		if err != nil || info.Mode()&os.ModeSticky != 0 { // there, nobody replaces what is another's
			continue
		}
		if mode := info.Mode().Perm(); secret.IsWritable(mode) {
			wrong.Add("HERMES_RULES", "other users of this machine may put another file into its place, as its folder is open to them (mode %04o); chmod go-w the folder", mode)
		}
	}
	return wrong
}
