package telegram

import (
	"context"

	"hermes/question"
)

// React puts an emoji under a person's message, in place of the one that is there; it
// must be of those that Bot API ReactionTypeEmoji names, such as 👀 and 👍, or "" for
// none. It waits in the chat's queue and never blocks, takes no turn from messages, and
// is tried once. done is called once, from another goroutine; the error is an *Error, as
// where a group allows no reactions.
func (b *Bot) React(in question.ChatID, message question.PostedID, emoji string, done func(error)) {
	b.enqueue(in, noteLane, job{free: true, run: func(ctx context.Context, c *chat, err error) {
		if err != nil {
			done(err) // the Bot is closed
			return
		}
		ctx, cancel := context.WithTimeout(ctx, answerTimeout)
		defer cancel()
		list := []map[string]string{}
		if emoji != "" {
			list = append(list, map[string]string{"type": "emoji", "emoji": emoji})
		}
		var ok bool
		err = b.client.call(ctx, "setMessageReaction", map[string]any{
			"chat_id": c.id, "message_id": message, "reaction": list,
		}, &ok)
		if err != nil {
			done(b.typed("setMessageReaction", err))
			return
		}
		done(nil)
	}})
}
