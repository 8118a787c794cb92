package sessions

import (
	"slices"
	"sync"

	"hermes/internal/loop"
	"hermes/internal/question"
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
	open map[question.ChatID][]question.UpdateID

	current map[question.ChatID]*choice           // that are worked on
	missed  map[question.ChatID]question.PostedID // what said that the last one came to nothing
}

// choice is the input of a chat that is worked on and may change what the chat uses.
type choice struct {
	update  question.UpdateID
	settled bool // else it came to nothing, and what follows it has no session
	held    []func(settled bool)
}

func newPendingChoices(l *loop.Loop) *pendingChoices {
	return &pendingChoices{
		loop: l, open: map[question.ChatID][]question.UpdateID{},
		current: map[question.ChatID]*choice{}, missed: map[question.ChatID]question.PostedID{},
	}
}

// noteOpen notes an input that may change what its chat uses. It may be said more than once.
func (p *pendingChoices) noteOpen(in question.Input) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.open[in.Chat], in.Update) {
		p.open[in.Chat] = append(p.open[in.Chat], in.Update)
	}
}

func (p *pendingChoices) isOpen(chat question.ChatID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open[chat]) > 0
}

func (p *pendingChoices) noteClosed(chat question.ChatID, id question.UpdateID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[chat] = slices.DeleteFunc(p.open[chat], func(other question.UpdateID) bool { return other == id })
	if len(p.open[chat]) == 0 {
		delete(p.open, chat)
	}
}

// runAfter calls f when the choice that its chat works on is made, if there is one: settled says
// whether that came to something. Buttons that choose nothing need not wait.
func (p *pendingChoices) runAfter(in question.Input, f func(settled bool)) {
	c := p.current[in.Chat]
	if c != nil && (in.Kind != question.Tapped || isChoice(in)) {
		c.held = append(c.held, f)
		return
	}
	f(true)
}

// startChoice notes that an input is worked on, if it may change what its chat uses.
func (p *pendingChoices) startChoice(in question.Input) {
	if isChoice(in) {
		p.current[in.Chat] = &choice{update: in.Update, settled: in.Command == "agent" || in.Command == "model"}
	}
}

// markSettled notes that an input has changed what its chat uses.
func (p *pendingChoices) markSettled(in question.Input) {
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
func (p *pendingChoices) noteMiss(in question.Input, shown []question.PostedID) {
	c := p.current[in.Chat]
	if c != nil && c.update == in.Update && !c.settled && in.Kind == question.Typed && len(shown) > 0 {
		p.missed[in.Chat] = shown[0]
	}
}

// isAboveMiss reports whether an input was written before its chat said that a choice came
// to nothing.
func (p *pendingChoices) isAboveMiss(in question.Input) bool { return in.Message < p.missed[in.Chat] }

// release runs what was held for an input. Idempotent.
func (p *pendingChoices) release(in question.Input) {
	if c := p.current[in.Chat]; c != nil && c.update == in.Update {
		p.loop.Post(func() { p.runHeld(in.Chat, c) })
	}
}

func (p *pendingChoices) runHeld(chat question.ChatID, c *choice) {
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
func isChoice(in question.Input) bool {
	if in.Kind == question.Tapped {
		return in.Order.Kind == question.OrderUse || in.Order.Kind == question.OrderNew
	}
	some := arguments(in.Text) != ""
	switch {
	case in.Kind != question.Typed:
		return false
	case in.Command == "use":
		return some || in.ReplyTo != 0
	case in.Command == "agent", in.Command == "model":
		return some
	}
	return in.Command == "new"
}

// isPlain reports whether an input names no session and no command: it is for the session
// that the chat uses.
func isPlain(in question.Input) bool {
	written := in.Kind == question.Typed || in.Kind == question.Attached
	return written && in.ReplyTo == 0 && (in.Command == "" || in.Kind == question.Attached)
}
