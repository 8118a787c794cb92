package telegram

import (
	"context"
	"strconv"
	"strings"

	"hermes/internal/chat"
	"hermes/internal/secret"
	"hermes/telegram/botapi"
)

// Account asks Telegram for the bot's username, without @, and whether people can add the bot to groups (Bot API getMe), which
// /setjoingroups at @BotFather says. The error is an [*Error].
func (b *Bot) Account(ctx context.Context) (username string, joinsGroups bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	me, err := b.api.GetMe(ctx)
	if err != nil {
		return "", false, err
	}
	if me.Username == "" {
		return "", false, &Error{Op: "getMe", Reason: botapi.Server, Detail: "the answer has no username"}
	}
	b.reader.SetName(me.Username)
	return me.Username, me.CanJoinGroups, nil
}

// botID is the id of the bot's account: the digits that its token begins with.
func botID(token secret.Text) chat.UserID {
	digits, _, _ := strings.Cut(token.Reveal(), ":")
	id, _ := strconv.ParseInt(digits, 10, 64) // Config has checked it
	return chat.UserID(id)
}
