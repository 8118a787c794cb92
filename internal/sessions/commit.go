package sessions

import (
	"time"

	"hermes/internal/question"
)

// retryStore is when a change that the store did not take is offered again.
const retryStore = 5 * time.Second

// commit stores a change. Without an error the store has it, also if it said otherwise.
// The store's failure is logged once until it is another.
func (d *Desk) commit(c question.Change) error {
	stamp(c.Entries)
	err := d.config.Store.Commit(c)
	if err != nil && d.troubled != err.Error() {
		d.log.Error("the store does not take changes", "err", err)
	}
	d.troubled = ""
	if err != nil && !c.StoredAnyway(d.config.Store.Recorded) {
		d.troubled = err.Error()
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
	used := d.uses(in)
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

// uses are the updates of an input, and of those that go with it.
func (d *Desk) uses(in question.Input) []question.UpdateID {
	used := []question.UpdateID{in.Update}
	for _, more := range d.with[in.Update] {
		used = append(used, more.Update)
	}
	return used
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
	answers question.ID // of a reply: the question that it is a late answer to; empty: it is a prompt
}

// known is the session as far as it was known last.
func (t target) known() question.Session {
	return question.Session{ID: t.session, Title: t.title, Directory: t.origin.Directory}
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
