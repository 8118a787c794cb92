package sessions

import (
	"slices"
	"sync"
	"time"
	"unicode/utf16"

	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// Telegram's clients cut a text of more than 4096 characters into several messages, at
// a space or line break before that; the later ones reply to the same message or to
// none. So a text that is almost as long may go on: its rest is waited for, and joined
// to it. A crash meanwhile loses nothing, as the parts stay in the inbox.
const (
	almostFull = 3500 // UTF-16 units, as clients count
	restWithin = 1500 * time.Millisecond
	sentWithin = 3 * time.Second // by Telegram's clock, which has whole seconds
)

func isAlmostFull(text string) bool { return len(utf16.Encode([]rune(text))) >= almostFull }

// textJoiner joins the parts of texts. targetOfRest and notePart are called beside the loop, in the
// order of the updates; the rest is for the loop.
type textJoiner struct {
	*common
	whole func(*partialText) // called with each text that is complete

	begun sync.Map // writer → begunText: which texts may go on, as it is known beside the loop
	parts map[writer]*partialText
}

// begunText is where a text that may go on belongs, and when it was written.
type begunText struct {
	to      target
	sent    time.Time
	replyTo chat.MessageID
}

// partialText is such a text.
type partialText struct {
	in      inbound.Input // the first part
	to      target
	text    string
	noReply bool
	until   time.Time // when no more is waited for
	alarm   alarm
}

// Next says when a text is complete.
func (p *partialText) Next(now time.Time) ([]step, time.Time) {
	d := due{now: now}
	d.add(passOnStep, p.until)
	return d.steps, d.wake
}

func newTextJoiner(c *common, whole func(*partialText)) *textJoiner {
	return &textJoiner{common: c, whole: whole, parts: map[writer]*partialText{}}
}

// targetOfRest says which session a text belongs to that may be the rest of one before it.
func (j *textJoiner) targetOfRest(in inbound.Input) (target, bool) {
	value, ok := j.begun.LoadAndDelete(writerOf(in))
	if !ok || in.Command != "" {
		return target{}, false
	}
	b := value.(begunText)
	isRest := in.Sent.Sub(b.sent) <= sentWithin && (in.ReplyTo == 0 || in.ReplyTo == b.replyTo)
	return b.to, isRest
}

// notePart remembers a text that is almost full.
func (j *textJoiner) notePart(in inbound.Input, to target) {
	if in.Kind == inbound.Typed && isAlmostFull(in.Text) {
		j.begun.Store(writerOf(in), begunText{to, in.Sent, in.ReplyTo})
	}
}

// goesOnWith reports whether an input can be more of the text. A reply to something else is
// none, as it may be for another prompt to the same session, or for a question.
func (p *partialText) goesOnWith(in inbound.Input, to target) bool {
	return in.Command == "" && in.Sent.Sub(p.in.Sent) <= sentWithin && (in.ReplyTo == 0 || in.ReplyTo == p.in.ReplyTo) &&
		p.to.session == to.session && p.to.answers == to.answers
}

// addPart adds a part to the text that it may belong to.
func (j *textJoiner) addPart(in inbound.Input, to target, text string, noReply bool) {
	w := writerOf(in)
	p := j.parts[w]
	if p != nil && !p.goesOnWith(in, to) {
		j.complete(w)
		p = nil
	}
	if p == nil {
		p = &partialText{in: in, to: to, text: text, noReply: noReply}
		j.parts[w] = p
	} else {
		p.text += "\n" + text
		j.respond.joinInput(p.in, in)
		p.in.Sent = in.Sent
	}
	p.until = time.Now()
	if isAlmostFull(text) && j.loop.Running() {
		p.until = p.until.Add(restWithin)
	}
	j.advance(w, p)
}

func (j *textJoiner) advance(w writer, p *partialText) {
	if j.parts[w] != p {
		return
	}
	steps, wake := p.Next(time.Now())
	p.alarm.set(j.loop, wake, func() { j.advance(w, p) })
	if slices.Contains(steps, passOnStep) {
		j.complete(w)
	}
}

// complete passes on the text that a person has begun, if there is one.
func (j *textJoiner) complete(w writer) {
	p := j.parts[w]
	if p == nil {
		return
	}
	delete(j.parts, w)
	p.alarm.stop()
	j.whole(p)
}
