package intake

import (
	"time"

	"hermes/internal/inbound"
)

// doubtFor is how long a person may take to say what a text was; then it was nothing.
const doubtFor = time.Hour

// doubt is a text of which its writer is asked whether it is a command or the answer to an ask.
// Its updates stay in the inbox meanwhile, and a restart asks again.
type doubt struct {
	*delivery
	timer *time.Timer
}

// askMeaning asks the writer of a text what it is.
func (k *Intake) askMeaning(d *delivery) {
	id := d.in.Update
	one := &doubt{delivery: d}
	k.doubts[id] = one
	one.timer = k.loop.After(doubtFor, func() {
		if k.doubts[id] == one {
			delete(k.doubts, id)
			k.sessions.Dismiss(d.in)
		}
	})
	k.sessions.AskMeaning(d.in, d.thread)
}

// takeMeaning does with a text what its writer's tap says that it is. A tap of somebody else,
// or about a text that is not in doubt, means nothing.
func (k *Intake) takeMeaning(tap inbound.Input) {
	one := k.doubts[tap.Button.Update]
	if k.sessions.Dismiss(tap); one == nil || one.in.User.ID != tap.User.ID || one.in.Chat != tap.Chat {
		return
	}
	one.timer.Stop()
	delete(k.doubts, tap.Button.Update)
	if tap.Button.Kind == inbound.ButtonCommand {
		k.sessions.Begin(one.in, one.drives)(one.in)
		return
	}
	one.answer = true
	k.deliver(one.delivery)
}
