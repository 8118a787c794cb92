package sessions

import (
	"context"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// A text that a person writes to no session is a draft: hermes says how to write to one, and
// offers the last few as buttons. The message with the buttons keeps the text, and loses it in
// the transaction that makes a prompt of it, so that it is sent once.
//
//	a crash after          on restart
//	nothing                the text is offered
//	offered, not stored    offered again; the buttons above say that they are not known
//	stored                 the buttons work
//	tapped, not stored     the tap comes again
//	prompt stored          sent, as any prompt

// draftChoices is how many sessions are offered for a text.
const draftChoices = 3

// drafts offers sessions to texts that have none.
type drafts struct {
	*services
	choices *pendingChoices
	prompts *promptQueue
}

// offer asks which session a text is for. The update is consumed when that was tried.
func (d *drafts) offer(in inbound.Input) {
	if !d.respond.mayReply(in) {
		return
	}
	along, may := d.routes.openTo(in, d.routes.all()), d.routes.owners()
	d.loop.Beside(func(ctx context.Context) func() {
		var some []remote.ListedSession
		all, _ := listSessions(ctx, along, may) // what cannot be listed is not offered
		for _, f := range all[:min(len(all), draftChoices)] {
			some = append(some, remote.ListedSession{Session: f.Session})
		}
		return func() { d.show(in, some) }
	})
}

func (d *drafts) show(in inbound.Input, some []remote.ListedSession) {
	t := addressedTo(in, remote.Message{Kind: remote.TellDraft, Listed: some})
	d.outbox.tell(t, target{}, func(ids []chat.MessageID, _ error) {
		d.choices.noteMiss(in, ids)
		var c storage.Change
		if len(ids) > 0 && len(some) > 0 {
			c.MessageRefs = []remote.MessageRef{{
				Chat: in.Chat, Message: ids[len(ids)-1], At: time.Now(),
				Draft: &remote.Draft{Text: in.Text, By: in.User.ID, Message: in.Message},
			}}
		}
		_ = d.respond.finish(in, c)
	})
}

// takeTap sends a draft to the session of a button. Only who wrote it can do that, once.
func (d *drafts) takeTap(in inbound.Input) {
	kept, why := d.draftAt(in)
	if why != outbound.AlertNone {
		d.refuse(in, why)
		return
	}
	d.outbox.answerTap(in, outbound.Alert{})
	along, id := d.routes.openTo(in, d.routes.toID(in.Button.Session)), in.Button.Session
	d.loop.Beside(func(ctx context.Context) func() {
		at, s, err := findSession(ctx, along, id)
		return func() {
			if err != nil { // the buttons stay
				d.outbox.tell(d.below(in, failureOf(err, id)), target{}, func([]chat.MessageID, error) { _ = d.respond.consume(in) })
				return
			}
			d.send(in, kept, foundAt(at, s))
		}
	})
}

func (d *drafts) below(in inbound.Input, t remote.Message) remote.Message {
	t = addressedTo(in, t)
	t.ReplyTo = in.Message
	return t
}

// draftAt is the text that the tapped message keeps, or why the tap has no effect.
func (d *drafts) draftAt(in inbound.Input) (remote.MessageRef, outbound.AlertKind) {
	kept, found := d.store.messageOf(in.Chat, in.Message)
	switch {
	case found && kept.Session != "":
		return kept, outbound.AlertSent
	case !found || kept.Draft == nil || kept.Draft.Card != 0:
		return kept, outbound.AlertNoText
	case kept.Draft.By != in.User.ID:
		return kept, outbound.AlertNotTheirs
	}
	return kept, outbound.AlertNone
}

func (d *drafts) refuse(in inbound.Input, why outbound.AlertKind) {
	_ = d.respond.finish(in, storage.Change{Entries: []storage.Entry{{Kind: storage.EntryRefused, By: author(in), Detail: string(why)}}})
	d.outbox.answerTap(in, outbound.Alert{Kind: why})
}

// send makes a prompt of a draft. The commit point: from then on the text is owed to the session,
// and kept nowhere else.
func (d *drafts) send(in inbound.Input, kept remote.MessageRef, to target) {
	if _, why := d.draftAt(in); why != outbound.AlertNone { // another tap came before
		_ = d.respond.consume(in)
		return
	}
	draft := *kept.Draft
	p := d.prompts.newPrompt(in, to, session.Prompt{Parts: []session.Part{{Text: draft.Text}}})
	p.Message, p.Ack = draft.Message, in.Message // the message with the buttons becomes its acknowledgement
	err := d.respond.finish(in, storage.Change{
		Prompts: []remote.QueuedPrompt{p}, MessageRefs: to.messages(in.Chat, []chat.MessageID{in.Message, draft.Message}),
		Entries: []storage.Entry{{Kind: storage.EntryPrompted, Thread: p.ID, Session: to.session, By: p.By, Note: inWords(p.Prompt)}},
	})
	if err == nil {
		d.prompts.addStored(p)
	}
}
