package question

import (
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/retry"
)

// ReplyBox is the short message that opens one person's reply box, after they said in a chat that they want to
// type: Telegram opens it for new messages alone. A reply to it is a reply to the ask. It is sent once, and removed
// when the words have come or none are wanted any more.
//
// Telegram's answer to the sending may be lost, or hermes killed before it stored it. Then Message is not known: the
// box is not sent again, and a reply of that person to it tells its number.
type ReplyBox struct {
	chat.User                // whose it is
	Item      int            `json:"item,omitzero"`    // the step that asks for the words
	Begun     bool           `json:"begun,omitzero"`   // it is being sent, or was: it may be there
	Message   chat.MessageID `json:"message,omitzero"` // 0: not known to be there
	At        time.Time      `json:"at,omitzero"`      // when it was sent, by Telegram's clock, in whole seconds; zero: not known
	Over      bool           `json:"over,omitzero"`    // nothing more is done about it; a late reply to it is still known
	Tries     retry.Attempts `json:"tries,omitzero"`   // failed ones, to send or to remove it

	Reminder bool `json:"reminder,omitzero"` // it is the message of a reminder instead, which is sent otherwise: it is removed before the next one, and when the ask waits no more
}

// BoxDone says what became of a BoxPost. That it was removed already is no error.
type BoxDone struct {
	ID         chat.MessageID // of a box that was sent
	At         time.Time      // when, by Telegram's clock, in whole seconds
	Err        error
	Unknown    bool          // with Err: it may have been sent all the same
	Final      bool          // with Err: no further try will succeed
	RetryAfter time.Duration // with Err: Telegram said when to try again
	MovedTo    chat.ID       // with Err: the chat's new id
}

// Bounds of reply boxes: how often one is tried to be sent, and of how many that are over a card remembers.
const (
	boxTries  = 3
	pastBoxes = 32
)

// WantsWords reports whether the step asks for words: one of those who answer has said that they want to type, or has
// tapped their way to a step that takes nothing else, and nothing was done there since.
func (t Thread) WantsWords(item int) bool {
	return t.Open() && t.Wizard.Step == item && (t.Wizard.Typing || t.OnlyWords() && t.Wizard.Last.leads())
}

// OnlyWords reports whether the step on screen is a question without options.
func (t Thread) OnlyWords() bool {
	step := t.Wizard.Step
	return step < len(t.Request.Items) && len(t.Request.Items[step].Options) == 0 && t.Request.Items[step].TakesText()
}

// leads reports whether a tap on it can lead to another step.
func (m WizardInput) leads() bool {
	return m.Action == Pick || m.Action == Done || m.Action == Go || m.Action == Skip || m.Action == UseDefault
}

// owes reports whether there is something to do about the box: to send it, or to remove it.
func (t Thread) owes(c Card, b ReplyBox) bool {
	if c.Taken > 0 {
		return !b.Over && b.Message != 0
	}
	if b.Reminder {
		return !b.Over && !t.Open()
	}
	wanted := t.WantsWords(b.Item)
	return !b.Over && (wanted && !b.Begun || !wanted && b.Message != 0)
}

// boxes adds what is owed to people's reply boxes, one step a card. It reports whether there is anything.
func (t Thread) boxes(d *due) (owed bool) {
	for i := range t.Cards {
		if box := t.NextBox(i); box >= 0 {
			d.at(t.Cards[i].Boxes[box].Tries.Next, Boxes, i)
			owed = true
		}
	}
	return owed
}

// NextBox is the box of a card for which something is owed first, -1 for none.
func (t Thread) NextBox(card int) int {
	c, next := t.Cards[card], -1
	if c.Refused != "" {
		return -1
	}
	for i, b := range c.Boxes {
		if t.owes(c, b) && (next < 0 || b.Tries.Next.Before(c.Boxes[next].Tries.Next)) {
			next = i
		}
	}
	return next
}

// DueBoxes are the boxes of a card for which there is something to do now.
func (t Thread) DueBoxes(card int, now time.Time) (due []int) {
	for i, b := range t.Cards[card].Boxes {
		if t.Cards[card].Refused == "" && t.owes(t.Cards[card], b) && !b.Tries.Next.After(now) {
			due = append(due, i)
		}
	}
	return due
}

// CloseUnsure is the thread in which boxes that are not known to be there are over, if their words are not wanted any
// more: the next who wants to type gets another one. A reply can still tell the number of one that was sent.
func (t Thread) CloseUnsure() Thread {
	t = t.Clone()
	for i, c := range t.Cards {
		boxes := slices.Clone(c.Boxes)
		for n, b := range boxes {
			boxes[n].Over = b.Over || b.Message == 0 && !t.WantsWords(b.Item)
		}
		t.Cards[i].Boxes = boxes
	}
	return t
}

// unsure reports whether it may be there, and nobody knows where.
func (b ReplyBox) unsure() bool { return b.Begun && b.Message == 0 }

// WithBox is the thread with a box for a person in one of its chats, as begun; unchanged if they have one there, or one
// waits for its next try.
func (t Thread) WithBox(card int, u chat.User) Thread {
	c := t.Cards[card]
	mine := func(b ReplyBox) bool { return b.User.ID == u.ID && b.Item == t.Wizard.Step && !b.Over }
	if slices.ContainsFunc(c.Boxes, mine) {
		return t
	}
	t = t.Clone()
	t.Cards[card].Boxes = append(pruned(c.Boxes), ReplyBox{User: u, Item: t.Wizard.Step, Begun: true})
	return t
}

// pruned is a copy without the oldest of those that are over, where there are too many.
func pruned(boxes []ReplyBox) []ReplyBox {
	over := 0
	for _, b := range boxes {
		if b.Over {
			over++
		}
	}
	return slices.DeleteFunc(slices.Clone(boxes), func(b ReplyBox) bool {
		if !b.Over || over <= pastBoxes {
			return false
		}
		over--
		return true
	})
}

// Box returns the index of the card's box that is this message, -1 for none.
func (c Card) Box(m chat.MessageID) int {
	return slices.IndexFunc(c.Boxes, func(b ReplyBox) bool { return m != 0 && b.Message == m })
}

// UnsureBox returns the index of a person's box of which nothing but its sending is known, -1 for none. Of several it
// is the last of the step that is asked, and one that is not over before those that are.
func (c Card) UnsureBox(id chat.UserID, asked int) int {
	found, best := -1, -1
	for i, b := range c.Boxes {
		if b.User.ID != id || !b.unsure() {
			continue
		}
		rank := 0
		if b.Item == asked {
			rank += 2
		}
		if !b.Over {
			rank++
		}
		if rank >= best {
			found, best = i, rank
		}
	}
	return found
}

// boxOpenFor is how long the owner of a reply box may write to it without a reply.
const boxOpenFor = 10 * time.Minute

// HasOpenBox reports whether a person who writes in the topic then has a reply box there for the step that is asked. In the
// topics of a group Telegram Desktop and macOS open none (tdesktop history_widget.cpp alone knows it; telegram-bot-api#470).
func (t Thread) HasOpenBox(in chat.ID, topic int, who chat.UserID, sent time.Time) bool {
	const general = 1 // no message of it names it
	for _, c := range t.Cards {
		if place := c.Place(); c.Chat != in || place != topic && (place != general || topic != 0) {
			continue
		}
		for _, b := range c.Boxes {
			if b.User.ID == who && b.Message != 0 && !b.Over && !b.Reminder && t.WantsWords(b.Item) && !sent.Before(b.At) && sent.Before(b.At.Add(boxOpenFor)) {
				return true
			}
		}
	}
	return false
}

// Sending returns the index of a box that was being sent, as it is by now: it may be over. It is -1 if its number is
// known by a reply.
func (c Card) Sending(b ReplyBox) int {
	i := slices.Index(c.Boxes, b)
	if i < 0 {
		b.Over = true
		i = slices.Index(c.Boxes, b)
	}
	return i
}

// Known is the box as a message that is there. It is removed when its words are not wanted.
func (b ReplyBox) Known(m chat.MessageID) ReplyBox {
	b.Message, b.Over, b.Tries = m, false, retry.Attempts{}
	return b
}

// Sent notes what became of sending it; next is when a further try is made, if one is.
func (b ReplyBox) Sent(d BoxDone, next time.Time) ReplyBox {
	switch {
	case d.Err == nil:
		b = b.Known(d.ID)
		b.At = d.At
	case d.Unknown:
	case d.Final || b.Over || b.Tries.Made+1 >= boxTries:
		b.Begun, b.Over = false, true
	default:
		b.Begun = false
		b.Tries = b.Tries.Failed(next)
	}
	return b
}

// Removed notes what became of removing it, likewise.
func (b ReplyBox) Removed(d BoxDone, next time.Time) ReplyBox {
	if b.Over = d.Err == nil || d.Final; !b.Over {
		b.Tries = b.Tries.Failed(next)
	}
	return b
}
