package telegram

import (
	"context"
	"errors"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/telegram/botapi"
	"hermes/telegram/markup"
	"hermes/telegram/outbox"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

// Show makes the chat show the post. It never blocks: the post waits in the
// chat's queue, before everything but other posts, those of other sources in turns, and its View is taken when it is
// its turn, so a card that changes meanwhile is edited once.
//
// done is called once, from another goroutine. Shown.Messages is what the chat
// shows then, also on failure: parts that were sent stay, and a message that
// somebody deleted is left out (with a MessageGone error), so the next try mends
// what is missing. An empty list with an error means that nothing is left there
// and the card must be posted anew. Errors are *Error.
func (b *Bot) Show(p outbound.Post, done func(outbound.Shown)) {
	first := outbox.Edit
	if len(p.Messages) == 0 {
		first = outbox.Message
	}
	b.out.Enqueue(p.Chat, outbox.Cards, outbox.Job{Source: p.Source, First: first, Ask: len(p.Messages) == 0, Run: func(ctx context.Context, c *outbox.Chat, err error) {
		if err != nil {
			done(outbound.Shown{Messages: p.Messages, Unfiled: p.Unfiled, Err: err})
			return
		}
		done(b.showNow(ctx, c, p))
	}})
}

// showNow makes one attempt at a post.
func (b *Bot) showNow(ctx context.Context, c *outbox.Chat, p outbound.Post) outbound.Shown {
	v, wanted := p.View()
	if !wanted {
		return outbound.Shown{}
	}
	v.Claimable = v.Claimable && p.Chat < 0                  // a group's id is negative (Bot API); alone, nobody else may be on it
	mine := v.Owner.ID == 0 || chat.ID(v.Owner.ID) == p.Chat // a private chat's id is its person's (Bot API, Chat.id)
	v.LateTo = v.LateTo && b.drives != nil && b.drives() && mine
	v.Newcomer = p.Newcomer
	if b.withhold {
		v = v.Withhold()
	}
	d := &display{
		sender: b.sender, chat: c, topic: p.Topic, thread: p.Thread, words: b.texts.table(c.ID(), ""),
		shown: slices.Clone(p.Messages), unfiled: p.Unfiled && len(p.Messages) > 0,
		sounds: func(part, buttons int) bool { return part == buttons && !p.Silent },
		stale:  func() bool { return p.Stale != nil && p.Stale(v.Rev) },
	}
	err := d.bringUpToDate(ctx, ui.Render(v, d.words, time.Now()))
	s := outbound.Shown{Messages: d.shown, Unfiled: d.unfiled, Err: err}
	var e *Error
	switch {
	case err == nil:
		s.Rev, s.At = v.Rev, d.sent.at
	case errors.As(err, &e):
		s.RetryAfter, s.Refused, s.MovedTo = e.RetryAfter, e.Refused(), e.MovedTo
	}
	return s
}

// display makes the messages of a chat show a body.
type display struct {
	sender *sender
	chat   *outbox.Chat
	topic  int
	reply  chat.MessageID // that the first new message replies to; 0: to none
	thread question.ID    // that the buttons belong to
	words  words.Table
	sounds func(part, buttons int) bool // whether a new message makes a sound; buttons is the part that has them
	stale  func() bool                  // asked between new messages: whether the body has changed meanwhile
	anew   bool                         // a message that somebody deleted is sent again at once

	shown   []chat.MessageID // what shows the body now
	unfiled bool             // the chat takes no file, and the body has one
	filed   bool             // the first message is the file: it was sent now
	room    int              // UTF-16 units in a message
	sent    sentMessage      // the last new message
}

// leastRoom is how small the parts of a body become that Telegram calls too long.
const leastRoom = markup.MaxUnits / 8

// halfOf is the room in which a text that needs all of it takes two messages.
func halfOf(room int) int { return (room+1)/2 + markup.Units(markup.More) }

// bringUpToDate makes the chat show the body. What Telegram calls too long it gets in smaller parts, never as it was.
func (d *display) bringUpToDate(ctx context.Context, body ui.Body) error {
	if body.File != "" && len(d.shown) == 0 {
		if err := d.sendFile(ctx, body); err != nil {
			return err
		}
	}
	if d.unfiled && body.Unfiled != nil {
		body = *body.Unfiled
	}
	for d.room = markup.MaxUnits; ; {
		err := d.showParts(ctx, body)
		switch {
		case err != nil && botapi.ReasonOf(err) == botapi.TooLong && d.room > leastRoom:
			d.room = halfOf(d.room)
		case err != nil && botapi.ReasonOf(err) == botapi.MessageGone && d.anew:
		default:
			return err
		}
	}
}

// showParts edits the messages that are there, the one with the buttons first, and sends those that are missing, as long as the
// body has not changed meanwhile. Those that are not needed become a short line that points to the others.
func (d *display) showParts(ctx context.Context, body ui.Body) error {
	body.Parts = d.partsThatFit(body.Parts)
	texts := d.editableMessages(body)
	want := d.wantedMessages(body, len(texts))
	there := min(len(texts), len(want))
	for n := range there {
		i := n
		if !body.First {
			i = there - 1 - n
		}
		err := d.edit(ctx, texts[i], want[i])
		if err != nil && botapi.ReasonOf(err) == botapi.NoText && body.File != "" { // it is the file
			texts = nil
		} else if err != nil {
			return err
		}
	}
	for i := len(texts); i < len(want); i++ {
		if d.sent.id != 0 && d.stale != nil && d.stale() {
			return nil
		}
		want[i].silent = !d.sounds(i, buttonsAt(body, len(want)))
		if i == 0 {
			want[i].reply = d.reply
		}
		if err := d.send(ctx, want[i]); err != nil {
			return err
		}
	}
	return nil
}

// partsThatFit are the parts, cut where there is less room than usual. From then on the room is what the longest takes.
func (d *display) partsThatFit(whole []markup.Text) (parts []markup.Text) {
	for _, part := range whole {
		parts = append(parts, markup.SplitTo(part, d.room)...)
	}
	d.room = 0
	for _, part := range parts {
		d.room = max(d.room, part.Units())
	}
	return parts
}

// editableMessages are the messages that can be edited: all but the file. One message alone that was
// there before may be the file, or a copy without it that somebody tapped.
func (d *display) editableMessages(body ui.Body) []chat.MessageID {
	if body.File != "" && (len(d.shown) > 1 || d.filed) {
		return slices.Clone(d.shown[1:])
	}
	return slices.Clone(d.shown)
}

// wantedMessages are what the messages should be, for as many as there are, or more. One has the buttons, and all
// others lose those that they may have: an earlier hermes put them below the last message of a permission.
func (d *display) wantedMessages(body ui.Body, have int) []message {
	var want, spare []message
	for _, part := range body.Parts {
		want = append(want, message{text: part, topic: d.topic})
	}
	for range have - len(body.Parts) {
		spare = append(spare, message{text: markup.Plain(d.pointer(body.First))})
	}
	if body.First {
		want = append(want, spare...)
	} else {
		want = append(spare, want...)
	}
	if len(want) > 0 {
		want[buttonsAt(body, len(want))].keys = inlineKeyboard(body.Rows, d.thread)
	}
	return want
}

// pointer is what stands in place of a part that is not needed any more.
func (d *display) pointer(above bool) string {
	if above {
		return "↑ " + d.words.SeeAbove
	}
	return "↓ " + d.words.Below
}

// buttonsAt is which of the messages has the buttons.
func buttonsAt(body ui.Body, messages int) int {
	if body.First {
		return 0
	}
	return messages - 1
}

// sendFile sends the file of a body, unless the chat takes none. One that is all replies.
func (d *display) sendFile(ctx context.Context, body ui.Body) error {
	if d.unfiled = d.sender.takesNoFile(d.chat); d.unfiled {
		return nil
	}
	file := document{name: body.FileName, text: body.File, caption: body.Caption, topic: d.topic}
	if len(body.Parts) == 0 {
		file.reply = d.reply
	}
	id, err := d.sender.sendFile(ctx, d.chat, file)
	switch {
	case err == nil:
		d.shown, d.filed = append(d.shown, id), true
	case d.sender.takesNoFile(d.chat):
		d.unfiled = true
		return nil
	}
	return err
}

// send sends one more message.
func (d *display) send(ctx context.Context, m message) error {
	p, err := d.sender.send(ctx, d.chat, m)
	if err == nil {
		d.shown, d.sent = append(d.shown, p.id), p
	}
	return err
}

// edit leaves a message that is gone out of what is shown.
func (d *display) edit(ctx context.Context, id chat.MessageID, m message) error {
	err := d.sender.edit(ctx, d.chat, id, m)
	if err != nil && botapi.ReasonOf(err) == botapi.MessageGone {
		d.shown = slices.DeleteFunc(d.shown, func(s chat.MessageID) bool { return s == id })
	}
	return err
}
