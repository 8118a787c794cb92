package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/question"
)

// A late answer is for a question that waits for none any more. The button on its card
// begins a conversation in a message of hermes' own, an offer, which goes as that of
// a question does; what comes of it is a prompt. The bridge keeps the question: it
// stores the answer there together with the prompt, so that there is never a second one.

// lateAnswers takes late answers.
type lateAnswers struct {
	*common
	prompts *promptQueue
	late    func(context.Context, question.ID, question.Late, question.Change) error // Config.Late
}

// takeTap acts on a button of an offer, or on the one that asks for an offer. Only a chat
// that shows the question has such buttons.
func (l *lateAnswers) takeTap(in question.Input) {
	t, ok := l.threadOf(in.Order.Thread, in.Chat)
	offer, found := l.offerAt(in.Chat, in.Message, t)
	switch move := in.Order.Move; {
	case !ok:
		l.rejectTap(in, t, question.AlertUnknown)
	case !t.TakesLate():
		l.tellOver(in, t, found || move.Action != "")
	case move.Action == "":
		l.outbox.answerTap(in, question.Alert{})
		l.showOffer(in, t)
	default:
		l.applyMove(in, t, offer, move)
	}
}

// threadOf is a question's, if the chat shows it.
func (l *lateAnswers) threadOf(id question.ID, chat question.ChatID) (question.Thread, bool) {
	t, ok, err := l.store.Find(question.Key{ID: id})
	if err != nil {
		l.log.Error("cannot read the store", "err", err)
	}
	return t, ok && id != "" && t.Card(chat) >= 0
}

// offerAt is the offer that a message is; what is not known of it begins anew, as only
// hermes makes buttons with the thread's id.
func (l *lateAnswers) offerAt(chat question.ChatID, message question.PostedID, t question.Thread) (question.Said, bool) {
	if offer, found := l.store.messageOf(chat, message); found && offer.Answers == t.ID {
		return offer, true
	}
	return newOffer(t, chat, message, t.LateWizard()), false
}

func newOffer(t question.Thread, chat question.ChatID, message question.PostedID, w question.Wizard) question.Said {
	return question.Said{
		Chat: chat, Message: message, Session: t.LateSession(), Origin: t.LastOrigin(), Title: t.Place.Title,
		Answers: t.ID, Wizard: w, At: time.Now(),
	}
}

// showOffer shows the question again. The update is consumed when that was tried.
func (l *lateAnswers) showOffer(in question.Input, t question.Thread) {
	w := t.LateWizard()
	tell := addressedTo(in, question.Telling{Kind: question.TellLate, Asks: []question.Thread{t}, Wizard: w})
	tell.ReplyTo = in.Message
	l.outbox.tell(tell, target{}, func(ids []question.PostedID, _ error) {
		var c question.Change
		for _, id := range ids {
			c.Said = append(c.Said, newOffer(t, in.Chat, id, w))
		}
		_ = l.respond.finish(in, c)
	})
}

// applyMove acts on a button of an offer.
func (l *lateAnswers) applyMove(in question.Input, t question.Thread, offer question.Said, m question.Move) {
	w, err := offer.Wizard.Apply(t.Request, m)
	var notice *question.Notice
	switch {
	case errors.As(err, &notice):
		l.rejectWith(in, question.Alert{Kind: question.AlertNotice, Notice: *notice, Request: t.Request})
	case errors.Is(err, question.ErrStale):
		l.rejectTap(in, t, question.AlertStale)
		l.showStep(in, t, offer) // it may never have been, after a crash
	case errors.Is(err, question.ErrUnknown):
		l.rejectTap(in, t, question.AlertUnknown)
	case err != nil: // repeated, or closed
		l.rejectWith(in, question.Alert{})
	case w.State == question.Answered:
		l.sendAnswer(in, t, offer, w)
	default:
		l.outbox.answerTap(in, question.Alert{})
		l.keepStep(in, t, offer, w)
	}
}

// keepStep stores a step of the conversation about an offer, and shows it.
func (l *lateAnswers) keepStep(in question.Input, t question.Thread, offer question.Said, w question.Wizard) {
	offer.Wizard, offer.At = w, time.Now()
	if l.respond.finish(in, question.Change{Said: []question.Said{offer}}) != nil {
		return
	}
	l.showStep(in, t, offer)
}

// showStep brings an offer to where its conversation is.
func (l *lateAnswers) showStep(in question.Input, t question.Thread, offer question.Said) {
	tell := addressedTo(in, question.Telling{Kind: question.TellLate, Asks: []question.Thread{t}, Wizard: offer.Wizard})
	if offer.Wizard.State == question.Dismissed {
		tell = addressedTo(in, question.Telling{Kind: question.TellLateNone})
	}
	tell.ReplyTo, tell.Edit = 0, offer.Message
	l.outbox.tell(tell, target{}, func(ids []question.PostedID, _ error) {
		if len(ids) > 0 && ids[0] != offer.Message { // it was gone
			offer.Message = ids[0]
			_ = l.store.commit(question.Change{Said: []question.Said{offer}})
		}
	})
}

// takeWords takes words that reply to an offer, as words to a question are taken.
func (l *lateAnswers) takeWords(in question.Input, to target, text string) {
	t, ok := l.threadOf(to.answers, in.Chat)
	offer, _ := l.offerAt(in.Chat, in.ReplyTo, t)
	if !ok || !t.TakesLate() {
		if l.respond.consume(in) == nil {
			l.respond.say(in, question.Telling{Kind: question.TellLateOver, Asks: []question.Thread{t}})
		}
		return
	}
	offer.Wizard.State = question.Asking // who replies has thought better of it
	w, _ := offer.Wizard.Apply(t.Request, question.Move{Action: question.Say, Text: text})
	if w.State == question.Answered {
		l.sendAnswer(in, t, offer, w)
		return
	}
	l.keepStep(in, t, offer, w) // what was not taken is in its notice
}

// rejectFile tells who replies to an offer with a file that it is no answer, or why there is
// none any more.
func (l *lateAnswers) rejectFile(in question.Input, to target) {
	t, ok := l.threadOf(to.answers, in.Chat)
	if !ok || !t.TakesLate() {
		l.respond.reply(in, question.Telling{Kind: question.TellLateOver, Asks: []question.Thread{t}})
		return
	}
	l.respond.reply(in, question.Telling{Kind: question.TellNoAnswer})
}

// sendAnswer makes a prompt of an answer. The commit point: a crash before it, and the
// update comes again; behind it, and the question has its late answer and the session
// is owed the prompt.
func (l *lateAnswers) sendAnswer(in question.Input, t question.Thread, offer question.Said, w question.Wizard) {
	answers := w.Answers(t.Request)
	to := target{session: t.LateSession(), origin: t.LastOrigin(), title: t.Place.Title}
	p := l.prompts.newPrompt(in, to, question.Prompt{Parts: []question.Part{{Text: t.LatePrompt(answers)}}})
	p.Answers, p.Ack = t.ID, offer.Message // the offer becomes its acknowledgement
	offer.Wizard = w
	late := question.Late{Errand: p.ID, Answers: answers, By: p.By, At: p.At}
	c := question.Change{
		Consumed: l.respond.updatesOf(in), Errands: []question.Errand{p}, Said: []question.Said{offer},
		Entries: []question.Entry{{
			At: p.At, Kind: question.EntryPrompted, Thread: p.ID, Request: t.Request.ID, Session: to.session, By: p.By,
			Answers: answers, Note: inWords(p.Prompt),
		}},
	}
	l.loop.Beside(func(ctx context.Context) func() {
		err := l.late(ctx, t.ID, late, c)
		return func() { l.takeStored(in, p, c.Consumed, err) }
	})
}

// takeStored goes on when a late answer is stored, or is not.
func (l *lateAnswers) takeStored(in question.Input, p question.Errand, used []question.UpdateID, err error) {
	if errors.Is(err, question.ErrLate) || errors.Is(err, question.ErrNoThread) {
		t, _ := l.threadOf(p.Answers, in.Chat)
		l.tellOver(in, t, true)
		return
	}
	l.respond.forgetJoined(in)
	l.store.abandon(used...)
	if err != nil {
		l.log.Error("a late answer was not stored", "err", err)
		l.respond.say(in, question.Telling{Kind: question.TellNotSaved})
		return
	}
	l.prompts.addStored(p)
	if in.Kind == question.Tapped {
		l.outbox.answerTap(in, question.Alert{})
	}
}

// tellOver tells that the question takes no answer any more, and why. An offer says so
// from then on.
func (l *lateAnswers) tellOver(in question.Input, t question.Thread, isOffer bool) {
	if in.Kind == question.Typed {
		_ = l.respond.consume(in)
		l.respond.say(in, question.Telling{Kind: question.TellLateOver, Asks: []question.Thread{t}})
		return
	}
	l.rejectWith(in, overAlert(t))
	if isOffer {
		tell := addressedTo(in, question.Telling{Kind: question.TellLateOver, Asks: []question.Thread{t}})
		tell.Edit = in.Message
		l.outbox.tell(tell, target{}, nil)
	}
}

// overAlert says why a question takes no late answer.
func overAlert(t question.Thread) question.Alert {
	switch {
	case t.Late != nil:
		return question.Alert{Kind: question.AlertLate, Late: t.Late, Outcome: t.Outcome, Request: t.Request}
	case t.Outcome != nil:
		return question.Alert{Kind: question.AlertEnded, Outcome: t.Outcome, Request: t.Request}
	}
	return question.Alert{Kind: question.AlertUnknown}
}

func (l *lateAnswers) rejectTap(in question.Input, t question.Thread, kind question.AlertKind) {
	l.rejectWith(in, question.Alert{Kind: kind, Request: t.Request})
}

// rejectWith answers a tap that has no effect.
func (l *lateAnswers) rejectWith(in question.Input, a question.Alert) {
	_ = l.respond.finish(in, question.Change{Entries: []question.Entry{
		{Kind: question.EntryRefused, Request: a.Request.ID, By: author(in), Detail: string(a.Kind)},
	}})
	l.outbox.answerTap(in, a)
}
