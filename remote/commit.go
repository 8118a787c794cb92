package remote

import (
	"time"

	"hermes/question"
)

// retryStore is when a change that the store did not take is offered again.
const retryStore = 5 * time.Second

// commit stores a change, and logs its failure.
func (d *Desk) commit(c question.Change) error {
	now := time.Now()
	for i := range c.Entries {
		c.Entries[i].At = now
	}
	err := d.config.Store.Commit(c)
	if err != nil {
		d.log.Error("the store does not take changes", "err", err)
		return err
	}
	for _, id := range c.Consumed {
		delete(d.taking, id)
	}
	return nil
}

// finish stores what an input meant, and lets go of its update, and of those of the
// inputs that go with it. If the store fails, they stay in the inbox and come again at
// the next start.
func (d *Desk) finish(in question.Input, c question.Change) error {
	used := []question.UpdateID{in.Update}
	for _, more := range d.with[in.Update] {
		used = append(used, more.Update)
	}
	c.Consumed = append(c.Consumed, used...)
	err := d.commit(c)
	d.decided(in)
	delete(d.with, in.Update)
	if err != nil {
		for _, id := range used {
			delete(d.taking, id)
		}
		d.say(in, question.Telling{Kind: question.TellNotSaved})
	}
	return err
}

// author is who did it, as the journal names people.
func author(in question.Input) question.Actor {
	return question.Actor{Kind: question.Person, User: in.User.ID, Name: in.User.Name, Chat: in.Chat}
}

// target is a session, and where it was last.
type target struct {
	session question.SessionID
	origin  question.Origin
	title   string
}

func (t target) said(chat question.ChatID, ids []question.PostedID) []question.Said {
	var all []question.Said
	for _, id := range ids {
		all = append(all, question.Said{
			Chat: chat, Message: id, Session: t.session, Origin: t.origin, Title: t.title, At: time.Now(),
		})
	}
	return all
}

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
// the loop with what became of it; it may be nil.
func (d *Desk) tell(t question.Telling, about target, then func([]question.PostedID, error)) {
	done := func() {}
	if d.ctx != nil { // else the loop ends, and waits for nothing new
		d.steps.Add(1)
		done = d.steps.Done
	}
	d.aloft.up(t.Chat)
	d.config.Chat.Tell(t, func(ids []question.PostedID, err error) {
		d.back(func() {
			defer d.landed(t.Chat)
			if err != nil {
				d.log.Warn("a message was not sent", "chat", t.Chat, "kind", string(t.Kind), "err", err)
			}
			if about.session != "" && len(ids) > 0 {
				_ = d.commit(question.Change{Said: about.said(t.Chat, ids)}) // a reply to it then needs /use
			}
			if then != nil {
				then(ids, err)
			}
		})
		done()
	})
}
