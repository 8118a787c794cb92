package sessions

import (
	"time"

	"hermes/internal/question"
)

// doubt is a command that was written where an answer is awaited.
type doubt struct {
	in    question.Input
	may   bool
	timer *time.Timer
}

// doubtFor is how long a person may take to say what a text was; then it was nothing.
const doubtFor = time.Hour

// Doubt takes a text that could answer a question and begins like a command. Where words
// were asked for, or the command is none of the desk's, the person is asked which it is;
// the update stays in the inbox meanwhile, and a restart asks again; from who may not
// drive it can only be an answer. Else it is the command, and the question stays as it
// is. It reports false for what is no command. It never waits.
func (d *Desk) Doubt(in question.Input, may bool, t question.Thread, words bool) bool {
	switch {
	case in.Sure || in.Command == "":
		return false
	case words || !known(in.Command):
		if !may || d.unfit(in) != "" {
			return false
		}
		d.back(func() { d.doubtful(in, may, t) })
		return true
	}
	return d.Take(in, may)
}

func (d *Desk) doubtful(in question.Input, may bool, t question.Thread) {
	if _, ok := d.doubts[in.Update]; ok {
		return
	}
	timer := d.after(doubtFor, func() {
		if _, ok := d.doubts[in.Update]; ok {
			delete(d.doubts, in.Update)
			_ = d.finish(in, question.Change{})
		}
	})
	d.doubts[in.Update] = doubt{in, may, timer}
	d.say(in, question.Telling{Kind: question.TellDoubt, Text: in.Text, Asks: []question.Thread{t}, Update: in.Update})
}

// resolve does with a text what the person says it was. Only who wrote it can say.
func (d *Desk) resolve(in question.Input, o question.Order) {
	was, ok := d.doubts[o.Update]
	if !ok || was.in.User.ID != in.User.ID || was.in.Chat != in.Chat {
		_ = d.finish(in, question.Change{})
		return
	}
	was.timer.Stop()
	delete(d.doubts, o.Update)
	if d.finish(in, question.Change{}) != nil {
		return
	}
	if o.Kind == question.OrderCommand {
		to, _ := d.repliedTo(was.in)
		d.take(was.in, to, was.may)
		return
	}
	answer, ctx := was.in, d.ctx
	answer.Sure = true
	if ctx != nil {
		d.steps.Go(func() { d.config.Again(ctx, answer) })
	}
}
