package sessions

import (
	"time"
	"unicode/utf16"

	"hermes/internal/question"
)

// Telegram's clients cut a text of more than 4096 characters into several messages, at
// a space or line break before that; the later ones reply to the same message or to
// none. So a text that is almost as long may go on: its rest is waited for, and joined
// to it. A crash meanwhile loses nothing, as the parts stay in the inbox.
const (
	almostFull = 3500 // UTF-16 units, as clients count
	restWithin = 1500 * time.Millisecond
	sentWithin = 3 * time.Second // by Telegram's clock, which has whole seconds
)

// writer is one person in one topic of a chat.
type writer struct {
	chat  question.ChatID
	topic int
	user  question.UserID
}

func writerOf(in question.Input) writer { return writer{in.Chat, in.Topic, in.User.ID} }

// begun is where a text that may go on belongs, and when it was written.
type begun struct {
	to      target
	sent    time.Time
	replyTo question.PostedID
}

// partial is such a text.
type partial struct {
	in      question.Input
	to      target
	text    string
	noReply bool
	timer   *time.Timer
}

func full(text string) bool { return len(utf16.Encode([]rune(text))) >= almostFull }

// goesOn says which session a text belongs to that may be the rest of one before it.
// It is called beside the loop, in the order of the updates.
func (d *Desk) goesOn(in question.Input) (target, bool) {
	value, ok := d.begun.LoadAndDelete(writerOf(in))
	if !ok || in.Command != "" {
		return target{}, false
	}
	b := value.(begun)
	rest := in.Sent.Sub(b.sent) <= sentWithin && (in.ReplyTo == 0 || in.ReplyTo == b.replyTo)
	return b.to, rest
}

// mayGoOn remembers a text that is almost full.
func (d *Desk) mayGoOn(in question.Input, to target) {
	if in.Kind == question.Typed && full(in.Text) {
		d.begun.Store(writerOf(in), begun{to, in.Sent, in.ReplyTo})
	}
}

// goesOn reports whether an input can be more of the text. A reply to something else is
// none, as it may be for another prompt to the same session, or for a question.
func (p *partial) goesOn(in question.Input, to target) bool {
	return in.Command == "" && in.Sent.Sub(p.in.Sent) <= sentWithin && (in.ReplyTo == 0 || in.ReplyTo == p.in.ReplyTo) &&
		p.to.session == to.session && p.to.answers == to.answers
}

// gather joins the parts of a text, and passes it on when it is complete.
func (d *Desk) gather(in question.Input, to target, text string, noReply bool) {
	w := writerOf(in)
	p := d.parts[w]
	if p != nil && !p.goesOn(in, to) {
		d.complete(w)
		p = nil
	}
	if p == nil {
		p = &partial{in: in, to: to, text: text, noReply: noReply}
		d.parts[w] = p
	} else {
		p.timer.Stop()
		p.text += "\n" + text
		d.with[p.in.Update] = append(d.with[p.in.Update], in)
		p.in.Sent = in.Sent
	}
	if !full(text) || d.ctx == nil {
		d.complete(w)
		return
	}
	p.timer = d.after(restWithin, func() {
		if d.parts[w] == p {
			d.complete(w)
		}
	})
}

// complete makes a prompt of what was gathered.
func (d *Desk) complete(w writer) {
	p := d.parts[w]
	delete(d.parts, w)
	if p.timer != nil {
		p.timer.Stop()
	}
	if p.to.answers != "" {
		d.lateSaid(p.in, p.to, p.text)
		return
	}
	d.accept(p.in, p.to, question.Prompt{Parts: []question.Part{{Text: p.text}}, NoReply: p.noReply})
}
