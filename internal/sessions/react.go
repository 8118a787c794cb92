package sessions

import (
	"errors"

	"hermes/internal/question"
)

// The reactions to what people write, of those that Telegram has.
const (
	seen  = "👀" // it is owed
	taken = "👍" // it is proven to be in the session
	none  = ""  // neither
)

// errLeftBehind says that a message is in a group that became another.
var errLeftBehind = errors.New("the message stayed in the group that became a supergroup")

// react puts a reaction under the message of an errand. then is called in the loop with
// what became of it. Where that message is hermes' own, it says everything itself.
func (d *Desk) react(e *errand, emoji string, then func(error)) {
	switch {
	case e.Message == 0:
		then(errLeftBehind)
		return
	case e.Message == e.Ack:
		return
	}
	done := func() {}
	if d.ctx != nil { // else the loop ends, and waits for nothing new
		d.steps.Add(1)
		done = d.steps.Done
	}
	d.config.Chat.React(e.Chat, e.Message, emoji, func(err error) {
		d.back(func() {
			if err != nil {
				d.log.Debug("a reaction was not set", "chat", e.Chat, "err", err)
			}
			then(err)
		})
		done()
	})
}

// end tells the person what became of their prompt: by a reaction alone where that says
// it all, and can be set.
func (d *Desk) end(e *errand, t question.Telling, about target) {
	words := func(error) { d.acknowledge(e, t, about) }
	nothing := func(error) {}
	switch {
	case !reached(t.Kind):
		d.react(e, none, nothing)
		words(nil)
	case t.Kind == question.TellTaken && e.acked == "" && e.Ack == 0:
		d.react(e, taken, func(err error) {
			if err != nil {
				words(err)
			}
		})
	default:
		d.react(e, taken, nothing)
		words(nil)
	}
}
