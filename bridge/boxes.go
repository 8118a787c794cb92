package bridge

import (
	"context"
	"slices"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/storage"
)

// Reply boxes open for people who want to type, and are removed afterwards.

// addWantedBox adds the box of a person who wants to type, in the chat where they said so, or who has tapped their way to a
// step that takes words alone. It is stored with what they did and sent once: a crash behind that leaves one that is
// not known, or none, and the card takes the words as well.
func (b *Bridge) addWantedBox(before, next question.Thread, in inbound.Input) question.Thread {
	next = next.CloseUnsure()
	card, step := next.Card(in.Chat), next.Wizard.Step
	led := step != before.Wizard.Step
	asked := in.Kind == inbound.Tapped && (in.Move.Action == question.Type || led)
	if !asked || card < 0 || !next.WantsWords(step) || !b.mayReply(in) {
		return next
	}
	return next.WithBox(card, in.User)
}

// sendNewBoxes sends the boxes that a change has added. They are in the store by now. None is
// sent while hermes ends, as its number would be lost: the card takes the words too.
func (b *Bridge) sendNewBoxes(l *liveThread, before question.Thread) {
	if !b.loop.Running() {
		return
	}
	for card, c := range l.Cards {
		for _, box := range c.Boxes {
			fresh := card >= len(before.Cards) || !slices.Contains(before.Cards[card].Boxes, box)
			if fresh && box.Begun && box.Message == 0 && !box.Over {
				b.sendBox(l, card, box)
			}
		}
	}
}

// sendDueBoxes does what is owed to the boxes of a card by now.
func (b *Bridge) sendDueBoxes(l *liveThread, card int) {
	if l.boxSteps[card] > 0 {
		return
	}
	due, fresh := l.DueBoxes(card, time.Now()), false
	for _, i := range due {
		if box := l.Cards[card].Boxes[i]; box.Message == 0 {
			box.Begun, fresh = true, true
			l.setBox(card, i, box)
		}
	}
	if fresh {
		b.saveThread(l)
	}
	for _, i := range due {
		b.sendBox(l, card, l.Cards[card].Boxes[i])
	}
}

// sendBox has a box sent, or removed where its message is known.
func (b *Bridge) sendBox(l *liveThread, card int, box question.ReplyBox) {
	c := l.Cards[card]
	post := outbound.BoxPost{
		Chat: c.Chat, Topic: c.Place(), Message: box.Message, User: box.User, View: l.currentView(card), Source: l.LastOrigin().Source(),
		Reminder: box.Reminder, ReplyTo: l.Buttons(card),
	}
	if l.boxSteps == nil {
		l.boxSteps = map[int]int{}
	}
	l.boxSteps[card]++
	done := make(chan question.BoxDone, 1)
	b.config.Chat.Box(post, func(d question.BoxDone) { done <- d })
	b.loop.Beside(func(context.Context) func() {
		d := <-done
		return func() {
			l.boxSteps[card]--
			b.noteBoxDone(l, card, box, post, d)
			b.reconcile(l)
		}
	})
}

// noteBoxDone notes what became of a box.
func (b *Bridge) noteBoxDone(l *liveThread, card int, box question.ReplyBox, p outbound.BoxPost, d question.BoxDone) {
	switch {
	case b.threads.byID[l.ID] != l || l.Cards[card].Chat != p.Chat:
		return
	case d.MovedTo != 0:
		b.followMove(p.Chat, d.MovedTo)
		return
	case b.forum.FindsGone(l.Thread, l.Cards[card], p.Topic, d.Err):
		d.Final = true // the card is shown anew, without its boxes
	case d.Err != nil:
		b.log.Debug("a reply box was not sent, or not removed", "question", l.ID, "chat", p.Chat, "err", d.Err)
	}
	next := time.Now().Add(max(d.RetryAfter, retry.Backoff(box.Tries.Made+1, time.Second, time.Minute)))
	if p.Message == 0 {
		l.noteBoxSent(card, box, d, next)
	} else if i := l.Cards[card].Box(p.Message); i >= 0 {
		l.setBox(card, i, box.Removed(d, next))
	}
	b.saveThread(l)
}

// noteBoxSent notes what became of sending a box. A reply may have told its number before.
func (l *liveThread) noteBoxSent(card int, box question.ReplyBox, d question.BoxDone, next time.Time) {
	c := l.Cards[card]
	i := c.Sending(box)
	switch {
	case c.Box(d.ID) >= 0:
	case i >= 0:
		l.setBox(card, i, c.Boxes[i].Sent(d, next))
	case d.ID != 0: // a reply was taken for one to this box, and it was to another
		c.Boxes = append(slices.Clone(c.Boxes), box.Sent(d, next))
		l.setCard(card, c)
	}
}

// setBox replaces a box without touching what other goroutines read.
func (l *liveThread) setBox(card, i int, box question.ReplyBox) {
	c := l.Cards[card]
	c.Boxes = slices.Clone(c.Boxes)
	c.Boxes[i] = box
	l.setCard(card, c)
}

// hasBoxSteps reports whether something is under way about the thread's boxes.
func (l *liveThread) hasBoxSteps() bool {
	for _, n := range l.boxSteps {
		if n > 0 {
			return true
		}
	}
	return false
}

// threadOfBox finds the thread of a reply to a box of which only its sending is known: that of the same person in the
// chat, if it is the only one. From then on the box is known. What any thread in the store has, also one that has
// ended or cannot be read, is no such box.
func (b *Bridge) threadOfBox(in inbound.Input) *liveThread {
	if _, known, err := b.config.Store.Find(storage.Key{Chat: in.Chat, Message: in.ReplyTo}); known || err != nil {
		return nil
	}
	var found *liveThread
	for _, l := range b.threads.byID {
		if _, i := l.unsureBox(in); i < 0 {
			continue
		}
		if found != nil {
			return nil
		}
		found = l
	}
	if found == nil {
		return nil
	}
	card, i := found.unsureBox(in)
	found.setBox(card, i, found.Cards[card].Boxes[i].Known(in.ReplyTo))
	b.saveThread(found)
	b.reconcile(found)
	return found
}

// unsureBox is the box that a reply to one that is not known can be to, and the card that it belongs to.
func (l *liveThread) unsureBox(in inbound.Input) (card, box int) {
	card = l.Card(in.Chat)
	if card < 0 {
		return card, -1
	}
	return card, l.Cards[card].UnsureBox(in.User.ID, l.Wizard.Step)
}
