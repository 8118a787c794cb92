package telegram

import (
	"context"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/chat"
	"hermes/telegram/outbox"
)

// React puts an emoji under a person's message, in place of the one that is there; it
// must be of those that Bot API ReactionTypeEmoji names, such as 👀 and 👍, or "" for
// none. It waits in the chat's queue and never blocks, takes no turn from messages, and
// is tried once. done is called once, from another goroutine; the error is an *Error, as
// where a group allows no reactions.
func (b *Bot) React(in chat.ID, message chat.MessageID, emoji string, done func(error)) {
	b.out.Enqueue(in, outbox.Notes, outbox.Job{Free: true, Run: func(ctx context.Context, c *outbox.Chat, err error) {
		if err != nil {
			done(err) // the Bot is closed
			return
		}
		ctx, cancel := context.WithTimeout(ctx, answerTimeout)
		defer cancel()
		done(b.api.SetMessageReaction(ctx, &tg.SetMessageReactionParams{ChatID: int64(c.ID()), MessageID: int(message), Reaction: reactionParam(emoji)}))
	}})
}

// reactionParam is empty and not nil for "": Telegram then removes the reaction.
func reactionParam(emoji string) []models.ReactionType {
	if emoji == "" {
		return []models.ReactionType{}
	}
	return []models.ReactionType{{Type: models.ReactionTypeTypeEmoji, ReactionTypeEmoji: &models.ReactionTypeEmoji{Emoji: emoji}}}
}
