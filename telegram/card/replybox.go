package card

import (
	"time"

	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/telegram/callback"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// ReplyBox is the message that opens a reply box.
type ReplyBox struct {
	Text        markup.Text
	Placeholder string // in the box while it is empty
}

// RenderReplyBox says which question the box is for and, in a group, whose box it is: there Telegram opens it for those
// alone whom the text mentions (Bot API ForceReply.selective).
func RenderReplyBox(p outbound.BoxPost, w words.Table, now time.Time) ReplyBox {
	v := newFrame(p.View, w, now)
	say, holder := w.Reply, w.Holder
	if v.Request.Permission != nil {
		say, holder = w.Permission.Reply, w.Permission.Holder
	}
	header := v.name()
	if v.Request.Permission == nil && v.Wizard.Step < len(v.Request.Items) {
		header = v.itemName(v.Wizard.Step)
	}
	line := markup.Plain(say)
	if p.Chat < 0 { // a group
		name := personName(question.Actor{User: p.User.ID, Name: p.User.Name}).String()
		line = append(markup.Text{{Text: name, Mention: p.User.ID}, {Text: w.Colon}}, line...)
	}
	return ReplyBox{Text: markup.Join("\n", v.headline(callback.ReplyBoxSign, header), line), Placeholder: holder}
}
