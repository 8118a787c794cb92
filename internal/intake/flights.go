package intake

import (
	"slices"

	"hermes/internal/chat"
)

// People may see a message, and reply to it, before hermes knows its number. So a message that
// may be for one that is on its way to its chat is decided when that has arrived. It
// waits once, for what was on its way when it came in.

// flight is a message that is on its way to a chat.
type flight struct {
	chat chat.ID
	kind flightKind
	over bool // it has arrived, or never will
}

type flightKind string

const (
	ofCard    flightKind = "card"    // the first message of one
	ofSession flightKind = "session" // a message about sessions
)

// flightsTo lists the messages that are on their way to a chat.
func (k *Intake) flightsTo(chat chat.ID) (list []*flight) {
	for _, one := range k.flights {
		if one.chat == chat {
			list = append(list, one)
		}
	}
	return list
}

func allOver(list []*flight) bool {
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

// sending posts what it notes: whatever comes in later finds it noted.
func (k *Intake) sending(one *flight) (arrived func()) {
	k.loop.Post(func() { k.flights = append(k.flights, one) })
	return func() {
		k.loop.Post(func() {
			one.over = true
			k.flights = slices.DeleteFunc(k.flights, func(other *flight) bool { return other == one })
			k.release()
		})
	}
}

// wait holds an input until what it may be for has arrived.
func (k *Intake) wait(d *delivery) {
	d.hasWaited = true
	if allOver(d.after) {
		k.deliver(d)
		return
	}
	k.waiting = append(k.waiting, d)
}

// release decides, in their order, about the inputs that need not wait any more.
func (k *Intake) release() {
	var free []*delivery
	k.waiting = slices.DeleteFunc(k.waiting, func(d *delivery) bool {
		over := allOver(d.after)
		if over {
			free = append(free, d)
		}
		return over
	})
	for _, d := range free {
		k.deliver(d)
	}
}
