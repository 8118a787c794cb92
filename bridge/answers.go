package bridge

import (
	"errors"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// What people answer, by tap or text, and all other buttons of a card. What has no effect is refused, and
// the person is told why.

// takeTap acts on a tap of a person on the list. It counts only if person, chat, message,
// thread, step and revision fit; whatever does not is answered in words and recorded.
func (b *Bridge) takeTap(in inbound.Input) {
	l := b.threads.byID[in.Thread]
	if l == nil {
		past := b.retiredThread(in)
		why := whyOver(past)
		if past.TakenFrom(in.Chat) {
			why = refusal{storage.RefusedTaken, ui.Taken(past.Owner)}
		}
		b.refuseTap(in, past, why)
		b.correctCopy(past, in)
		return
	}
	defer b.reconcile(l) // the message may be a copy
	if !b.ownsMessage(l, in) {
		b.refuseTap(in, l.Thread, refusal{storage.RefusedUnknown, ui.NoSuchAsk()})
		return
	}
	if l.TakenFrom(in.Chat) {
		b.refuseTap(in, l.Thread, refusal{storage.RefusedTaken, ui.Taken(l.Owner)})
		return
	}
	undo := in.Move.Action == question.Undo && in.Move.Rev == l.Wizard.Rev && l.Undoable() && (l.IsHeld() || !l.agentBusy)
	if !l.Open() && !l.isDecidingTap(in) && !undo {
		b.refuseTap(in, l.Thread, whyOver(l.Thread))
		return
	}
	if barred := b.access.whyBarred(l, in.User.ID); barred.why != "" {
		b.refuseTap(in, l.Thread, barred)
		return
	}
	if in.Move.Action == question.Take {
		b.takeClaim(l, in)
		return
	}
	switch {
	case undo && l.ByRule():
		b.undoRule(l, in)
		return
	case undo:
		b.takeBackHeld(l, in)
		b.acknowledge(in)
		return
	}
	w, err := l.Wizard.Apply(l.Request, in.Move)
	if err != nil {
		b.refuseTap(in, l.Thread, whyNotTaken(err, l.Thread))
		return
	}
	if w.Allows() && l.isPartlyShownIn(in.Chat) {
		b.refuseTap(in, l.Thread, refusal{storage.RefusedPartly, ui.NotPartly()})
		return
	}
	if rule := b.access.ruleFor(l); b.isRepeatedVote(l, in, w, rule) {
		b.refuseRepeatedVote(l, in, rule)
		return
	}
	b.advance(l, in, w, func() { b.acknowledge(in) })
}

// correctCopy brings a tapped copy of an ask that has ended to the truth.
func (b *Bridge) correctCopy(past question.Thread, in inbound.Input) {
	known := func(c question.Card) bool { return c.Chat == in.Chat && c.Has(in.Message) }
	if past.ID == "" || slices.ContainsFunc(past.Cards, known) {
		return
	}
	l := b.threads.byID[past.ID]
	if l == nil {
		l = b.threads.revive(past)
	}
	b.ownsMessage(l, in)
	b.reconcile(l)
}

func (b *Bridge) acknowledge(in inbound.Input) { b.alert(in, nil) }

// whyOver says how a thread that takes no more answers stands.
func whyOver(t question.Thread) refusal {
	switch {
	case t.Outcome != nil:
		return refusal{storage.RefusedEnded, ui.HowItStands(t.View())}
	case t.Decision != nil:
		return refusal{storage.RefusedDecided, ui.HowItStands(t.View())}
	}
	return refusal{storage.RefusedUnknown, ui.NoSuchAsk()}
}

// whyNotTaken says why the step of a thread did not take a tap.
func whyNotTaken(err error, t question.Thread) refusal {
	var notice *question.Notice
	switch {
	case errors.As(err, &notice):
		return refusal{storage.RefusedNotice, ui.NotTaken(*notice, t.Request)}
	case errors.Is(err, question.ErrRepeated):
		return refusal{}
	case errors.Is(err, question.ErrStale):
		return refusal{storage.RefusedStale, ui.Stale()}
	}
	return refusal{storage.RefusedUnknown, ui.NoSuchAsk()}
}

// refuseTap answers a tap that has no effect.
func (b *Bridge) refuseTap(in inbound.Input, t question.Thread, r refusal) {
	b.consumeRefused(in, t, r.why)
	b.alert(in, r.say)
}

// consumeRefused consumes what has no effect.
func (b *Bridge) consumeRefused(in inbound.Input, t question.Thread, why storage.Refusal) {
	b.consume(in.Updates(), stampEntries(t, []storage.Entry{
		{Kind: storage.EntryRefused, By: in.Author(), Detail: string(why)},
	})...)
}

// isPartlyShownIn reports whether a chat could not be shown all that a permission is asked for: no card there has a button that
// allows it.
func (l *liveThread) isPartlyShownIn(chat chat.ID) bool {
	return l.Request.Permission != nil && slices.ContainsFunc(l.Cards, func(c question.Card) bool { return c.Chat == chat && c.Unfiled }) &&
		!l.Request.Permission.FitsMessages()
}

// isDecidingTap reports whether the tap is the very one that decided, made twice. The
// wizard says so then.
func (l *liveThread) isDecidingTap(in inbound.Input) bool {
	return l.Decision != nil && l.Decision.By.User == in.User.ID && in.Move == l.Wizard.Last
}

// ownsMessage reports whether the tapped message is one of the thread's. One that no thread knows is a copy: its sending
// had an unknown outcome, or was not noted before hermes was killed. Only hermes can have sent a button with the
// thread's random id, so it becomes a card, which is brought to the truth as any other.
func (b *Bridge) ownsMessage(l *liveThread, in inbound.Input) bool {
	if other := b.threads.withMessage(in.Chat, in.Message); other != nil {
		return other == l
	}
	t, ok, err := b.config.Store.Find(storage.Key{Chat: in.Chat, Message: in.Message})
	if err != nil || ok && t.ID != l.ID || in.Message == 0 || l.Card(in.Chat) < 0 {
		return false
	}
	copied := question.Card{Chat: in.Chat, Topic: in.Topic, Messages: []chat.MessageID{in.Message}}
	if in.Topic != 0 && b.forum.IsTopicOf(l.Place.Root, in.Chat, in.Topic) {
		copied.Topic, copied.Room = 0, in.Topic
	}
	l.addCopy(copied)
	b.saveThread(l)
	return true
}

// addCopy adds a card, or completes the one in its place that shows nothing and is not being sent.
func (l *liveThread) addCopy(c question.Card) {
	if l.TakenFrom(c.Chat) {
		c.Taken = max(l.Rev, 1)
	}
	l.Thread = l.Clone()
	i := slices.IndexFunc(l.Cards, c.SamePlace)
	if i < 0 || len(l.Cards[i].Messages) > 0 || l.sending[i] {
		l.Cards = append(l.Cards, c)
		return
	}
	l.Cards[i].Messages, l.Cards[i].Room, l.Cards[i].Rev = c.Messages, c.Room, 0
}

// decisionOf is what a finished conversation means.
func decisionOf(r question.Request, w question.Wizard, by question.Actor) *question.Decision {
	d := question.Decision{Reject: w.State == question.Dismissed, By: by, At: time.Now()}
	switch {
	case w.State == question.Answered:
		d.Answers = w.Answers(r)
	case r.Permission != nil:
		d.Note = w.Note()
	}
	return &d
}

// advance stores a step of the conversation, or the decision that it led to. stored is
// called as soon as that is done, before anything else happens.
func (b *Bridge) advance(l *liveThread, in inbound.Input, w question.Wizard, stored func()) {
	before := l.Thread
	next, entry := b.afterStep(l, in, w)
	entries := append([]storage.Entry{entry}, b.keepBack(before, &next, b.access.ruleFor(l))...)
	b.decide(l, next, in.Updates(), entries...)
	stored()
	b.reconcile(l)
	b.sendNewBoxes(l, before)
}

// afterStep is the thread after a step of the conversation, and what that step was.
func (b *Bridge) afterStep(l *liveThread, in inbound.Input, w question.Wizard) (question.Thread, storage.Entry) {
	if rule := b.access.ruleFor(l); l.isOneOfSeveral(w, rule) {
		return b.addVote(l, in, w, rule)
	}
	by := in.Author()
	next := l.Thread
	next.Wizard, next.Offline = w, 0
	next.Rev++
	if w.State == question.Asking {
		return b.addWantedBox(l.Thread, next, in), storage.Entry{Kind: storage.EntryPicked, By: by, Detail: string(w.Last.Action)}
	}
	d := decisionOf(l.Request, w, by)
	next.Decision = d
	return next, storage.Entry{Kind: storage.EntryAnswered, By: by, Answers: d.Answers, Note: d.Note}
}

// undoRule takes back what a rule has decided and nobody was sent yet: people are asked.
func (b *Bridge) undoRule(l *liveThread, in inbound.Input) {
	next := l.Clone()
	next.Decision, next.Held, next.Announce, next.Delivery = nil, nil, false, question.Delivery{}
	next.Wizard.Rev++
	next.Rev++
	now, rule := time.Now(), b.access.ruleFor(l)
	b.access.noteRule(&next, rule)
	setDeadline(&next, rule, now)
	next.Escalations = b.escalationsOf(rule, now)
	b.decide(l, next, in.Updates(), storage.Entry{Kind: storage.EntryUndone, By: in.Author()})
	b.acknowledge(in)
	b.followRules(l)
	b.reconcile(l)
}

// isForOldStep reports whether a text was said at a step, or replies to the box of one, that is not asked any more: it was not
// meant for the current step.
func (l *liveThread) isForOldStep(in inbound.Input) bool {
	card := l.Card(in.Chat)
	switch {
	case card < 0 || l.Request.Permission != nil:
		return false
	case in.Step != 0 && in.Step != l.Wizard.Step+1:
		return true
	}
	c := l.Cards[card]
	i := c.Box(in.ReplyTo)
	return i >= 0 && !c.Boxes[i].Reminder && c.Boxes[i].Item != l.Wizard.Step
}

// refuseOldStep consumes a text for an old step, tells the person, and reports whether it was one.
func (b *Bridge) refuseOldStep(l *liveThread, in inbound.Input) bool {
	if !l.isForOldStep(in) {
		return false
	}
	b.consumeRefused(in, l.Thread, storage.RefusedMovedOn)
	b.reply(in, ui.MovedOn())
	return true
}

// refuseBarred consumes a text that does not count, and tells the person once why.
func (b *Bridge) refuseBarred(l *liveThread, in inbound.Input, r refusal) {
	b.consumeRefused(in, l.Thread, r.why)
	if l.toldBarred[in.User.ID] || r.why == storage.RefusedStranger || r.why == storage.RefusedLetIn {
		return
	}
	l.noteToldBarred(in.User.ID)
	b.tell(in, r.say)
}

// takeText acts on a text for a thread.
func (b *Bridge) takeText(l *liveThread, in inbound.Input) {
	if l.TakenFrom(in.Chat) {
		b.refuseTaken(in, l.Thread)
		return
	}
	if !l.Open() {
		b.refuseLate(in, l.Thread, false)
		return
	}
	if barred := b.access.whyBarred(l, in.User.ID); barred.why != "" {
		b.refuseBarred(l, in, barred)
		return
	}
	if b.refuseOldStep(l, in) {
		return
	}
	w, err := l.Wizard.Apply(l.Request, question.WizardInput{Action: question.Say, Text: in.Text})
	var notice *question.Notice
	if err != nil && !errors.As(err, &notice) {
		b.refuseLate(in, l.Thread, false)
		return
	}
	b.advance(l, in, w, func() {
		if notice != nil {
			b.explainRefusal(l, in, *notice)
		}
	})
}

// explainRefusal replies to a text that was not taken with the reason.
func (b *Bridge) explainRefusal(l *liveThread, in inbound.Input, n question.Notice) {
	card := l.Card(in.Chat)
	if card < 0 || !b.mayReply(in) {
		return
	}
	b.sendNote(l, card, outbound.Message{
		ReplyTo: in.Message, Lang: in.User.Lang, Text: ui.NotTaken(n, l.Request).Text(),
	}, false)
}

// refuseLate replies to a text that came after the end, with the end.
func (b *Bridge) refuseLate(in inbound.Input, t question.Thread, noRight bool) {
	if t.TakenFrom(in.Chat) {
		b.refuseTaken(in, t)
		return
	}
	b.consumeRefused(in, t, storage.RefusedEnded)
	switch {
	case !b.mayReply(in):
	case noRight:
		b.sendText(in, ui.NoPromptEither(t.View()))
	default:
		b.tell(in, ui.HowItStands(t.View()))
	}
}

// refuseTaken replies to a text about what was taken from its chat. Nothing is said of what became of that.
func (b *Bridge) refuseTaken(in inbound.Input, t question.Thread) {
	b.consumeRefused(in, t, storage.RefusedTaken)
	b.reply(in, ui.Taken(t.Owner))
}

// noteToldBarred notes that a person was told why their texts do not count.
func (l *liveThread) noteToldBarred(id chat.UserID) {
	if l.toldBarred == nil {
		l.toldBarred = map[chat.UserID]bool{}
	}
	l.toldBarred[id] = true
}

// refuseUnsigned tells, once for each question, that an answer without a name does not
// count.
func (b *Bridge) refuseUnsigned(in inbound.Input) {
	b.consume(in.Updates())
	l := b.threads.withMessage(in.Chat, in.ReplyTo)
	if in.ReplyTo != 0 && l != nil && l.Open() && !l.toldBarred[0] {
		l.noteToldBarred(0)
		b.sendLoose(outbound.Message{Chat: in.Chat, Topic: in.Topic, ReplyTo: in.Message, Answer: true, Text: ui.Unsigned().Text()})
	}
}
