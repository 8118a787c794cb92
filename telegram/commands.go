package telegram

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/telegram/botapi"
	"hermes/telegram/words"
)

// maxCommands bounds a menu (Bot API setMyCommands).
const maxCommands = 100

// SetCommands makes the menus of private chats and of groups, which Telegram's clients show
// for a slash, have these commands, in the configured language; with "auto" in the first
// one, and in each other language for those whose Telegram is in it. A menu that is right
// already is not touched; an empty list takes it away. It may be called again after an error,
// which is an *Error; Refused then says which command there are no words for, and nothing was
// called.
func (b *Bot) SetCommands(ctx context.Context, private, groups []string) error {
	if err := errors.Join(checkCommands(private), checkCommands(groups)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, outgoingTimeout)
	defer cancel()
	if _, _, err := b.Account(ctx); err != nil { // by which commands in groups are told apart
		return err
	}
	for i, lang := range words.Languages() {
		if i == 0 {
			lang = "" // everybody without a menu of their own
		}
		if err := b.setMenu(ctx, &models.BotCommandScopeAllPrivateChats{}, lang, b.texts.commandMenu(private, lang)); err != nil {
			return err
		}
		if err := b.setMenu(ctx, &models.BotCommandScopeAllGroupChats{}, lang, b.texts.commandMenu(groups, lang)); err != nil {
			return err
		}
	}
	return nil
}

func checkCommands(list []string) error {
	wrong := func(format string, args ...any) error {
		return &Error{Op: "setMyCommands", Reason: botapi.Refused, Detail: fmt.Sprintf(format, args...)}
	}
	if len(list) > maxCommands {
		return wrong("%d commands, and %d at most are taken", len(list), maxCommands)
	}
	known := words.For("").Menu
	for i, name := range list {
		if known[name] == "" {
			return wrong("%q is no name of a command", name)
		}
		if slices.Contains(list[:i], name) {
			return wrong("%s is there twice", name)
		}
	}
	return nil
}

// commandMenu is the list for people with a language; "" is everybody without a menu of their
// own (Bot API setMyCommands language_code).
func (l languages) commandMenu(list []string, lang string) []models.BotCommand {
	if lang != "" && !l.isAuto() {
		return nil
	}
	if !l.isAuto() {
		lang = l.fixed
	}
	texts := words.For(lang).Menu
	menu := []models.BotCommand{}
	for _, name := range list {
		menu = append(menu, models.BotCommand{Command: name, Description: texts[name]})
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
