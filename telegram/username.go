package telegram

import (
	"context"
	"strconv"
	"strings"

	"hermes/internal/chat"
	"hermes/internal/secret"
	"hermes/telegram/botapi"
)

// Username asks Telegram for the bot's username, without @ (Bot API getMe). The
// error is an [*Error].
func (b *Bot) Username(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	me, err := b.api.GetMe(ctx)
	if err != nil {
		return "", err
	}
	if me.Username == "" {
		return "", &Error{Op: "getMe", Reason: botapi.Server, Detail: "the answer has no username"}
	}
	b.reader.SetName(me.Username)
	return me.Username, nil
}

// JoinsGroups asks Telegram whether people can add the bot to groups (Bot API User.can_join_groups), which /setjoingroups at @BotFather
// says. The error is an [*Error].
func (b *Bot) JoinsGroups(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	me, err := b.api.GetMe(ctx)
	if err != nil {
		return false, err
	}
	return me.CanJoinGroups, nil
}

// botID is the id of the bot's account: the digits that its token begins with.
func botID(token secret.Text) chat.UserID {
	digits, _, _ := strings.Cut(token.Reveal(), ":")
	id, _ := strconv.ParseInt(digits, 10, 64) // Config has checked it
	return chat.UserID(id)
}
