package sessions

import (
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/telegram/ui"
)

// Inputs that are about sessions are acted on once. Each has its
// place among those of its chat from when its first message comes in, and is handed on when
// it is whole: after the choices before it, and not before any OpenCode was heard of.

// placedInput is an input that has its place, which it gets by its first message.
type placedInput struct {
	first  inbound.Input
	to     target
	drives bool
	why    ui.Line // it does not count; nil: it may

	whole  *inbound.Input // nil: it is not whole yet
	isTurn bool           // it is its turn
	unused bool           // it has no session
}

// place gives an input its place. The calls are in the order of the updates.
func (c *Controller) place(in inbound.Input, drives bool) *placedInput {
	to, _ := c.targetOf(in)
	p := &placedInput{first: in, to: to, drives: drives, why: c.unfitReason(in)}
	switch {
	case p.why != nil:
		p.isTurn = true
	case c.warm:
		c.awaitChoice(p)
	default:
		c.early = append(c.early, p)
	}
	return p
}

// awaitChoice gives an input its turn behind the choice that its chat works on.
func (c *Controller) awaitChoice(p *placedInput) {
	c.choices.runAfter(p.first, func(settled bool) { c.findSession(p, settled) })
}

// isChoosing reports whether an input that came in before may still change what a chat uses.
func (c *Controller) isChoosing(id chat.ID) bool {
	return c.choices.current[id] != nil ||
		slices.ContainsFunc(c.early, func(p *placedInput) bool { return p.first.Chat == id && isChoice(p.first) })
}

// warmUp is how long after the start hermes waits for an OpenCode to be heard of, until
// it says of anything that none can be reached.
const warmUp = 5 * time.Second

// setWarm lets everything be done that came in before, in its order. Idempotent.
func (c *Controller) setWarm() {
	early := c.early
	c.warm, c.early = true, nil
	for _, p := range early {
		c.awaitChoice(p)
	}
}

// findSession continues with an input when the choice before it is made. One that was meant for
// a session that the choice did not come to has none.
func (c *Controller) findSession(p *placedInput, settled bool) {
	in := p.first
	c.choices.startChoice(in)
	if p.to.asked && !c.routes.mayName(p.to) {
		p.why = ui.NoSuchSession()
	}
	unseen := c.choices.isAboveMiss(in) && (p.to.session == "" || in.ReplyTo == 0)
	switch {
	case p.drives && (!settled && p.to.session == "" || unseen) && (isPlain(in) || isAboutOne(in)):
		p.unused = true
	case p.to.session == "" && isPlain(in):
		p.to = sessionInUse(c.chats.settings(in.Chat))
		p.unused = p.drives && p.to.session == ""
	}
	p.isTurn = true
	c.handOn(p)
}

// handOn acts on an input if it is its turn and whole.
func (c *Controller) handOn(p *placedInput) {
	if !p.isTurn || p.whole == nil {
		return
	}
	switch in := *p.whole; {
	case p.why != nil:
		c.passOver(in, p.why)
	case !p.drives:
		c.refuse(in)
	case !c.routes.isOpenTo(in, c.routes.homeOf(subjectOf(in, p.to))):
		c.passOver(in, ui.NotYours())
	case p.unused && in.Kind == inbound.Typed && in.Command != "":
		c.askWhich(in)
	case p.unused && in.Kind == inbound.Typed:
		c.takeUnaddressed(in)
	case p.unused:
		c.takeFiles(albumOf(in), target{})
	case in.Kind == inbound.Attached:
		c.takeFiles(albumOf(in), p.to)
	case in.Kind == inbound.Tapped:
		c.takeTap(in)
	case in.Command != "":
		c.takeCommand(in, p.to)
	case p.to.session == "":
		c.takeUnaddressed(in)
	default:
		c.takeText(in, p.to, in.Text, false)
	}
}

// subjectOf is what an input is about; of a tap, the session of its button.
func subjectOf(in inbound.Input, to target) target {
	if in.Kind == inbound.Tapped && to.session == "" {
		to.session = in.Button.Session
	}
	return to
}

// askWhich tells that a command has no session.
func (c *Controller) askWhich(in inbound.Input) {
	if c.mayReply(in) {
		c.reply(in, ui.WhichSession().Text())
	}
}
