package telegram

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// Command is an entry of the menu that Telegram's clients show for a slash.
type Command struct {
	Name    string // without the slash: 1 to 32 of a-z, 0-9 and _
	English string // what it does, 1 to 256 characters
	Chinese string // the same
}

// The limits of Bot API BotCommand and setMyCommands.
var commandName = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)

const (
	maxCommands    = 100
	maxDescription = 256
)

// SetCommands makes the menus of private chats and of groups be these lists, in the
// configured language; with "auto" in English, and in Chinese for those whose Telegram
// is. A menu that is right already is not touched; an empty list takes it away. It may
// be called again after an error, which is an *Error; Refused then says which entry the
// Bot API would not take, and nothing was called.
func (b *Bot) SetCommands(ctx context.Context, private, groups []Command) error {
	if err := errors.Join(checkCommands(private), checkCommands(groups)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, outgoingTimeout)
	defer cancel()
	b.reader.LearnName() // by which commands in groups are told apart
	for _, lang := range []string{"", "zh"} {
		if err := b.setMenu(ctx, &models.BotCommandScopeAllPrivateChats{}, lang, b.texts.commandMenu(private, lang)); err != nil {
			return err
		}
		if err := b.setMenu(ctx, &models.BotCommandScopeAllGroupChats{}, lang, b.texts.commandMenu(groups, lang)); err != nil {
			return err
		}
	}
	return nil
}

func checkCommands(list []Command) error {
	wrong := func(format string, args ...any) error {
		return &Error{Op: "setMyCommands", Reason: Refused, Detail: fmt.Sprintf(format, args...)}
	}
	if len(list) > maxCommands {
		return wrong("%d commands, and %d at most are taken", len(list), maxCommands)
	}
	for i, c := range list {
		if !commandName.MatchString(c.Name) {
			return wrong("%q is no name of a command", c.Name)
		}
		if slices.ContainsFunc(list[:i], func(other Command) bool { return other.Name == c.Name }) {
			return wrong("%s is there twice", c.Name)
		}
		for _, text := range []string{c.English, c.Chinese} {
			if n := utf8.RuneCountInString(text); n < 1 || n > maxDescription {
				return wrong("the description of %s has %d characters", c.Name, n)
			}
		}
	}
	return nil
}

// commandMenu is the list for people with a language; "" is everybody without a menu of their
// own (Bot API setMyCommands language_code).
func (l languages) commandMenu(list []Command, lang string) []models.BotCommand {
	auto := l.isAuto()
	if lang != "" && !auto {
		return nil
	}
	menu := []models.BotCommand{}
	for _, c := range list {
		text := c.English
		if lang == "zh" || l.fixed == "zh" {
			text = c.Chinese
		}
		menu = append(menu, models.BotCommand{Command: c.Name, Description: text})
	}
	return menu
}

// setMenu sets one menu, if it is not so already.
func (b *Bot) setMenu(ctx context.Context, scope models.BotCommandScope, lang string, menu []models.BotCommand) error {
	now, err := b.api.GetMyCommands(ctx, &tg.GetMyCommandsParams{Scope: scope, LanguageCode: lang})
	switch {
	case err != nil || slices.Equal(now, menu):
		return err
	case len(menu) == 0:
		return b.api.DeleteMyCommands(ctx, &tg.DeleteMyCommandsParams{Scope: scope, LanguageCode: lang})
	}
	return b.api.SetMyCommands(ctx, &tg.SetMyCommandsParams{Commands: menu, Scope: scope, LanguageCode: lang})
}
