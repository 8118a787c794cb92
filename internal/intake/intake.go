package intake

import (
	"context"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/loop"
	"hermes/internal/question"
)

// Asks are the people on the list, and what agents ask them. Its methods are called in the loop.
type Asks interface {
	// Recognize says who did something, and how the asks stand to it.
	Recognize(inbound.Input) inbound.Found
	// Take takes an input for any recipient but ForSession, ForDoubt, ForMeaning, ForVoice,
	// ForHeard and ForLater, and stores its meaning. thread is inbound.Found's.
	Take(in inbound.Input, to inbound.Recipient, thread question.ID)
}

// Sessions are the sessions that people steer. Its methods are called in the loop.
type Sessions interface {
	Receiver
	Asker
	Listener
}

// Listener writes down what people say in voice messages that reply to asks.
type Listener interface {
	// HearAnswer has a voice message written down, and asks who spoke whether that is the
	// answer. The update is consumed when they are asked, or told why not.
	HearAnswer(inbound.Input)
	// TakeHeard takes a tap that says whether what was heard is the answer. If it is, it is
	// given back as a text in reply to the ask, in the tap's update: whoever takes that
	// consumes it. Else the tap is consumed. The same tap may come again until then.
	TakeHeard(inbound.Input) (answer inbound.Input, ok bool)
}

// Receiver takes inputs that are about sessions.
type Receiver interface {
	Recognize(inbound.Input) inbound.Steering
	// Begin gives an input its place among those of its chat, as it comes in. take is called,
	// once, with the whole of it. drives says whether its sender may drive sessions.
	Begin(in inbound.Input, drives bool) (take func(whole inbound.Input))
}

// Asker asks what a text is.
type Asker interface {
	// AskMeaning asks the writer of a text whether it is an answer to t, or a command.
	AskMeaning(in inbound.Input, t question.Thread)
	// Dismiss consumes an input that means nothing more, and acknowledges a tap.
	Dismiss(inbound.Input)
}

// Intake gives each input to the one that it is for. Make it with New; its methods may be called
// concurrently, at any time, but not from the loop. All but Handle never wait.
type Intake struct {
	loop     *loop.Loop
	asks     Asks
	sessions Sessions // nil: nobody steers any

	begun   map[writer]*begun // what may be continued
	waiting []*delivery       // for messages that are on their way, oldest first
	doubts  map[chat.UpdateID]*doubt
	flights []*flight // messages that are on their way
}

// New makes an Intake whose state belongs to the loop of asks and sessions. sessions may be nil.
func New(l *loop.Loop, asks Asks, sessions Sessions) *Intake {
	return &Intake{
		loop: l, asks: asks, sessions: sessions,
		begun: map[writer]*begun{}, doubts: map[chat.UpdateID]*doubt{},
	}
}

// Handle takes in what a person did, or what Telegram says of a chat, in the order of the calls, and each update once.
// It returns when the recipient has it: an ask has stored its meaning by then, and
// acknowledged a tap. What must wait is in the inbox meanwhile. Handle returns early if ctx or the
// loop ends first: the update is then still in the inbox.
func (k *Intake) Handle(ctx context.Context, in inbound.Input) {
	_ = k.loop.Do(ctx, func() {
		if !k.goesOn(in) {
			k.deliver(&delivery{in: in})
		}
	})
}

// delivery is an input, and whom it is for.
type delivery struct {
	in        inbound.Input
	to        inbound.Recipient
	thread    question.Thread           // inbound.Found's
	drives    bool                      // its sender may drive sessions
	take      func(whole inbound.Input) // ForSession: Receiver.Begin's
	after     []*flight                 // ForLater: what it may be for
	whole     bool                      // nothing of it is missing any more
	hasWaited bool                      // it waited for what it may be for
	answer    bool                      // its writer has said that it is an answer
}

// deliver decides whom an input is for, and gives it to them as soon as it is whole.
func (k *Intake) deliver(d *delivery) {
	onTheWay := k.flightsTo(d.in.Chat)
	found := k.asks.Recognize(d.in)
	d.in.User, d.in.Late = found.User, found.Late
	f := facts{in: d.in, asks: found, hasWaited: d.hasWaited, answer: d.answer}
	f.cards, f.messages = isAmong(onTheWay, ofCard), isAmong(onTheWay, ofSession)
	if f.steers = k.sessions != nil; f.steers && found.Known {
		f.sessions = k.sessions.Recognize(d.in)
	}
	d.to, d.thread, d.drives = decide(f), found.Thread, found.Drives
	switch d.to {
	case inbound.ForSession:
		d.take = k.sessions.Begin(d.in, d.drives)
	case inbound.ForLater:
		d.after = onTheWay
		if d.in.ReplyTo == 0 && d.in.Kind != inbound.Tapped {
			d.after = only(onTheWay, ofCard)
		}
	}
	if d.mayGoOn(found.Known) {
		k.hold(&begun{delivery: d, last: d.in})
		return
	}
	k.pass(d)
}

// pass gives a whole input to the one that it is for.
func (k *Intake) pass(d *delivery) {
	d.whole = true
	switch d.to {
	case inbound.ForSession:
		d.take(d.in)
	case inbound.ForDoubt:
		k.askMeaning(d)
	case inbound.ForMeaning:
		k.takeMeaning(d.in)
	case inbound.ForVoice:
		d.in.Step = d.thread.Wizard.Step + 1
		k.sessions.HearAnswer(d.in)
	case inbound.ForHeard:
		if answer, ok := k.sessions.TakeHeard(d.in); ok {
			k.deliver(&delivery{in: answer, whole: true, answer: true})
		}
	case inbound.ForLater:
		k.wait(d)
	default:
		k.asks.Take(d.in, d.to, d.thread.ID)
	}
}
