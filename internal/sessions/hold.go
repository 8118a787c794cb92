package sessions

import (
	"slices"
	"sync"

	"hermes/internal/question"
)

// What is written right after /use or /new is meant for the session that it settles on,
// and OpenCode may take seconds to say which. So what comes later in the chat is held
// until then; if it comes to nothing, until the chat says so. A crash meanwhile loses
// nothing, as all of it stays in the inbox.

// open knows the inputs that may still change what a chat uses. It is safe for concurrent
// use: it is asked beside the loop, in the order of the updates.
type open struct {
	mu  sync.Mutex
	all map[question.ChatID][]question.UpdateID
}

func newOpen() *open { return &open{all: map[question.ChatID][]question.UpdateID{}} }

func (o *open) begin(in question.Input) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !slices.Contains(o.all[in.Chat], in.Update) {
		o.all[in.Chat] = append(o.all[in.Chat], in.Update)
	}
}

func (o *open) end(chat question.ChatID, id question.UpdateID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all[chat] = slices.DeleteFunc(o.all[chat], func(other question.UpdateID) bool { return other == id })
	if len(o.all[chat]) == 0 {
		delete(o.all, chat)
	}
}

func (o *open) in(chat question.ChatID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.all[chat]) > 0
}

// choice is the input of a chat that is worked on and may change what the chat uses.
type choice struct {
	update  question.UpdateID
	settled bool // else it came to nothing, and what follows it has no session
	held    []func(settled bool)
}

// chooses reports whether an input may change what its chat uses, or how.
func chooses(in question.Input) bool {
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

// plain reports whether an input names no session and no command: it is for the session
// that the chat uses.
func plain(in question.Input) bool {
	written := in.Kind == question.Typed || in.Kind == question.Attached
	return written && in.ReplyTo == 0 && (in.Command == "" || in.Kind == question.Attached)
}

// inTurn acts on an input when what came before it in its chat is settled. Buttons that
// settle nothing need not wait.
func (d *Desk) inTurn(in question.Input, to target, may bool) {
	c := d.choices[in.Chat]
	if c != nil && (in.Kind != question.Tapped || chooses(in)) {
		c.held = append(c.held, func(settled bool) { d.proceed(in, to, may, settled) })
		return
	}
	d.proceed(in, to, may, true)
}

func (d *Desk) proceed(in question.Input, to target, may, settled bool) {
	if chooses(in) {
		d.choices[in.Chat] = &choice{update: in.Update, settled: in.Command == "agent" || in.Command == "model"}
	}
	unseen := in.Message < d.missed[in.Chat] && (to.session == "" || in.ReplyTo == 0)
	if may && (!settled && to.session == "" || unseen) && (plain(in) || aboutOne(in)) {
		d.which(in)
		return
	}
	if to.session == "" && plain(in) {
		to = seated(d.seat(in.Chat))
	}
	if may && to.session == "" && plain(in) {
		d.which(in)
		return
	}
	d.act(in, to, may)
}

// which tells that an input has no session. Of files that are shown as one it tells so once.
func (d *Desk) which(in question.Input) {
	if in.Kind == question.Attached {
		d.act(in, target{}, true)
		return
	}
	if !d.mayReply(in) {
		return
	}
	d.reply(in, question.Telling{Kind: question.TellWhich})
}

// settles notes that an input has changed what its chat uses.
func (d *Desk) settles(in question.Input) {
	if !chooses(in) {
		return
	}
	if c := d.choices[in.Chat]; c != nil && c.update == in.Update {
		c.settled = true
	}
	delete(d.missed, in.Chat)
}

// misses notes which message said that a choice came to nothing: what was written above it
// was written without knowing. Telegram numbers the messages of a chat in their order.
func (d *Desk) misses(in question.Input, shown []question.PostedID) {
	c := d.choices[in.Chat]
	if c != nil && c.update == in.Update && !c.settled && in.Kind == question.Typed && len(shown) > 0 {
		d.missed[in.Chat] = shown[0]
	}
}

// decided lets go on what was held for an input. It may be said more than once.
func (d *Desk) decided(in question.Input) {
	if c := d.choices[in.Chat]; c != nil && c.update == in.Update {
		d.back(func() { d.letGoOn(in.Chat, c) })
	}
}

func (d *Desk) letGoOn(chat question.ChatID, c *choice) {
	if d.choices[chat] != c {
		return
	}
	delete(d.choices, chat)
	d.open.end(chat, c.update)
	for i, f := range c.held {
		if next := d.choices[chat]; next != nil {
			next.held = append(next.held, c.held[i:]...)
			return
		}
		f(c.settled)
	}
}
