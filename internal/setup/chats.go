package setup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/telegram/botapi"
)

// checkChats looks whether the bot can write to every chat. A new one to which it cannot is not taken; of one that is configured
// already setup only tells.
func (s *Wizard) checkChats(ctx context.Context, chats []config.Chat) error {
	if s.bot.me.ID == 0 {
		return nil // a dry run without a token
	}
	for _, c := range chats {
		for trouble := s.troubleWith(ctx, c); trouble != ""; trouble = s.troubleWith(ctx, c) {
			if ctx.Err() != nil {
				return console.ErrStopped
			}
			old := slices.Contains(s.config.TelegramChats, c)
			if !old && !s.flags.dryRun && !s.term.Asks() {
				return errors.New(trouble)
			}
			s.term.Bad("%s", trouble)
			if old || s.flags.dryRun {
				break
			}
			again, err := s.term.Confirm(ctx, "Try again?", true)
			if err != nil || !again {
				return errors.Join(err, errUnless(err != nil, errDeclined))
			}
		}
	}
	return nil
}

// troubleWith says why the bot cannot write to a chat; "" if it can. It asks for the chat, and shows "typing…" there, which alone
// proves without a message that the bot may write. A dry run does not show that.
func (s *Wizard) troubleWith(ctx context.Context, c config.Chat) string {
	_, err := s.bot.client.GetChat(ctx, &tg.GetChatParams{ChatID: int64(c.ID)})
	if err == nil && !s.flags.dryRun {
		err = s.bot.client.SendChatAction(ctx, &tg.SendChatActionParams{ChatID: int64(c.ID), MessageThreadID: botapi.Thread(c.Topic), Action: models.ChatActionTyping})
	}
	if err == nil {
		return ""
	}
	return s.bot.cannotWrite(c, err)
}

// cannotWrite says why the bot cannot write to a chat, and what to do.
func (b *botConnection) cannotWrite(c config.Chat, err error) string {
	f := clients.ErrorOf(err)
	switch {
	case f.Code != 403 && f.Code != 400:
		return botError(err).Error()
	case f.Reason == botapi.Blocked && c.ID > 0:
		return fmt.Sprintf("The bot cannot write to chat %s: %s. That person has to unblock @%s.", c.Text(), letters.Escaped(f.Said()), letters.Escaped(b.me.Username))
	case c.ID > 0:
		return fmt.Sprintf("The bot cannot write to chat %s: %s. A bot cannot write first: that person has to open https://t.me/%s and press Start once. Or the id is wrong.",
			c.Text(), letters.Escaped(f.Said()), letters.Escaped(b.me.Username))
	}
	return fmt.Sprintf("The bot cannot write to chat %s: %s. Add it to the group, and let it write there. Or the id is wrong.", c.Text(), letters.Escaped(f.Said()))
}
