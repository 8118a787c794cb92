package sessions

import (
	"slices"
	"sync"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/loop"
)

// What is written right after /use or /new is meant for the session that it settles on,
// and OpenCode may take seconds to say which. So what comes later in the chat is held
// until then; if it comes to nothing, until the chat says so. A crash meanwhile loses
// nothing, as all of it stays in the inbox.

// pendingChoices knows the inputs that may still change what a chat uses, and holds what came
// after them. isOpen and noteOpen may be called from anywhere, in the order of the updates; the
// rest is for the loop.
type pendingChoices struct {
	loop *loop.Loop

	mu   sync.Mutex
	open map[chat.ID][]chat.UpdateID

	current map[chat.ID]*choice        // that are worked on
	missed  map[chat.ID]chat.MessageID // what said that the last one came to nothing
}

// choice is the input of a chat that is worked on and may change what the chat uses.
type choice struct {
	update  chat.UpdateID
	settled bool // else it came to nothing, and what follows it has no session
	held    []func(settled bool)
}

func newPendingChoices(l *loop.Loop) *pendingChoices {
	return &pendingChoices{
		loop: l, open: map[chat.ID][]chat.UpdateID{},
		current: map[chat.ID]*choice{}, missed: map[chat.ID]chat.MessageID{},
	}
}

// noteOpen notes an input that may change what its chat uses. It may be said more than once.
func (p *pendingChoices) noteOpen(in inbound.Input) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.open[in.Chat], in.Update) {
		p.open[in.Chat] = append(p.open[in.Chat], in.Update)
	}
}

func (p *pendingChoices) isOpen(chat chat.ID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open[chat]) > 0
}

func (p *pendingChoices) noteClosed(chatID chat.ID, id chat.UpdateID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[chatID] = slices.DeleteFunc(p.open[chatID], func(other chat.UpdateID) bool { return other == id })
	if len(p.open[chatID]) == 0 {
		delete(p.open, chatID)
	}
}

// runAfter calls f when the choice that its chat works on is made, if there is one: settled says
// whether that came to something. Buttons that choose nothing need not wait.
func (p *pendingChoices) runAfter(in inbound.Input, f func(settled bool)) {
	c := p.current[in.Chat]
	if c != nil && (in.Kind != inbound.Tapped || isChoice(in)) {
		c.held = append(c.held, f)
		return
	}
	f(true)
}

// startChoice notes that an input is worked on, if it may change what its chat uses.
func (p *pendingChoices) startChoice(in inbound.Input) {
	if isChoice(in) {
		p.current[in.Chat] = &choice{update: in.Update, settled: keepsSession(in)}
	}
}

// markSettled notes that an input has changed what its chat uses.
func (p *pendingChoices) markSettled(in inbound.Input) {
	if !isChoice(in) {
		return
	}
	if c := p.current[in.Chat]; c != nil && c.update == in.Update {
		c.settled = true
	}
	delete(p.missed, in.Chat)
}

// noteMiss notes which message said that a choice came to nothing: what was written above it
// was written without knowing. Telegram numbers the messages of a chat in their order.
func (p *pendingChoices) noteMiss(in inbound.Input, shown []chat.MessageID) {
	c := p.current[in.Chat]
	if c != nil && c.update == in.Update && !c.settled && in.Kind == inbound.Typed && len(shown) > 0 {
		p.missed[in.Chat] = shown[0]
	}
}

// isAboveMiss reports whether an input was written before its chat said that a choice came
// to nothing.
func (p *pendingChoices) isAboveMiss(in inbound.Input) bool { return in.Message < p.missed[in.Chat] }

// release runs what was held for an input. Idempotent.
func (p *pendingChoices) release(in inbound.Input) {
	if c := p.current[in.Chat]; c != nil && c.update == in.Update {
		p.loop.Post(func() { p.runHeld(in.Chat, c) })
	}
}

func (p *pendingChoices) runHeld(chat chat.ID, c *choice) {
	if p.current[chat] != c {
		return
	}
	delete(p.current, chat)
	p.noteClosed(chat, c.update)
	for i, f := range c.held {
		if next := p.current[chat]; next != nil {
			next.held = append(next.held, c.held[i:]...)
			return
		}
		f(c.settled)
	}
}

// isChoice reports whether an input may change what its chat uses, or how.
func isChoice(in inbound.Input) bool {
	if in.Kind == inbound.Tapped {
		k := in.Button.Kind
		return k == inbound.ButtonUse || k == inbound.ButtonNew || keepsSession(in)
	}
	some := arguments(in.Text) != ""
	switch {
	case in.Kind != inbound.Typed:
		return false
	case in.Command == "use":
		return some || in.ReplyTo != 0
	case in.Command == "agent", in.Command == "model":
		return some
	}
	return in.Command == "new"
}

// keepsSession reports whether an input that isChoice may change only how the chat uses its session.
func keepsSession(in inbound.Input) bool {
	if in.Kind == inbound.Tapped {
		return in.Button.Kind == inbound.ButtonAgent || in.Button.Kind == inbound.ButtonModel
	}
	return in.Command == "agent" || in.Command == "model"
}

// isPlain reports whether an input names no session and no command: it is for the session
// that the chat uses.
func isPlain(in inbound.Input) bool {
	written := in.Kind == inbound.Typed || in.Kind == inbound.Attached
	return written && in.ReplyTo == 0 && (in.Command == "" || in.Kind == inbound.Attached)
}
