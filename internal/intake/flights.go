package intake

import (
	"context"
	"slices"
	"sync"

	"hermes/internal/chat"
)

// People may see a message, and reply to it, before hermes knows its number. So a message that
// may be for one that is on its way to its chat is decided when that has arrived. It
// waits once, for what was on its way when it came in.

// flight is a message that is on its way to a chat.
type flight struct {
	chat chat.ID
	kind flightKind
	over bool // it has arrived, or never will, and the intake has heard of that
}

type flightKind string

const (
	ofCard    flightKind = "card"    // the first message of one
	ofSession flightKind = "session" // a message about sessions
)

// flights knows the messages that are on their way. It is safe for concurrent use, and nobody
// waits for it.
type flights struct {
	mu    sync.Mutex
	aloft []*flight
}

func (f *flights) begin(one *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.aloft = append(f.aloft, one)
}

func (f *flights) end(one *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one.over = true
	f.aloft = slices.DeleteFunc(f.aloft, func(other *flight) bool { return other == one })
}

// to lists those to a chat.
func (f *flights) to(chat chat.ID) []*flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(f.aloft), func(one *flight) bool { return one.chat != chat })
}

// allOver reports whether none of these is on its way any more.
func (f *flights) allOver(list []*flight) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !slices.ContainsFunc(list, func(one *flight) bool { return !one.over })
}

func isAmong(list []*flight, kind flightKind) bool { return len(only(list, kind)) > 0 }

func only(list []*flight, kind flightKind) []*flight {
	return slices.DeleteFunc(slices.Clone(list), func(one *flight) bool { return one.kind != kind })
}

// SendingCard notes that the first message of a card is on its way to a chat. arrived is to be
// called when its number is known to who sent it, or it will not arrive.
func (k *Intake) SendingCard(chat chat.ID) (arrived func()) {
	return k.sending(&flight{chat: chat, kind: ofCard})
}

// SendingMessage is SendingCard for a message about sessions.
func (k *Intake) SendingMessage(chat chat.ID) (arrived func()) {
	return k.sending(&flight{chat: chat, kind: ofSession})
}

func (k *Intake) sending(one *flight) (arrived func()) {
	k.flights.begin(one)
	return func() {
		k.loop.Post(func() { // with those that waited for it, before whatever comes in behind them
			k.flights.end(one)
			k.release()
		})
	}
}

// wait holds an input until what it may be for has arrived, or decides about it at once if it has.
func (k *Intake) wait(ctx context.Context, d *delivery) {
	d.hasWaited = true
	if k.flights.allOver(d.after) {
		k.deliver(ctx, d)
		return
	}
	k.waiting = append(k.waiting, d)
}

// release decides, in their order, about the inputs that need not wait any more.
func (k *Intake) release() {
	var free []*delivery
	k.waiting = slices.DeleteFunc(k.waiting, func(d *delivery) bool {
		over := k.flights.allOver(d.after)
		if over {
			free = append(free, d)
		}
		return over
	})
	for _, d := range free {
		k.deliver(context.Background(), d)
	}
}
