package telegram

import (
	"context"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/telegram/card"
	"hermes/telegram/outbox"
)

// Note sends a short message, in the chat's queue and with sound. It never
// blocks. What belongs to a card, a reminder or a step that is asked again, goes with the
// cards; everything else waits behind them, and fails with Full where too much waits
// already. done is called once, from another goroutine, with the message's id or an *Error.
func (b *Bot) Note(n outbound.Note, done func(chat.MessageID, error)) {
	lane := outbox.Notes
	if n.Kind == outbound.NoteRemind || n.Kind == outbound.NoteAskAgain {
		lane = outbox.Cards
	}
	b.out.Enqueue(n.Chat, lane, outbox.Job{Reply: isReply(n.Kind), Run: func(ctx context.Context, c *outbox.Chat, err error) {
		if err != nil {
			done(0, err)
			return
		}
		if b.withhold {
			n.View = n.View.Withhold()
		}
		text := card.Note(n, b.texts.table(n.Chat, n.Lang), time.Now())
		p, err := b.sender.send(ctx, c, message{text: text, topic: n.Topic, reply: n.ReplyTo})
		done(p.id, err)
	}})
}

// isReply reports whether a note only answers what somebody wrote to no effect.
func isReply(k outbound.NoteKind) bool {
	switch k {
	case outbound.NoteNothing, outbound.NoteWhich, outbound.NoteGreeting, outbound.NoteElsewhere, outbound.NoteStranger,
		outbound.NoteNoRole, outbound.NoteWrongRole, outbound.NoteNotOwner, outbound.NoteOwnAgent, outbound.NoteTaken, outbound.NoteNoFile, outbound.NoteClaimed, outbound.NoteUnsigned,
		outbound.NoteEnded, outbound.NoteForwarded, outbound.NotePaced, outbound.NoteMovedOn, outbound.NoteNoBox,
		outbound.NoteLinkCode, outbound.NoteLinkOther, outbound.NoteLinkNoURL:
		return true
	}
	return false
}
