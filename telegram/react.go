package telegram

import (
	"context"

	"hermes/question"
)

// React puts an emoji under a person's message, in place of the one that is there; it
// must be of those that Bot API ReactionTypeEmoji names, such as 👀 and 👍. It waits in
// the chat's queue and never blocks, takes no turn from messages, and is tried once: a
// failure is only logged, for the words beside it say the same.
func (b *Bot) React(in question.ChatID, message question.PostedID, emoji string) {
	b.enqueue(in, func(ctx context.Context, c *chat, err error) {
		if err != nil {
			return // the Bot is closed
		}
		// The turn that it waited for stays for the next message.
		ctx, cancel := context.WithTimeout(ctx, answerTimeout)
		defer cancel()
		var done bool
		err = b.client.call(ctx, "setMessageReaction", map[string]any{
			"chat_id": c.id, "message_id": message,
			"reaction": []map[string]string{{"type": "emoji", "emoji": emoji}},
		}, &done)
		if err != nil {
			e := b.typed("setMessageReaction", err)
			b.log.Warn("a reaction was not set", "chat", c.id, "op", e.Op, "reason", e.Reason, "err", e)
		}
	})
}
