package telegram

import (
	"context"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/telegram/botapi"
	"hermes/telegram/outbox"
	"hermes/telegram/sessionview"
)

// Tell shows a message about sessions, in the chat's queue and after what is asked
// there. It never blocks. What only answers a command fails with Full where too much
// waits already. With Edit it changes that message, or sends a new one if
// that is gone. done is called once, from another goroutine, with all messages that
// the chat shows then; the error is an *Error. It makes one attempt, for those messages
// that are not in Shown.
func (b *Bot) Tell(t remote.Message, done func(remote.MessageShown)) {
	b.out.Enqueue(t.Chat, outbox.Notes, outbox.Job{Reply: onlyReplies(t.Kind), Run: func(ctx context.Context, c *outbox.Chat, err error) {
		if err != nil {
			done(remote.MessageShown{Err: err})
			return
		}
		done(b.tellNow(ctx, c, t))
	}})
}

// onlyReplies reports whether a message only answers a command and changes nothing: it can be
// asked for again.
func onlyReplies(k remote.MessageKind) bool {
	switch k {
	case remote.TellSessions, remote.TellStatus, remote.TellPending, remote.TellHelp, remote.TellUnknown,
		remote.TellLast, remote.TellDiff, remote.TellChanges, remote.TellTodo, remote.TellRun, remote.TellWhere,
		remote.TellOffline, remote.TellFailed, remote.TellNoRight:
		return true
	}
	return false
}

// tellNow makes one attempt.
func (b *Bot) tellNow(ctx context.Context, c *outbox.Chat, t remote.Message) remote.MessageShown {
	made := sessionview.Render(t, b.texts.table(t.Chat, t.Lang), time.Now())
	if t.Remove {
		return remote.MessageShown{Err: b.removeNow(ctx, c, t.Edit, messagePart(made, 0, t))}
	}
	shown := remote.MessageShown{Messages: slices.Clone(t.Shown), Unfiled: t.Unfiled && len(t.Shown) > 0}
	if made.File != "" && len(t.Shown) == 0 {
		if shown = b.tellFile(ctx, c, t.Topic, made); shown.Err != nil {
			return shown
		}
	}
	there := len(t.Shown) // of the parts
	switch {
	case shown.Unfiled && made.File != "":
		made.Parts = made.WithoutFile
	case made.File != "":
		there = max(there-1, 0)
	}
	for i := there; i < len(made.Parts); i++ {
		id, err := b.changeOrSend(ctx, c, t.Edit, messagePart(made, i, t))
		if err != nil {
			shown.Err = err
			return shown
		}
		shown.Messages, t.Edit = append(shown.Messages, id), 0
	}
	return shown
}

// removeNow takes a message away, or changes it where that cannot be done. One that is gone already is as it should be.
func (b *Bot) removeNow(ctx context.Context, c *outbox.Chat, id chat.MessageID, otherwise message) error {
	err := b.sender.remove(ctx, c, id, otherwise)
	if err != nil && botapi.ReasonOf(err) == botapi.MessageGone {
		return nil
	}
	return err
}

// tellFile sends the file, unless the chat takes none.
func (b *Bot) tellFile(ctx context.Context, c *outbox.Chat, topic int, made sessionview.Message) remote.MessageShown {
	if b.sender.takesNoFile(c) {
		return remote.MessageShown{Unfiled: true}
	}
	id, err := b.sender.sendFile(ctx, c, topic, made.FileName, made.File, "")
	switch {
	case err == nil:
		return remote.MessageShown{Messages: []chat.MessageID{id}}
	case b.sender.takesNoFile(c):
		return remote.MessageShown{Unfiled: true}
	}
	return remote.MessageShown{Err: err}
}

// messagePart is a part as a message: the first one replies, and may make a sound; the last one has the buttons.
func messagePart(made sessionview.Message, i int, to remote.Message) message {
	m := message{text: made.Parts[i], topic: to.Topic, silent: to.Silent || i > 0}
	if i == 0 {
		m.reply = to.ReplyTo
	}
	if i == len(made.Parts)-1 {
		m.keys = inlineKeyboard(made.Rows, "")
	}
	return m
}

// changeOrSend changes a message, or sends a new one where there is none to change.
func (b *Bot) changeOrSend(ctx context.Context, c *outbox.Chat, id chat.MessageID, m message) (chat.MessageID, error) {
	if id != 0 {
		err := b.sender.edit(ctx, c, id, m)
		if err == nil || botapi.ReasonOf(err) != botapi.MessageGone {
			return id, err
		}
	}
	p, err := b.copies.sendOnce(ctx, c, m)
	return p.id, err
}
