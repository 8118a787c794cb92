package bridge

import (
	"context"
	"errors"
	"slices"
	"time"

	"hermes/internal/question"
)

// Handle takes in what a person did, and returns when its meaning is stored and
// the update has left the inbox; a tap is acknowledged by then. It returns early
// if ctx ends first: the update is then still in the inbox.
func (b *Bridge) Handle(ctx context.Context, in question.Input) {
	_ = b.loop.Do(ctx, func() { b.handle(in) })
}

func (b *Bridge) handle(in question.Input) {
	b.replies.repeated = b.records.unsaved[in.Update]
	defer func() { b.replies.repeated = false }()
	if in.User.Lang != "" && b.access.knowsPerson(in.User.ID) && b.places.concerns(in.Chat) && b.chats.chat(in.Chat).Lang != in.User.Lang {
		b.chats.change(in.Chat, 0, func(c *question.Chat) { c.Lang = in.User.Lang })
	}
	in.User = b.access.withName(in.User)
	if in.Forwarded {
		b.forwarded(in)
		return
	}
	switch in.Kind {
	case question.Tapped:
		b.tapped(in)
	case question.Typed:
		b.typed(in)
	case question.Unsigned:
		b.unsigned(in)
	case question.Moved:
		b.display.followMove(in.Chat, in.NewChat, in.Update)
	case question.Blocked:
		b.display.noteBlocked(in)
	case question.Unblocked:
		b.display.noteUnblocked(in)
	case question.Attached:
		b.attached(in)
	case question.Ignored:
		b.records.consume(in.Update)
	}
}

// tapped acts on a button. A tap counts only if person, chat, message, thread,
// step and revision fit; whatever does not is answered in words and recorded.
func (b *Bridge) tapped(in question.Input) {
	if !b.access.knowsPerson(in.User.ID) {
		alert := question.Alert{Kind: question.AlertStranger}
		b.strangers.passOver(in, false, b.strangers.named.entry(question.Entry{By: author(in), Detail: string(alert.Kind)}, time.Now()))
		b.replies.alert(in, alert)
		return
	}
	if in.Order.Kind != "" && b.elsewhere(in) {
		return
	}
	l := b.threads.byID[in.Thread]
	if l == nil {
		past := b.past(in)
		alert := b.about(past)
		if past.ID == "" && b.setAside(in) {
			alert.Kind = question.AlertSetAside
		}
		b.refuse(in, past, alert)
		return
	}
	if l.Card(in.Chat) < 0 || !b.belongs(l, in) {
		b.refuse(in, l.Thread, question.Alert{Kind: question.AlertUnknown})
		return
	}
	undo := in.Move.Action == question.Undo && l.Undoable() && !l.agent
	if !l.Open() && !l.decidedBy(in) && !undo {
		b.refuse(in, l.Thread, b.about(l.Thread))
		return
	}
	if alert := b.access.whyBarred(l, in.User.ID); alert.Kind != question.AlertNone {
		b.refuse(in, l.Thread, alert)
		return
	}
	if in.Move.Action == question.Take {
		b.taken(l, in)
		return
	}
	if undo {
		b.undo(l, in)
		return
	}
	w, err := l.Wizard.Apply(l.Request, in.Move)
	if err != nil {
		b.refuse(in, l.Thread, refusal(err, l.Thread))
		return
	}
	if rule := b.access.ruleFor(l); b.repeats(l, in, w, rule) {
		b.voted(l, in, rule)
		return
	}
	used := []question.UpdateID{in.Update}
	b.move(l, in, used, w, func(err error) { b.acknowledge(in, err) })
}

func (b *Bridge) acknowledge(in question.Input, err error) {
	alert := question.Alert{}
	if err != nil {
		alert.Kind = question.AlertNotSaved
	}
	b.replies.alert(in, alert)
}

// past finds the retired thread that a tap or reply is about.
func (b *Bridge) past(in question.Input) question.Thread {
	key := question.Key{ID: in.Thread}
	if in.Kind != question.Tapped {
		key = question.Key{Chat: in.Chat, Message: in.ReplyTo}
	}
	if key == (question.Key{}) || key.Chat != 0 && key.Message == 0 {
		return question.Thread{}
	}
	t, ok, err := b.config.Store.Find(key)
	if err != nil && !errors.Is(err, question.ErrUnreadable) {
		b.log.Error("cannot read the store", "err", err)
	}
	if !ok || t.Card(in.Chat) < 0 {
		return question.Thread{}
	}
	return t
}

// about says how a thread that takes no more answers stands.
func (b *Bridge) about(t question.Thread) question.Alert {
	switch {
	case t.Outcome != nil:
		return question.Alert{Kind: question.AlertEnded, Outcome: t.Outcome, Request: t.Request}
	case t.Decision != nil:
		return question.Alert{Kind: question.AlertDecided, By: t.Decision, Request: t.Request}
	}
	return question.Alert{Kind: question.AlertUnknown}
}

func refusal(err error, t question.Thread) question.Alert {
	var notice *question.Notice
	switch {
	case errors.As(err, &notice):
		return question.Alert{Kind: question.AlertNotice, Notice: *notice, Request: t.Request}
	case errors.Is(err, question.ErrRepeated):
		return question.Alert{}
	case errors.Is(err, question.ErrStale):
		return question.Alert{Kind: question.AlertStale}
	}
	return question.Alert{Kind: question.AlertUnknown}
}

// author is who did it, as the record names people.
func author(in question.Input) question.Actor {
	return question.Actor{Kind: question.Person, User: in.User.ID, Name: in.User.Name, Chat: in.Chat}
}

// refuse answers a tap that has no effect.
func (b *Bridge) refuse(in question.Input, t question.Thread, a question.Alert) {
	by := author(in)
	b.records.consume(in.Update, stamp(t, []question.Entry{
		{Kind: question.EntryRefused, By: by, Detail: string(a.Kind)},
	})...)
	b.replies.alert(in, a)
}

// decidedBy reports whether the tap is the very one that decided, made twice. The
// wizard says so then.
func (l *live) decidedBy(in question.Input) bool {
	return l.Decision != nil && l.Decision.By.User == in.User.ID && in.Move == l.Wizard.Last
}

// belongs reports whether the tapped message is one of the thread's. One that no
// thread knows is a copy whose sending had an unknown outcome: only hermes can have
// sent a button with the thread's id, so the copy becomes a card.
func (b *Bridge) belongs(l *live, in question.Input) bool {
	if other := b.threads.withMessage(in.Chat, in.Message); other != nil {
		return other == l
	}
	t, ok, err := b.config.Store.Find(question.Key{Chat: in.Chat, Message: in.Message})
	if err != nil || ok && t.ID != l.ID || in.Message == 0 {
		return false
	}
	card := question.Card{Chat: in.Chat, Topic: in.Topic, Messages: []question.PostedID{in.Message}}
	if t := b.forum.topics[topicKey{in.Chat, l.Place.Root}]; t != nil && in.Topic != 0 && t.ID == in.Topic {
		card.Topic, card.Room = 0, in.Topic
	}
	l.take(card)
	b.records.keep(l)
	return true
}

// take adds a card; it takes the place of one that is not known to be shown in
// that chat, or completes it, unless that one is being sent again.
func (l *live) take(c question.Card) {
	l.Thread = l.Clone()
	for i, old := range l.Cards {
		switch {
		case old.Chat != c.Chat || !old.Unsure || l.cards[i]:
		case len(old.Messages) > 0: // the tapped one is the last, as it has the buttons
			old.Messages = append(slices.Clone(old.Messages), c.Messages...)
			l.Cards[i] = old
			return
		default:
			c.Unsure, c.Copies = old.Unsure, old.Copies // there may be more than one
			l.Cards[i] = c
			return
		}
	}
	l.Cards = append(l.Cards, c)
}

// decision is what a finished conversation means.
func decision(r question.Request, w question.Wizard, by question.Actor) *question.Decision {
	d := question.Decision{Reject: w.State == question.Dismissed, By: by, At: time.Now()}
	switch {
	case w.State == question.Answered:
		d.Answers = w.Answers(r)
	case r.Permission != nil:
		d.Note = w.Note()
	}
	return &d
}

// move stores a step of the conversation, or the decision that it led to. done is
// called as soon as it is stored, or is not, before anything else happens.
func (b *Bridge) move(
	l *live, in question.Input, used []question.UpdateID, w question.Wizard, done func(error),
) {
	before := l.Thread
	next, entry := b.after(l, in, w)
	done(b.decisions.decide(l, next, used, entry))
	b.reconcile(l)
	b.boxes.sendNew(l, before)
}

// after is the thread after a step of the conversation, and what that step was.
func (b *Bridge) after(l *live, in question.Input, w question.Wizard) (question.Thread, question.Entry) {
	if rule := b.access.ruleFor(l); l.several(w, rule) {
		return b.vote(l, in, w, rule)
	}
	by := author(in)
	next := l.Thread
	next.Wizard, next.Offline = w, 0
	next.Rev++
	if w.State == question.Asking {
		return b.boxes.addWanted(l.Thread, next, in), question.Entry{Kind: question.EntryPicked, By: by, Detail: string(w.Last.Action)}
	}
	d := decision(l.Request, w, by)
	next.Decision = d
	return next, question.Entry{Kind: question.EntryAnswered, By: by, Answers: d.Answers, Note: d.Note}
}
