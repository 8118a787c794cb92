package bridge

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// writer is one person in one chat.
type writer struct {
	chat chat.ID
	user chat.UserID
}

// partialText is the beginning of a text that may be continued.
type partialText struct {
	live  *liveThread
	input inbound.Input
	used  []chat.UpdateID
	full  bool // the last part may be continued
	timer *time.Timer
}

// gather gives a text to its thread as soon as it is complete.
func (k *intake) gather(l *liveThread, in inbound.Input) {
	p := &partialText{live: l, input: in, used: []chat.UpdateID{in.Update}, full: inbound.MayBeContinued(in.Text)}
	k.holdPartial(writer{in.Chat, in.User.ID}, p)
}

// joinPartial joins a text to the one that the same person began just before. It reports
// false if the text cannot belong to one: then the text is not joined to any, and what
// was begun is complete.
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
	p.full = inbound.MayBeContinued(in.Text)
	p.input.Sent = in.Sent
	k.holdPartial(w, p)
	return true
}

// mayGoOnWith reports whether the text can be the rest of p.
func (p *partialText) mayGoOnWith(in inbound.Input) bool {
	return in.Topic == p.input.Topic && in.CanContinue(p.input)
}

// holdPartial waits for the rest of a text whose last part may be continued.
func (k *intake) holdPartial(w writer, p *partialText) {
	if !p.full || !k.loop.Running() {
		k.answers.takeText(p.live, p.input, p.used)
		return
	}
	k.partials[w] = p
	p.timer = k.loop.After(inbound.RestWithin, func() {
		if k.partials[w] == p {
			delete(k.partials, w)
			k.answers.takeText(p.live, p.input, p.used)
		}
	})
}
