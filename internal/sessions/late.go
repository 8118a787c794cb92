package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/question"
)

// A late answer is for a question that waits for none any more. The button on its card
// begins a conversation in a message of the desk's own, an offer, which goes as that of
// a question does; what comes of it is an errand. The bridge keeps the question: it
// stores the answer there together with the errand, so that there is never a second one.

// late acts on a button of an offer, or on the one that asks for an offer. Only a chat
// that shows the question has such buttons.
func (d *Desk) late(in question.Input) {
	t, ok := d.question(in.Order.Thread, in.Chat)
	said, found := d.offered(in.Chat, in.Message, t)
	switch move := in.Order.Move; {
	case !ok:
		d.turnAway(in, t, question.AlertUnknown)
	case !t.TakesLate():
		d.tooLate(in, t, found || move.Action != "")
	case move.Action == "":
		d.config.Chat.Answer(in.Callback, question.Alert{}, in.User.Lang)
		d.offer(in, t)
	default:
		d.moveOn(in, t, said, move)
	}
}

// question is the thread, if the chat shows it.
func (d *Desk) question(id question.ID, chat question.ChatID) (question.Thread, bool) {
	t, ok, err := d.config.Store.Find(question.Key{ID: id})
	if err != nil {
		d.log.Error("cannot read the store", "err", err)
	}
	return t, ok && id != "" && t.Card(chat) >= 0
}

// offered is the offer that a message is; what is not known of it begins anew, as only
// hermes makes buttons with the thread's id.
func (d *Desk) offered(chat question.ChatID, message question.PostedID, t question.Thread) (question.Said, bool) {
	said, found, err := d.config.Store.Said(chat, message)
	if err != nil {
		d.log.Error("cannot read the store", "err", err)
	}
	if found && said.Answers == t.ID {
		return said, true
	}
	return offerOf(t, chat, message, t.LateWizard()), false
}

func offerOf(t question.Thread, chat question.ChatID, message question.PostedID, w question.Wizard) question.Said {
	return question.Said{
		Chat: chat, Message: message, Session: t.LateSession(), Origin: t.LastOrigin(), Title: t.Place.Title,
		Answers: t.ID, Wizard: w, At: time.Now(),
	}
}

// offer shows the question again. The update is let go of when that was tried.
func (d *Desk) offer(in question.Input, t question.Thread) {
	w := t.LateWizard()
	tell := addressed(in, question.Telling{Kind: question.TellLate, Asks: []question.Thread{t}, Wizard: w})
	tell.ReplyTo = in.Message
	d.tell(tell, target{}, func(ids []question.PostedID, _ error) {
		var c question.Change
		for _, id := range ids {
			c.Said = append(c.Said, offerOf(t, in.Chat, id, w))
		}
		_ = d.finish(in, c)
	})
}

// moveOn acts on a button of an offer.
func (d *Desk) moveOn(in question.Input, t question.Thread, said question.Said, m question.Move) {
	w, err := said.Wizard.Apply(t.Request, m)
	var notice *question.Notice
	switch {
	case errors.As(err, &notice):
		d.refuseLate(in, question.Alert{Kind: question.AlertNotice, Notice: *notice, Request: t.Request})
	case errors.Is(err, question.ErrStale):
		d.turnAway(in, t, question.AlertStale)
		d.show(in, t, said) // it may never have been, after a crash
	case errors.Is(err, question.ErrUnknown):
		d.turnAway(in, t, question.AlertUnknown)
	case err != nil: // repeated, or closed
		d.refuseLate(in, question.Alert{})
	case w.State == question.Answered:
		d.send(in, t, said, w)
	default:
		d.config.Chat.Answer(in.Callback, question.Alert{}, in.User.Lang)
		d.turned(in, t, said, w)
	}
}

// turned stores a step of the conversation about an offer, and shows it.
func (d *Desk) turned(in question.Input, t question.Thread, said question.Said, w question.Wizard) {
	said.Wizard, said.At = w, time.Now()
	if d.finish(in, question.Change{Said: []question.Said{said}}) != nil {
		return
	}
	d.show(in, t, said)
}

// show brings an offer to where its conversation is.
func (d *Desk) show(in question.Input, t question.Thread, said question.Said) {
	tell := addressed(in, question.Telling{Kind: question.TellLate, Asks: []question.Thread{t}, Wizard: said.Wizard})
	if said.Wizard.State == question.Dismissed {
		tell = addressed(in, question.Telling{Kind: question.TellLateNone})
	}
	tell.ReplyTo, tell.Edit = 0, said.Message
	d.tell(tell, target{}, func(ids []question.PostedID, _ error) {
		if len(ids) > 0 && ids[0] != said.Message { // it was gone
			said.Message = ids[0]
			_ = d.commit(question.Change{Said: []question.Said{said}})
		}
	})
}

// lateSaid takes words that reply to an offer, as words to a question are taken.
func (d *Desk) lateSaid(in question.Input, to target, text string) {
	t, ok := d.question(to.answers, in.Chat)
	said, _ := d.offered(in.Chat, in.ReplyTo, t)
	if !ok || !t.TakesLate() {
		if d.finish(in, question.Change{}) == nil {
			d.say(in, question.Telling{Kind: question.TellLateOver, Asks: []question.Thread{t}})
		}
		return
	}
	said.Wizard.State = question.Asking // who replies has thought better of it
	w, _ := said.Wizard.Apply(t.Request, question.Move{Action: question.Say, Text: text})
	if w.State == question.Answered {
		d.send(in, t, said, w)
		return
	}
	d.turned(in, t, said, w) // what was not taken is in its notice
}

// noAnswer tells who replies to an offer with a file that it is none, or why there is none
// any more.
func (d *Desk) noAnswer(in question.Input, to target) {
	t, ok := d.question(to.answers, in.Chat)
	if !ok || !t.TakesLate() {
		d.reply(in, question.Telling{Kind: question.TellLateOver, Asks: []question.Thread{t}})
		return
	}
	d.reply(in, question.Telling{Kind: question.TellNoAnswer})
}

// send makes an errand of an answer. The commit point: a crash before it, and the
// update comes again; behind it, and the question has its late answer and the session
// is owed the prompt.
func (d *Desk) send(in question.Input, t question.Thread, said question.Said, w question.Wizard) {
	answers := w.Answers(t.Request)
	to := target{session: t.LateSession(), origin: t.LastOrigin(), title: t.Place.Title}
	e := d.errand(in, to, question.Prompt{Parts: []question.Part{{Text: t.LatePrompt(answers)}}})
	e.Answers, e.Ack = t.ID, said.Message // the offer becomes its acknowledgement
	said.Wizard = w
	late := question.Late{Errand: e.ID, Answers: answers, By: e.By, At: e.At}
	c := question.Change{
		Consumed: d.uses(in), Errands: []question.Errand{e}, Said: []question.Said{said},
		Entries: []question.Entry{{
			At: e.At, Kind: question.EntryPrompted, Thread: e.ID, Request: t.Request.ID, Session: to.session, By: e.By,
			Answers: answers, Note: spoken(e.Prompt),
		}},
	}
	d.beside(func(ctx context.Context) {
		err := d.config.Late(ctx, t.ID, late, c)
		d.back(func() { d.accepted(in, e, c.Consumed, err) })
	})
}

// accepted goes on when a late answer is stored, or is not.
func (d *Desk) accepted(in question.Input, e question.Errand, used []question.UpdateID, err error) {
	if errors.Is(err, question.ErrLate) || errors.Is(err, question.ErrNoThread) {
		t, _ := d.question(e.Answers, in.Chat)
		d.tooLate(in, t, true)
		return
	}
	delete(d.with, in.Update)
	for _, id := range used {
		delete(d.taking, id)
	}
	if err != nil {
		d.log.Error("a late answer was not stored", "err", err)
		d.say(in, question.Telling{Kind: question.TellNotSaved})
		return
	}
	d.owe(e)
	d.thank(in)
}

func (d *Desk) thank(in question.Input) {
	if in.Kind == question.Tapped {
		d.config.Chat.Answer(in.Callback, question.Alert{}, in.User.Lang)
	}
}
