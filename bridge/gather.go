package bridge

import (
	"time"
	"unicode/utf16"

	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// Telegram's clients cut a text of more than 4096 characters into several
// messages, at a space or line break before that. So a text that is almost as long
// may go on: hermes waits for the rest, and joins it. A crash meanwhile loses
// nothing, as the parts stay in the inbox.
const (
	almostFull = 3500 // UTF-16 units, as clients count
	restWithin = 1500 * time.Millisecond
	sentWithin = 3 * time.Second // by Telegram's clock, which has whole seconds
)

// writer is one person in one chat.
type writer struct {
	chat chat.ID
	user chat.UserID
}

// partialText is the beginning of a text that may go on.
type partialText struct {
	live  *liveThread
	input inbound.Input
	used  []chat.UpdateID
	full  bool // the last part is almost full
	timer *time.Timer
}

// gather gives a text to its thread as soon as it is complete.
func (k *intake) gather(l *liveThread, in inbound.Input) {
	p := &partialText{live: l, input: in, used: []chat.UpdateID{in.Update}, full: isAlmostFull(in.Text)}
	k.holdPartial(writer{in.Chat, in.User.ID}, p)
}

// joinPartial joins a text to the one that the same person began just before. It
// reports false when there is none that it can belong to: then the text stands for
// itself, and what was begun is complete.
func (k *intake) joinPartial(in inbound.Input) bool {
	w := writer{in.Chat, in.User.ID}
	p := k.partials[w]
	if p == nil {
		return false
	}
	p.timer.Stop()
	delete(k.partials, w)
	if !p.mayGoOnWith(in) {
		k.answers.takeText(p.live, p.input, p.used)
		return false
	}
	p.input.Text += "\n" + in.Text
	p.used = append(p.used, in.Update)
	p.full = isAlmostFull(in.Text)
	p.input.Sent = in.Sent
	k.holdPartial(w, p)
	return true
}

// mayGoOnWith reports whether the text can be the rest of p: a client sends the parts
// within moments, the later ones as replies to the same message or to none.
func (p *partialText) mayGoOnWith(in inbound.Input) bool {
	answersSame := in.ReplyTo == 0 || in.ReplyTo == p.input.ReplyTo
	return answersSame && in.Topic == p.input.Topic && in.Sent.Sub(p.input.Sent) <= sentWithin
}

func isAlmostFull(text string) bool { return len(utf16.Encode([]rune(text))) >= almostFull }

// holdPartial waits for the rest of a text whose last part is almost full.
func (k *intake) holdPartial(w writer, p *partialText) {
	if !p.full || !k.loop.Running() {
		k.answers.takeText(p.live, p.input, p.used)
		return
	}
	k.partials[w] = p
	p.timer = k.loop.After(restWithin, func() {
		if k.partials[w] == p {
			delete(k.partials, w)
			k.answers.takeText(p.live, p.input, p.used)
		}
	})
}
