package sessions

import (
	"context"
	"errors"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// A late answer is for a question that waits for none any more. The button on its card
// begins a conversation in a message of hermes' own, an offer, which goes as that of
// a question does; what comes of it is a prompt. The bridge keeps the question: it
// stores the answer there together with the prompt, so that there is never a second one.

// lateAnswers takes late answers.
type lateAnswers struct {
	*services
	prompts *promptQueue
	asks    Asks // Config.Asks
}

// takeTap acts on a button of an offer, or on the one that asks for an offer. Only a chat
// that shows the question has such buttons.
func (l *lateAnswers) takeTap(in inbound.Input) {
	t, ok := l.threadOf(in.Button.Thread, in.Chat)
	offer, found := l.offerAt(in.Chat, in.Message, t)
	switch move := in.Button.Move; {
	case t.Card(in.Chat) >= 0 && !l.isOpenIn(in.Chat, t):
		l.rejectTap(in, t, outbound.AlertNotYours)
	case !ok:
		l.rejectTap(in, t, outbound.AlertUnknown)
	case !t.TakesLate():
		l.tellOver(in, t, found || move.Action != "")
	case move.Action == "":
		l.outbox.answerTap(in, outbound.Alert{})
		l.showOffer(in, t)
	default:
		l.applyMove(in, t, offer, move)
	}
}

// isOpenIn reports whether the session that asked may be given a late answer from a chat.
func (l *lateAnswers) isOpenIn(id chat.ID, t question.Thread) bool {
	return l.routes.isOpenIn(id, t.LastOrigin()) && !t.TakenFrom(id) || l.routes.opensLate(t, id)
}

// threadOf is a question's, if the chat shows it, and the session that asked may be told anything from there.
func (l *lateAnswers) threadOf(id question.ID, chat chat.ID) (question.Thread, bool) {
	t, ok, err := l.store.Find(storage.Key{ID: id})
	if err != nil {
		l.log.Error("cannot read the store", "err", err)
	}
	return t, ok && id != "" && t.Card(chat) >= 0 && l.isOpenIn(chat, t)
}

// offerAt is the offer that a message is; what is not known of it begins anew, as only
// hermes makes buttons with the thread's id.
func (l *lateAnswers) offerAt(chat chat.ID, message chat.MessageID, t question.Thread) (remote.MessageRef, bool) {
	if offer, found := l.store.messageOf(chat, message); found && offer.Answers == t.ID {
		return offer, true
	}
	return newOffer(t, chat, message, t.LateWizard()), false
}

func newOffer(t question.Thread, chat chat.ID, message chat.MessageID, w question.Wizard) remote.MessageRef {
	return remote.MessageRef{
		Chat: chat, Message: message, Session: t.LateSession(), Origin: t.LastOrigin(), Title: t.Place.Title,
		Answers: t.ID, Wizard: w, At: time.Now(),
	}
}

// showOffer shows the question again. The update is consumed when that was tried.
func (l *lateAnswers) showOffer(in inbound.Input, t question.Thread) {
	l.showOfferAt(in, t, t.LateWizard())
}

// showOfferAt is showOffer of a conversation that is under way.
func (l *lateAnswers) showOfferAt(in inbound.Input, t question.Thread, w question.Wizard) {
	tell := addressedTo(in, remote.Message{Kind: remote.TellLate, Asks: []question.Thread{t}, Wizard: w})
	tell.ReplyTo = in.Message
	l.outbox.tell(tell, target{}, func(ids []chat.MessageID, _ error) {
		var c storage.Change
		for _, id := range ids {
			c.MessageRefs = append(c.MessageRefs, newOffer(t, in.Chat, id, w))
		}
		_ = l.respond.finish(in, c)
	})
}

// applyMove acts on a button of an offer.
func (l *lateAnswers) applyMove(in inbound.Input, t question.Thread, offer remote.MessageRef, m question.WizardInput) {
	w, err := offer.Wizard.Apply(t.Request, m)
	if err == nil && w.Dismissing {
		w, err = w.Apply(t.Request, question.WizardInput{Action: question.Dismiss, Rev: w.Rev, On: true}) // it sends nothing: no need to ask again
	}
	var notice *question.Notice
	switch {
	case errors.As(err, &notice):
		l.rejectWith(in, outbound.Alert{Kind: outbound.AlertNotice, Notice: *notice, Request: t.Request})
	case errors.Is(err, question.ErrStale):
		l.rejectTap(in, t, outbound.AlertStale)
		l.showStep(in, t, offer) // it may never have been, after a crash
	case errors.Is(err, question.ErrUnknown):
		l.rejectTap(in, t, outbound.AlertUnknown)
	case err != nil: // repeated, or closed
		l.rejectWith(in, outbound.Alert{})
	case w.State == question.Answered:
		l.sendAnswer(in, t, offer, w)
	default:
		l.outbox.answerTap(in, outbound.Alert{})
		l.keepStep(in, t, offer, w)
	}
}

// keepStep stores a step of the conversation about an offer, and shows it.
func (l *lateAnswers) keepStep(in inbound.Input, t question.Thread, offer remote.MessageRef, w question.Wizard) {
	offer.Wizard, offer.At = w, time.Now()
	if l.respond.finish(in, storage.Change{MessageRefs: []remote.MessageRef{offer}}) != nil {
		return
	}
	l.showStep(in, t, offer)
}

// showStep brings an offer to where its conversation is.
func (l *lateAnswers) showStep(in inbound.Input, t question.Thread, offer remote.MessageRef) {
	tell := addressedTo(in, remote.Message{Kind: remote.TellLate, Asks: []question.Thread{t}, Wizard: offer.Wizard})
	if offer.Wizard.State == question.Dismissed {
		tell = addressedTo(in, remote.Message{Kind: remote.TellLateNone})
	}
	tell.ReplyTo, tell.Edit = 0, offer.Message
	l.outbox.tell(tell, target{}, func(ids []chat.MessageID, _ error) {
		if len(ids) > 0 && ids[0] != offer.Message { // it was gone
			offer.Message = ids[0]
			_ = l.store.commit(storage.Change{MessageRefs: []remote.MessageRef{offer}})
		}
	})
}

// takeWords takes words that reply to an offer, as words to a question are taken.
func (l *lateAnswers) takeWords(in inbound.Input, to target, text string) {
	t, ok := l.threadOf(to.answers, in.Chat)
	offer, _ := l.offerAt(in.Chat, in.ReplyTo, t)
	if ok && t.Late != nil && t.Late.State == question.LateSent && offer.Wizard.State == question.Answered {
		to.answers = ""
		l.prompts.accept(in, to, session.Prompt{Parts: []session.Part{{Text: text}}}) // the offer says that the session has it
		return
	}
	if !ok || !t.TakesLate() {
		if l.respond.consume(in) == nil {
			l.respond.say(in, remote.Message{Kind: remote.TellLateOver, Asks: []question.Thread{t}})
		}
		return
	}
	offer.Wizard.State = question.Asking // who replies has thought better of it
	w, _ := offer.Wizard.Apply(t.Request, question.WizardInput{Action: question.Say, Text: text})
	if w.State == question.Answered {
		l.sendAnswer(in, t, offer, w)
		return
	}
	l.keepStep(in, t, offer, w) // what was not taken is in its notice
}

// takeReply takes words that reply to the card of a question that got no answer: they answer it.
// What they leave open is asked for in an offer.
func (l *lateAnswers) takeReply(in inbound.Input, to target, text string) {
	t, ok := l.threadOf(to.answers, in.Chat)
	if !ok || !t.TakesLate() {
		l.tellOver(in, t, false)
		return
	}
	before := t.LateWizard()
	if len(t.Request.Items) == 1 {
		before = question.Wizard{} // who replies has thought better of it
	}
	w, _ := before.Apply(t.Request, question.WizardInput{Action: question.Say, Text: text})
	if w.State == question.Answered {
		l.sendAnswer(in, t, newOffer(t, in.Chat, 0, w), w)
		return
	}
	l.showOfferAt(in, t, w) // what was not taken is in its notice
}

// rejectFile tells who replies to an offer with a file that it is no answer, or why there is
// none any more.
func (l *lateAnswers) rejectFile(in inbound.Input, to target) {
	t, ok := l.threadOf(to.answers, in.Chat)
	if !ok || !t.TakesLate() {
		l.respond.reply(in, remote.Message{Kind: remote.TellLateOver, Asks: []question.Thread{t}})
		return
	}
	l.respond.reply(in, remote.Message{Kind: remote.TellNoAnswer})
}

// sendAnswer makes a prompt of an answer. The commit point: a crash before it, and the
// update comes again; behind it, and the question has its late answer and the session
// is owed the prompt.
func (l *lateAnswers) sendAnswer(in inbound.Input, t question.Thread, offer remote.MessageRef, w question.Wizard) {
	answers := w.Answers(t.Request)
	to := target{session: t.LateSession(), origin: t.LastOrigin(), title: t.Place.Title, asked: true}
	p := l.prompts.newPrompt(in, to, session.Prompt{Parts: []session.Part{{Text: t.LatePrompt(answers)}}})
	if l.routes.opensLate(t, in.Chat) {
		p.Owner = t.Owner.ID
	}
	p.Answers, p.Ack = t.ID, offer.Message // the offer, if there is one, becomes its acknowledgement
	refs := to.messages(in.Chat, in.Messages())
	if offer.Message != 0 {
		offer.Wizard = w
		refs = []remote.MessageRef{offer}
	}
	late := question.Late{Prompt: p.ID, Answers: answers, By: p.By, At: p.At}
	c := storage.Change{
		Consumed: in.Updates(), Prompts: []remote.QueuedPrompt{p}, MessageRefs: refs,
		Entries: []storage.Entry{{
			At: p.At, Kind: storage.EntryPrompted, Thread: p.ID, Request: t.Request.ID, Session: to.session, By: p.By,
			Answers: answers, Note: inWords(p.Prompt),
		}},
	}
	l.loop.Beside(func(ctx context.Context) func() {
		err := l.asks.Late(ctx, t.ID, late, c)
		return func() { l.takeStored(in, p, c.Consumed, err) }
	})
}

// takeStored acts on the result of storing a late answer.
func (l *lateAnswers) takeStored(in inbound.Input, p remote.QueuedPrompt, used []chat.UpdateID, err error) {
	if errors.Is(err, question.ErrLate) || errors.Is(err, question.ErrNoThread) {
		t, _ := l.threadOf(p.Answers, in.Chat)
		l.tellOver(in, t, true)
		return
	}
	if errors.Is(err, question.ErrNotTheirs) {
		l.refuseOthers(in, p.Answers)
		return
	}
	l.store.abandon(used...)
	if err != nil {
		l.log.Error("a late answer was not stored", "err", err)
		l.respond.say(in, remote.Message{Kind: remote.TellNotSaved})
		return
	}
	l.prompts.addStored(p)
	if in.Kind == inbound.Tapped {
		l.outbox.answerTap(in, outbound.Alert{})
	}
}

// refuseOthers refuses an answer that is not this person's to give.
func (l *lateAnswers) refuseOthers(in inbound.Input, id question.ID) {
	t, _ := l.threadOf(id, in.Chat)
	if in.Kind == inbound.Tapped {
		l.rejectTap(in, t, outbound.AlertNotAsked)
		return
	}
	_ = l.respond.finish(in, storage.Change{Entries: []storage.Entry{
		{Kind: storage.EntryRefused, Request: t.Request.ID, By: author(in), Detail: string(outbound.AlertNotAsked)},
	}})
	l.respond.say(in, remote.Message{Kind: remote.TellNotAsked})
}

// tellOver tells that the question takes no answer any more, and why. An offer says so
// from then on.
func (l *lateAnswers) tellOver(in inbound.Input, t question.Thread, isOffer bool) {
	if in.Kind == inbound.Typed {
		_ = l.respond.consume(in)
		l.respond.say(in, remote.Message{Kind: remote.TellLateOver, Asks: []question.Thread{t}})
		return
	}
	l.rejectWith(in, overAlert(t))
	if isOffer {
		tell := addressedTo(in, remote.Message{Kind: remote.TellLateOver, Asks: []question.Thread{t}})
		tell.Edit = in.Message
		l.outbox.tell(tell, target{}, nil)
	}
}

// overAlert says why a question takes no late answer.
func overAlert(t question.Thread) outbound.Alert {
	switch {
	case t.Late != nil:
		return outbound.Alert{Kind: outbound.AlertLate, Late: t.Late, Outcome: t.Outcome, Request: t.Request}
	case t.Outcome != nil:
		return outbound.Alert{Kind: outbound.AlertEnded, Outcome: t.Outcome, Request: t.Request}
	}
	return outbound.Alert{Kind: outbound.AlertUnknown}
}

func (l *lateAnswers) rejectTap(in inbound.Input, t question.Thread, kind outbound.AlertKind) {
	l.rejectWith(in, outbound.Alert{Kind: kind, Request: t.Request})
}

// rejectWith answers a tap that has no effect.
func (l *lateAnswers) rejectWith(in inbound.Input, a outbound.Alert) {
	_ = l.respond.finish(in, storage.Change{Entries: []storage.Entry{
		{Kind: storage.EntryRefused, Request: a.Request.ID, By: author(in), Detail: string(a.Kind)},
	}})
	l.outbox.answerTap(in, a)
}
