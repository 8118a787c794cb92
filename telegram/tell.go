package telegram

import (
	"context"
	"slices"
	"time"

	"github.com/go-telegram/bot/models"

	"hermes/question"
)

// told is a message about sessions, ready to be sent.
type told struct {
	file  string // for a document before the parts; empty: none
	name  string // of the file
	parts []rich // at least one; the last has the buttons
	rows  [][]orderButton

	unfiled []rich // with file: the parts where the chat takes none, which say what is missing
}

// orderButton is a button about sessions.
type orderButton struct {
	label string
	order question.Order
	style string
}

// Tell shows a message about sessions, in the chat's queue and after what is asked
// there. It never blocks. What only answers a command fails with Full where too much
// waits already. With Edit it changes that message, or sends a new one if
// that is gone. done is called once, from another goroutine, with all messages that
// the chat shows then; the error is an *Error. It makes one attempt, for those messages
// that are not in Shown.
func (b *Bot) Tell(t question.Telling, done func([]question.PostedID, error)) {
	b.enqueue(t.Chat, noteLane, job{reply: onlyReplies(t.Kind), run: func(ctx context.Context, c *chat, err error) {
		if err != nil {
			done(nil, err)
			return
		}
		done(b.tell(ctx, c, t))
	}})
}

// onlyReplies reports whether a message only answers a command and changes nothing: it can be
// asked for again.
func onlyReplies(k question.TellingKind) bool {
	switch k {
	case question.TellSessions, question.TellStatus, question.TellPending, question.TellHelp, question.TellUnknown,
		question.TellLast, question.TellDiff, question.TellTodo, question.TellRun, question.TellWhere,
		question.TellOffline, question.TellFailed, question.TellNoRight:
		return true
	}
	return false
}

func (b *Bot) tell(ctx context.Context, c *chat, t question.Telling) ([]question.PostedID, error) {
	shown := tellingOf(t, b.words(t.Chat, t.Lang), time.Now())
	ids := slices.Clone(t.Shown)
	if shown.file != "" && len(ids) == 0 && !c.unfiled() {
		id, err := b.sendFile(ctx, c, t.Topic, shown.name, shown.file, "")
		if err != nil && !c.unfiled() {
			return nil, err
		}
		if err == nil {
			ids = append(ids, id)
		}
	}
	if shown.file != "" && len(ids) == 0 {
		shown.file, shown.parts = "", shown.unfiled
	}
	files := 0
	if shown.file != "" {
		files = 1
	}
	for i, part := range shown.parts {
		if files+i < len(t.Shown) {
			continue
		}
		m := message{text: part, topic: t.Topic, silent: t.Silent || i > 0}
		if i == 0 {
			m.reply = t.ReplyTo
		}
		if i == len(shown.parts)-1 {
			m.keys = orderMarkup(shown.rows)
		}
		id, err := b.put(ctx, c, t.Edit, m)
		if err != nil {
			return ids, err
		}
		ids, t.Edit = append(ids, id), 0
	}
	return ids, nil
}

// put changes a message, or sends a new one where there is none to change.
func (b *Bot) put(ctx context.Context, c *chat, id question.PostedID, m message) (question.PostedID, error) {
	if id != 0 {
		err := b.edit(ctx, c, id, m)
		if err == nil || reasonOf(err) != MessageGone {
			return id, err
		}
	}
	p, err := b.sendTold(ctx, c, m)
	return p.id, err
}

// orderMarkup makes the keyboard, or nil for none.
func orderMarkup(rows [][]orderButton) *models.InlineKeyboardMarkup {
	keys := &models.InlineKeyboardMarkup{}
	for _, row := range rows {
		var out []models.InlineKeyboardButton
		for _, btn := range row {
			if data := encodeOrder(btn.order); data != "" {
				out = append(out, models.InlineKeyboardButton{Text: btn.label, CallbackData: data, Style: btn.style})
			}
		}
		if len(out) > 0 {
			keys.InlineKeyboard = append(keys.InlineKeyboard, out)
		}
	}
	if len(keys.InlineKeyboard) == 0 {
		return nil
	}
	return keys
}
