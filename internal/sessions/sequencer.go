package sessions

import (
	"time"

	"hermes/internal/inbound"
	"hermes/telegram/ui"
)

// sequencer hands inputs that are about sessions to the receiver, each once. An input has its
// place among those of its chat from when its first message comes in, and is handed on when
// it is whole: after the choices before it, and not before any OpenCode was heard of.
type sequencer struct {
	*services
	choices  *pendingChoices
	subjects *subjects
	receiver receiver

	early []func() // what came in before any OpenCode was heard of
	warm  bool     // nothing is early any more
}

// receiver acts on whole inputs, in the loop. It consumes their updates.
type receiver interface {
	takeTap(inbound.Input)
	takeCommand(inbound.Input, target)
	takeText(in inbound.Input, to target, text string, noReply bool)
	takeFiles(album, target)
	takeUnaddressed(inbound.Input)
}

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
func (s *sequencer) place(in inbound.Input, drives bool) *placedInput {
	to, _ := s.subjects.targetOf(in)
	p := &placedInput{first: in, to: to, drives: drives, why: s.subjects.unfitReason(in)}
	if p.why == nil && isChoice(in) {
		s.choices.noteOpen(in)
	}
	s.begin(p)
	return p
}

// begin waits for an input's turn.
func (s *sequencer) begin(p *placedInput) {
	if p.why != nil {
		p.isTurn = true
		return
	}
	inTurn := func() {
		s.choices.runAfter(p.first, func(settled bool) { s.findSession(p, settled) })
	}
	if s.warm {
		inTurn()
		return
	}
	s.early = append(s.early, inTurn)
}

// warmUp is how long after the start hermes waits for an OpenCode to be heard of, until
// it says of anything that none can be reached.
const warmUp = 5 * time.Second

// setWarm lets everything be done that came in before, in its order. Idempotent.
func (s *sequencer) setWarm() {
	early := s.early
	s.warm, s.early = true, nil
	for _, f := range early {
		f()
	}
}

// findSession continues with an input when the choice before it is made. One that was meant for
// a session that the choice did not come to has none.
func (s *sequencer) findSession(p *placedInput, settled bool) {
	in := p.first
	s.choices.startChoice(in)
	if p.to.asked && !s.routes.mayName(p.to) {
		p.why = ui.NoSuchSession()
	}
	unseen := s.choices.isAboveMiss(in) && (p.to.session == "" || in.ReplyTo == 0)
	switch {
	case p.drives && (!settled && p.to.session == "" || unseen) && (isPlain(in) || isAboutOne(in)):
		p.unused = true
	case p.to.session == "" && isPlain(in):
		p.to = sessionInUse(s.chats.settings(in.Chat))
		p.unused = p.drives && p.to.session == ""
	}
	p.isTurn = true
	s.handOn(p)
}

// handOn hands an input to the receiver if it is its turn and whole.
func (s *sequencer) handOn(p *placedInput) {
	if !p.isTurn || p.whole == nil {
		return
	}
	switch in := *p.whole; {
	case p.why != nil:
		s.respond.passOver(in, p.why)
	case !p.drives:
		s.respond.refuse(in)
	case !s.routes.isOpenTo(in, s.routes.homeOf(subjectOf(in, p.to))):
		s.respond.passOver(in, ui.NotYours())
	case p.unused && in.Kind == inbound.Typed && in.Command != "":
		s.askWhich(in)
	case p.unused && in.Kind == inbound.Typed:
		s.receiver.takeUnaddressed(in)
	case p.unused:
		s.receiver.takeFiles(albumOf(in), target{})
	case in.Kind == inbound.Attached:
		s.receiver.takeFiles(albumOf(in), p.to)
	case in.Kind == inbound.Tapped:
		s.receiver.takeTap(in)
	case in.Command != "":
		s.receiver.takeCommand(in, p.to)
	case p.to.session == "":
		s.receiver.takeUnaddressed(in)
	default:
		s.receiver.takeText(in, p.to, in.Text, false)
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
func (s *sequencer) askWhich(in inbound.Input) {
	if s.respond.mayReply(in) {
		s.respond.reply(in, ui.WhichSession().Text())
	}
}
