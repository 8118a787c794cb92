package telegram

import "context"

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
		return "", &Error{Op: "getMe", Reason: Server, Detail: "the answer has no username"}
	}
	return me.Username, nil
}
