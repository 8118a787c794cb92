package bridge

import (
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// Which thread a message of a person is about.

// addStanding says how the threads stand to a message of a person on the list.
func (b *Bridge) addStanding(in inbound.Input, found *inbound.Found) {
	l := b.liveThreadOf(in)
	if l != nil && !l.Settled() {
		found.Standing, found.Thread = inbound.StandsOpen, l.Clone()
		found.Words, found.Either = l.mayBeOtherwise(in)
		return
	}
	var past question.Thread
	if past = b.retiredThread(in); l != nil {
		past = l.Clone()
	}
	switch {
	case past.ID != "":
		found.Standing, found.Thread = inbound.StandsEnded, past
		if past.Settled() {
			found.Prompts = past.TakesPrompts()
			found.Late = found.Prompts && mayAnswer(past, in, in.Sent.Add(b.config.Skew()))
		}
	case in.Kind == inbound.Typed && (in.ToBox || len(b.besideBoxes(in)) > 1):
		found.Standing = inbound.StandsNoBox
	case in.Private && b.asksIn(in):
		found.Standing = inbound.StandsUnclear
	}
}

// endSeen is how long after the end of an ask people count as not having seen it: the card is
// changed by then, and a text that was being written is sent. Telegram tells whole seconds.
const endSeen = 5 * time.Second

// mayAnswer reports whether a message that replies to an ask that has ended may be meant as its answer: the ask takes one still,
// the message replies to its reply box, or its writer may not have seen the end. Who has ended it knows that it has. sent is when it
// was written, by the clock here.
func mayAnswer(t question.Thread, in inbound.Input, sent time.Time) bool {
	card, by := t.Card(in.Chat), t.Outcome.By
	toBox := card >= 0 && t.Cards[card].Box(in.ReplyTo) >= 0
	return t.TakesLate() || toBox || (by.Kind != question.Person || by.User != in.User.ID) && sent.Before(t.Outcome.At.Add(endSeen))
}

// tapsLate reports whether a tap on the card of an ask that has ended is an answer that its session can be sent. What an owner's
// agent has asked is said to the owner alone.
func tapsLate(t question.Thread, in inbound.Input) bool {
	mine := t.Owner.ID == 0 || in.Private && t.Owner.ID == in.User.ID
	return t.TakesLate() && t.Card(in.Chat) >= 0 && !t.TakenFrom(in.Chat) && mine && t.AnswersOf(in.Move) != nil
}

// liveThreadOf finds the thread that a message is about. Files and what is forwarded are
// about the one that they reply to, and no other.
func (b *Bridge) liveThreadOf(in inbound.Input) *liveThread {
	switch {
	case in.Kind == inbound.Typed && !in.Forwarded:
		return b.threadFor(in)
	case in.ReplyTo != 0:
		return b.threads.withMessage(in.Chat, in.ReplyTo)
	}
	return nil
}

// threadFor finds the thread that a text is for: the one it replies to, or the only one
// that could be seen when it was written. It is nil if that leaves none, or several.
func (b *Bridge) threadFor(in inbound.Input) *liveThread {
	if in.ReplyTo != 0 {
		l := b.threads.withMessage(in.Chat, in.ReplyTo)
		if l == nil && in.ToBox {
			l = b.threadOfBox(in)
		}
		return l
	}
	if !in.Private {
		if open := b.besideBoxes(in); len(open) == 1 {
			return open[0]
		}
		return nil
	}
	if in.Command == "start" || in.WantsLink() {
		return nil
	}
	var open, typing []*liveThread
	for _, l := range b.threads.byID {
		if b.takesPlainText(l, in) && l.shownBefore(in) && l.fitsTopic(in) {
			open = append(open, l)
			if l.Wizard.Typing {
				typing = append(typing, l)
			}
		}
	}
	switch {
	case len(typing) == 1:
		return typing[0]
	case len(open) == 1:
		return open[0]
	}
	return nil
}

// besideBoxes finds the threads in whose reply box a person may mean to write, and could not: where a group has topics, some
// clients open none.
func (b *Bridge) besideBoxes(in inbound.Input) (open []*liveThread) {
	if !in.Forum || in.ReplyTo != 0 || in.Forwarded || in.WantsLink() {
		return nil
	}
	for _, l := range b.threads.byID {
		if l.HasOpenBox(in.Chat, in.Topic, in.User.ID, in.Sent) && b.takesPlainText(l, in) {
			open = append(open, l)
		}
	}
	return open
}

// takesPlainText reports whether a text that replies to nothing may be for an ask: not who is let in, nor what belongs to
// another person by now.
func (b *Bridge) takesPlainText(l *liveThread, in inbound.Input) bool {
	return l.Open() && l.Request.Admission == nil && !l.TakenFrom(in.Chat) && b.access.whyBarred(l, in.User.ID).why != storage.RefusedNotOwner
}

// fitsTopic reports whether a text in a private chat can be for the thread: one in the
// topic of a session is for that session.
func (l *liveThread) fitsTopic(in inbound.Input) bool {
	room := l.Cards[l.Card(in.Chat)].Room
	return room == 0 || in.Topic == 0 || in.Topic == room
}

func (l *liveThread) shownIn(chat chat.ID) bool {
	card := l.Card(chat)
	return card >= 0 && len(l.Cards[card].Messages) > 0
}

// shownBefore reports whether the chat showed the thread when the text was sent. A
// text may reach hermes long after that.
func (l *liveThread) shownBefore(in inbound.Input) bool {
	return l.shownIn(in.Chat) && !in.Sent.Before(l.Cards[l.Card(in.Chat)].ShownAt)
}

// retiredThread finds the retired thread that a tap or reply is about.
func (b *Bridge) retiredThread(in inbound.Input) question.Thread {
	key := storage.Key{ID: in.Thread}
	if in.Kind != inbound.Tapped {
		key = storage.Key{Chat: in.Chat, Message: in.ReplyTo}
	}
	if key == (storage.Key{}) || key.Chat != 0 && key.Message == 0 {
		return question.Thread{}
	}
	t, ok, err := b.config.Store.Find(key)
	if err != nil {
		b.log.Error("cannot read the store", "err", err)
	}
	if !ok || t.Card(in.Chat) < 0 {
		return question.Thread{}
	}
	return t
}

// asksIn reports whether the chat shows a question that waits, and that a text there may be for.
func (b *Bridge) asksIn(in inbound.Input) bool {
	for _, l := range b.threads.byID {
		if b.takesPlainText(l, in) && l.shownIn(in.Chat) {
			return true
		}
	}
	return false
}

// mayBeOtherwise reports whether a text for a thread begins like a command and may be one.
// A text that is exactly an option is not a command, nor is a reply that the thread refuses.
// words says whether the text replies to the thread, or words were asked for.
func (l *liveThread) mayBeOtherwise(in inbound.Input) (words, may bool) {
	if in.Command == "" || !l.Open() {
		return false, false
	}
	w, err := l.Wizard.Apply(l.Request, question.WizardInput{Action: question.Say, Text: in.Text})
	own := slices.ContainsFunc(w.Choices, func(c question.Choice) bool { return slices.Contains(c.Texts, in.Text) })
	if err == nil && !own || err != nil && in.ReplyTo != 0 {
		return false, false
	}
	return in.ReplyTo != 0 || l.wantsWords(), true
}

// wantsWords reports whether the step on screen asks for words.
func (l *liveThread) wantsWords() bool {
	return l.Wizard.Typing || l.OnlyWords()
}

// Recognize says who did something, and how the asks stand to it. It tries
// what that chat refused once more, notes the language of a person on the list, and, of a text that replies to a reply box whose
// number was not known, that number.
func (b *Bridge) Recognize(in inbound.Input) inbound.Found {
	known := b.access.knowsPerson(in.User.ID)
	if in.Kind != inbound.Blocked && in.Kind != inbound.Moved {
		b.retryRefused(in.Chat)
	}
	if in.User.Lang != "" && known && b.concernsChat(in.Chat) && b.chatOf(in.Chat).Lang != in.User.Lang {
		b.changeChat(in.Chat, nil, func(c *chat.Chat) { c.Lang = in.User.Lang })
	}
	found := inbound.Found{
		User: b.access.withName(in.User), Known: known, Drives: b.access.mayDrive(in.User.ID),
		Link: in.Kind == inbound.Typed && !in.Forwarded && b.opensLink(in),
	}
	if known && !found.Link && (in.Kind == inbound.Typed || in.Kind == inbound.Attached) {
		b.addStanding(in, &found)
	}
	if known && in.Kind == inbound.Tapped && in.Thread != "" {
		l, err := b.liveOrRetired(in.Thread)
		if found.Late = err == nil && tapsLate(l.Thread, in); found.Late {
			b.correctCopy(l.Thread, in) // the answer goes to the session, and no tap comes here
		}
	}
	return found
}
