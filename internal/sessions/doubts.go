package sessions

import (
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/remote"
)

// doubtFor is how long a person may take to say what a text was; then it was nothing.
const doubtFor = time.Hour

// doubts are the texts of which a person is asked whether they are a command or the answer to
// a question. Their updates stay in the inbox meanwhile, and a restart asks again.
type doubts struct {
	*services
	open map[chat.UpdateID]*doubt
}

type doubt struct {
	in    inbound.Input
	may   bool
	until time.Time
	alarm alarm
}

// Next says when a text in doubt was nothing.
func (d *doubt) Next(now time.Time) ([]step, time.Time) {
	next := due{now: now}
	next.add(forgetStep, d.until)
	return next.steps, next.wake
}

func newDoubts(c *services) *doubts {
	return &doubts{services: c, open: map[chat.UpdateID]*doubt{}}
}

// askWriter asks the person what the text is, once. t is the question that it may answer.
func (d *doubts) askWriter(in inbound.Input, may bool, t question.Thread) {
	if d.open[in.Update] != nil {
		return
	}
	one := &doubt{in: in, may: may, until: time.Now().Add(doubtFor)}
	d.open[in.Update] = one
	d.advance(one)
	d.respond.say(in, remote.Message{Kind: remote.TellDoubt, Text: in.Text, Asks: []question.Thread{t}, Update: in.Update})
}

func (d *doubts) advance(one *doubt) {
	if d.open[one.in.Update] != one {
		return
	}
	steps, wake := one.Next(time.Now())
	one.alarm.set(d.loop, wake, func() { d.advance(one) })
	if slices.Contains(steps, forgetStep) {
		delete(d.open, one.in.Update)
		_ = d.respond.consume(one.in)
	}
}

// resolve takes the text that a tap says the meaning of out of those in doubt; false if it is
// not the writer's tap, or the text is not in doubt.
func (d *doubts) resolve(tap inbound.Input) (*doubt, bool) {
	one := d.open[tap.Button.Update]
	if one == nil || one.in.User.ID != tap.User.ID || one.in.Chat != tap.Chat {
		return nil, false
	}
	one.alarm.stop()
	delete(d.open, tap.Button.Update)
	return one, true
}
