package sessions

import (
	"time"

	"hermes/internal/question"
)

// attempts bounds how often one message is sent within about a minute: a chat may take
// no more messages for some seconds, and the network may be gone for a while.
const attempts = 6

// say replies to an input, about no session.
func (d *Desk) say(in question.Input, t question.Telling) {
	d.tell(addressed(in, t), target{}, nil)
}

// addressed is a telling for the person and place of an input.
func addressed(in question.Input, t question.Telling) question.Telling {
	t.Chat, t.Topic, t.Lang = in.Chat, in.Topic, in.User.Lang
	if in.Kind != question.Tapped {
		t.ReplyTo = in.Message
	}
	return t
}

// tell shows a message, and remembers which session it belongs to. then is called in
// the loop with what became of it; it may be nil, and is not called when the loop ends
// meanwhile.
func (d *Desk) tell(t question.Telling, about target, then func([]question.PostedID, error)) {
	d.attempt(1, t, about, then)
}

func (d *Desk) attempt(n int, t question.Telling, about target, then func([]question.PostedID, error)) {
	t = d.redirected(t)
	if d.silent(t) {
		if then != nil {
			d.back(func() { then(nil, errNotHome) })
		}
		return
	}
	done := func() {}
	if d.ctx != nil { // else the loop ends, and waits for nothing new
		d.steps.Add(1)
		done = d.steps.Done
	}
	d.aloft.up(t.Chat)
	d.config.Chat.Tell(t, func(shown question.TellingShown) {
		ids, err := shown.Messages, shown.Err
		d.back(func() {
			defer d.landed(t.Chat)
			if about.session != "" && len(ids) > 0 {
				_ = d.commit(question.Change{Said: about.said(t.Chat, ids)}) // a reply to it then needs /use
			}
			if to := successor(err); to != 0 && n < attempts && d.ctx != nil {
				d.moved(t.Chat, to)
				d.attempt(n+1, t, about, then)
				return
			}
			if err != nil && later(err) && n < attempts && d.ctx != nil {
				if len(ids) > 0 {
					t.Shown, t.Unfiled, t.Edit = ids, shown.Unfiled, 0
				}
				d.after(time.Second<<(n-1), func() { d.attempt(n+1, t, about, then) })
				return
			}
			if err != nil {
				d.log.Warn("a message was not sent", "chat", t.Chat, "kind", string(t.Kind), "err", err)
			}
			if then != nil {
				then(ids, err)
			}
		})
		done()
	})
}
