package sessions

import (
	"context"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// What a person writes or sends to no session is a draft: hermes says how to write to one, and
// offers the last few as buttons. So is an answer to an ask that has ended: hermes says how it did, and one button
// sends the answer as a prompt to the session that asked. The message with the buttons keeps the draft, and loses it in
// the transaction that makes a prompt of it, so that it is sent once.
//
//	a crash after          on restart
//	nothing                it is offered
//	offered, not stored    offered again; the buttons above say that they are not known
//	stored                 the buttons work
//	tapped, not stored     the tap comes again
//	prompt stored          sent, as any prompt

// draftChoices is how many sessions are offered for a text.
const draftChoices = 3

// offerDraft asks which session a prompt is for. The update is consumed when that was tried.
func (c *Controller) offerDraft(in inbound.Input, text string, files []session.Part) {
	if !c.mayReply(in) {
		return
	}
	along, may := c.routes.openTo(in, c.routes.all()), c.routes.owners()
	c.loop.Beside(func(ctx context.Context) func() {
		var some []session.Session
		all, _ := listSessions(ctx, along, may) // what cannot be listed is not offered
		for _, f := range all[:min(len(all), draftChoices)] {
			some = append(some, f.Session)
		}
		kept := remote.MessageRef{}
		if len(some) > 0 {
			kept.Draft = &remote.Draft{Text: text, Files: files, By: in.User.ID, Message: in.Message}
		}
		return func() { c.showDraft(in, ui.DraftOffer(some), kept) }
	})
}

// showDraft asks whether a draft is to be sent, and keeps it with that message.
func (c *Controller) showDraft(in inbound.Input, text ui.Text, kept remote.MessageRef) {
	c.tell(below(in, text), target{}, func(ids []chat.MessageID, _ error) {
		c.choices.noteMiss(in, ids)
		var change storage.Change
		if len(ids) > 0 && kept.Draft != nil {
			kept.Chat, kept.Message, kept.At = in.Chat, ids[len(ids)-1], time.Now()
			change.MessageRefs = []remote.MessageRef{kept}
		}
		c.finish(in, change)
	})
}

// offerLate tells how an ask ended that an answer came too late for, and offers to send it to the session that asked.
func (c *Controller) offerLate(in inbound.Input, t question.Thread, to target, text string, files []session.Part) {
	if !c.mayReply(in) {
		return
	}
	draft := &remote.Draft{Text: text, Files: files, By: in.User.ID}
	if in.Kind != inbound.Tapped {
		draft.Message = in.Message
	}
	c.showDraft(in, ui.LateOffer(t, to.session, text),
		remote.MessageRef{Origin: to.origin, Title: to.title, Asked: true, Draft: draft})
}

// takeLate acts on a tap on the card of an ask that has ended. One on a choice is an answer that comes too late; the button of a
// card whose answer was lost sends that, once.
func (c *Controller) takeLate(in inbound.Input) {
	t, known, _ := c.config.Store.Find(storage.Key{ID: askTapped(in)})
	to, open := asker(in.Chat, t)
	answers := t.AnswersOf(in.Move)
	if in.Button.Kind == inbound.ButtonLate {
		answers = t.LostAnswers()
	}
	sent, found := c.messageOf(in.Chat, in.Message)
	switch {
	case !known || !open || t.TakenFrom(in.Chat):
		c.refuseTap(in, storage.RefusedUnknown, ui.NoSuchAsk())
	case found && sent.Session != "":
		c.refuseTap(in, storage.RefusedSent, ui.AlreadySent())
	case answers == nil:
		c.refuseTap(in, storage.RefusedEnded, ui.HowItStands(t.View()))
	case in.Button.Kind == inbound.ButtonLate:
		c.answerTap(in, nil)
		c.acceptDraft(in, remote.Draft{Text: t.LatePrompt(answers)}, to, 0)
	default:
		c.answerTap(in, nil)
		c.offerLate(in, t, to, t.LatePrompt(answers), nil)
	}
}

// takeDraftTap sends a draft to the session of a button. Only who wrote it can do that, once.
func (c *Controller) takeDraftTap(in inbound.Input) {
	kept, why, say := c.draftAt(in)
	if why != "" {
		c.refuseTap(in, why, say)
		return
	}
	c.answerTap(in, nil)
	if kept.Asked { // a late answer waits for its OpenCode, as any prompt does
		c.sendDraft(in, kept, target{session: in.Button.Session, origin: kept.Origin, title: kept.Title, asked: true})
		return
	}
	along, id := c.routes.openTo(in, c.routes.toID(in.Button.Session)), in.Button.Session
	c.loop.Beside(func(ctx context.Context) func() {
		at, s, err := findSession(ctx, along, id)
		return func() {
			if err != nil { // the buttons stay
				c.tell(below(in, failureOf(err, "")), target{}, func([]chat.MessageID, error) { c.consume(in) })
				return
			}
			c.sendDraft(in, kept, foundAt(at, s))
		}
	})
}

// below is a message that replies to what was written, or to the message whose button was tapped.
func below(in inbound.Input, text ui.Text) outbound.Message {
	t := addressedTo(in, text)
	t.ReplyTo = in.Message
	return t
}

// draftAt is what the tapped message keeps, or why the tap has no effect.
func (c *Controller) draftAt(in inbound.Input) (remote.MessageRef, storage.Refusal, ui.Line) {
	kept, found := c.messageOf(in.Chat, in.Message)
	switch {
	case found && kept.Session != "":
		return kept, storage.RefusedSent, ui.AlreadySent()
	case !found || kept.Draft == nil || kept.Draft.Card != 0:
		return kept, storage.RefusedNoText, ui.NotKept()
	case kept.Draft.By != in.User.ID:
		return kept, storage.RefusedNotTheirs, ui.NotWriter()
	}
	return kept, "", nil
}

// sendDraft sends the draft that the tapped message keeps.
func (c *Controller) sendDraft(in inbound.Input, kept remote.MessageRef, to target) {
	if _, why, _ := c.draftAt(in); why != "" { // another tap came before
		c.consume(in)
		return
	}
	c.acceptDraft(in, *kept.Draft, to, in.Message) // the message with the buttons becomes its acknowledgement
}

// acceptDraft makes a prompt of a draft. Once that is stored, the text is kept nowhere else.
func (c *Controller) acceptDraft(in inbound.Input, draft remote.Draft, to target, ack chat.MessageID) {
	p := c.prompts.newPrompt(in, to, promptOf(draft.Text, draft.Files))
	p.Ack, p.Quotes = ack, to.asked
	messages := []chat.MessageID{in.Message}
	if draft.Message != 0 {
		p.Message, messages = draft.Message, append(messages, draft.Message)
	}
	c.prompts.add(in, to, p, messages)
}
