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
	"hermes/telegram/card"
	"hermes/telegram/markup"
	"hermes/telegram/outbox"
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
	b.out.Enqueue(p.Chat, outbox.Cards, outbox.Job{Source: p.Source, Ask: len(p.Messages) == 0, Run: func(ctx context.Context, c *outbox.Chat, err error) {
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
	v.Claimable = v.Claimable && p.Chat < 0 // a group's id is negative (Bot API); alone, nobody else may be on it
	v.LateTo = v.LateTo && b.drives != nil && b.drives()
	v.Newcomer = p.Newcomer
	if b.withhold {
		v = v.Withhold()
	}
	d := &display{
		sender: b.sender, chat: c, post: p, view: v, words: b.texts.table(c.ID(), ""),
		shown: slices.Clone(p.Messages), withoutFile: p.Unfiled && len(p.Messages) > 0, after: b.Last(c.ID()),
	}
	err := d.bringUpToDate(ctx)
	s := outbound.Shown{Messages: d.shown, Rev: v.Rev, At: d.sent.at, After: d.after}
	if err != nil {
		s = failedToShow(d.shown, err)
		s.After, s.Unknown = d.after, s.Unknown && d.sending
	}
	s.Unfiled = d.withoutFile
	return s
}

// failedToShow reports an error as the caller needs it.
func failedToShow(shown []chat.MessageID, err error) outbound.Shown {
	s := outbound.Shown{Messages: shown, Err: err}
	var e *Error
	if errors.As(err, &e) {
		s.Unknown, s.RetryAfter, s.Refused, s.MovedTo = e.Unknown, e.RetryAfter, e.Refused(), e.MovedTo
	}
	return s
}

// display makes the messages of one card show what they should.
type display struct {
	sender      *sender
	chat        *outbox.Chat
	post        outbound.Post
	view        question.View
	words       words.Table
	shown       []chat.MessageID
	withoutFile bool           // the chat takes no file, and the card has something for one
	after       chat.MessageID // the highest id that was known in the chat before
	sending     bool           // a new message was tried
	sent        sentMessage    // the last new message
}

// markSending comes before each new message: that it may be in the chat is stored by then.
func (d *display) markSending(op string) error {
	if d.post.Mark != nil && !d.sending {
		if err := d.post.Mark(d.after); err != nil {
			return &Error{Op: op, Reason: botapi.Store, Detail: err.Error()}
		}
	}
	d.sending = true
	return nil
}

// bringUpToDate edits the messages that are there, the one with the buttons first, and
// sends those that are missing. When there are more than needed, the first ones
// become a short line that points below.
func (d *display) bringUpToDate(ctx context.Context) error {
	c := card.Render(d.view, d.words, time.Now())
	if c.File != "" && len(d.shown) == 0 {
		if err := d.sendFile(ctx, c); err != nil {
			return err
		}
	}
	if d.withoutFile {
		c = card.RenderWithoutFile(d.view, d.words, time.Now())
	}
	texts := d.editableMessages(c)
	want := d.wantedMessages(c, len(texts))
	for i := min(len(texts), len(want)) - 1; i >= 0; i-- {
		err := d.edit(ctx, texts[i], want[i])
		if err != nil && botapi.ReasonOf(err) == botapi.NoText && c.File != "" { // it is the file
			texts = nil
		} else if err != nil {
			return err
		}
	}
	for i := len(texts); i < len(want); i++ {
		want[i].silent = d.post.Silent || i < len(want)-1
		if err := d.send(ctx, want[i]); err != nil {
			return err
		}
	}
	return nil
}

// editableMessages are the messages that can be edited: all but the file. One message alone that was
// there before may be the file, or a copy without it that somebody tapped.
func (d *display) editableMessages(c card.Card) []chat.MessageID {
	if c.File != "" && (len(d.shown) > 1 || d.sending) {
		return slices.Clone(d.shown[1:])
	}
	return slices.Clone(d.shown)
}

// wantedMessages are what the card's messages should be, for as many as there are, or
// more. The last has the buttons.
func (d *display) wantedMessages(c card.Card, have int) []message {
	var want []message
	for range have - len(c.Parts) {
		want = append(want, message{text: markup.Plain("↓ " + d.words.Below)})
	}
	for _, part := range c.Parts {
		want = append(want, message{text: part, topic: d.post.Topic})
	}
	want[len(want)-1].keys = inlineKeyboard(c.Rows, d.post.Thread)
	return want
}

// sendFile sends the file of a card, unless the chat takes none.
func (d *display) sendFile(ctx context.Context, c card.Card) error {
	if d.withoutFile = d.sender.takesNoFile(d.chat); d.withoutFile {
		return nil
	}
	if err := d.markSending("sendDocument"); err != nil {
		return err
	}
	id, err := d.sender.sendFile(ctx, d.chat, d.post.Topic, c.FileName, c.File, c.Caption)
	switch {
	case err == nil:
		d.shown = append(d.shown, id)
	case d.sender.takesNoFile(d.chat):
		d.withoutFile = true
		return nil
	}
	return err
}

// send sends one more message.
func (d *display) send(ctx context.Context, m message) error {
	if err := d.markSending("sendMessage"); err != nil {
		return err
	}
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
