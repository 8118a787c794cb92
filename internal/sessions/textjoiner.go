package sessions

import (
	"slices"
	"sync"
	"time"

	"hermes/internal/inbound"
)

// textJoiner joins the parts of texts. targetOfRest and notePart are called beside the loop, in the
// order of the updates; the rest is for the loop.
type textJoiner struct {
	*services
	whole func(*partialText) // called with each text that is complete

	begun sync.Map // writer → begunText: which texts may be continued, as it is known beside the loop
	parts map[writer]*partialText
}

// begunText is a part that may be continued, and where it belongs.
type begunText struct {
	to   target
	part inbound.Input
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

func newTextJoiner(c *services, whole func(*partialText)) *textJoiner {
	return &textJoiner{services: c, whole: whole, parts: map[writer]*partialText{}}
}

// targetOfRest says which session a text belongs to that may be the rest of one before it.
func (j *textJoiner) targetOfRest(in inbound.Input) (target, bool) {
	value, ok := j.begun.LoadAndDelete(writerOf(in))
	if !ok || in.Command != "" {
		return target{}, false
	}
	b := value.(begunText)
	return b.to, in.CanContinue(b.part)
}

// notePart remembers a text that may be continued.
func (j *textJoiner) notePart(in inbound.Input, to target) {
	if in.Kind == inbound.Typed && inbound.MayBeContinued(in.Text) {
		j.begun.Store(writerOf(in), begunText{to, in})
	}
}

// goesOnWith reports whether an input can be more of the text. A reply to something else
// cannot, as it may be for another prompt to the same session, or for a question.
func (p *partialText) goesOnWith(in inbound.Input, to target) bool {
	return in.Command == "" && in.CanContinue(p.in) && p.to.session == to.session && p.to.answers == to.answers
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
	if inbound.MayBeContinued(text) && j.loop.Running() {
		p.until = p.until.Add(inbound.RestWithin)
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
