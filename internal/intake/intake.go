package intake

import (
	"context"
	"errors"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/loop"
	"hermes/internal/question"
)

// Asks are the people on the list, and what agents ask them. Their errors say that an input
// was not looked at, or not taken: it is in the inbox then, for the next start.
type Asks interface {
	// Recognize says who did something, and how the asks stand to it.
	Recognize(context.Context, inbound.Input) (inbound.Found, error)
	// Take takes an input for any recipient but ForSession, ForDoubt, ForMeaning, ForVoice,
	// ForHeard and ForLater, and returns when its meaning is stored. thread is inbound.Found's.
	Take(ctx context.Context, in inbound.Input, to inbound.Recipient, thread question.ID) error
}

// Sessions are the sessions that people steer.
type Sessions interface {
	Receiver
	Asker
	Listener
}

// Listener writes down what people say in voice messages that reply to asks.
type Listener interface {
	// HearAnswer has a voice message written down, and asks who spoke whether that is the
	// answer. It does not wait. The update is consumed when they are asked, or told why not.
	HearAnswer(inbound.Input)
	// TakeHeard takes a tap that says whether what was heard is the answer. If it is, it is
	// given back as a text in reply to the ask, in the tap's update: whoever takes that
	// consumes it. Else the tap is consumed. The same tap may come again until then.
	TakeHeard(context.Context, inbound.Input) (answer inbound.Input, ok bool)
}

// Receiver takes inputs that are about sessions. Its methods never wait.
type Receiver interface {
	Recognize(inbound.Input) inbound.Steering
	// Begin gives an input its place among those of its chat, as it comes in. take is called,
	// once, with the whole of it. drives says whether its sender may drive sessions.
	Begin(in inbound.Input, drives bool) (take func(whole inbound.Input))
	// Moved follows a group that became a supergroup.
	Moved(from, to chat.ID)
}

// Asker asks what a text is.
type Asker interface {
	// AskMeaning asks the writer of a text whether it is an answer to t, or a command. It
	// does not wait.
	AskMeaning(in inbound.Input, t question.Thread)
	// Dismiss consumes an input that means nothing more, and acknowledges a tap. Its error
	// says that the sessions have ended.
	Dismiss(context.Context, inbound.Input) error
}

// Intake gives each input to the one that it is for. Make it with New, then Run it; the other
// methods may be called concurrently, at any time. All but Handle never wait.
type Intake struct {
	loop     *loop.Loop
	asks     Asks
	sessions Sessions // nil: nobody steers any

	begun   map[writer]*begun // what may be continued
	waiting []*delivery       // for messages that are on their way, oldest first
	doubts  map[chat.UpdateID]*doubt
	flights flights
}

// errEnded is why an input is not taken any more.
var errEnded = errors.New("the intake has ended")

// New makes an Intake. sessions may be nil.
func New(asks Asks, sessions Sessions) *Intake {
	return &Intake{
		loop: loop.New(0, errEnded), asks: asks, sessions: sessions,
		begun: map[writer]*begun{}, doubts: map[chat.UpdateID]*doubt{},
	}
}

// Run takes inputs until ctx ends. What it holds then is in the inbox, for the next start.
func (k *Intake) Run(ctx context.Context) {
	nothing := func() {}
	_ = k.loop.Run(ctx, func() error { return nil }, nothing) // the first step has no error
}

// Handle takes in what a person did, or what Telegram says of a chat, in the order of the calls, and each update once.
// It returns when the recipient has it: an ask has stored its meaning by then, and
// acknowledged a tap. What must wait is in the inbox meanwhile. Handle returns early if ctx
// ends first: the update is then still in the inbox.
func (k *Intake) Handle(ctx context.Context, in inbound.Input) {
	_ = k.loop.Do(ctx, func() {
		if !k.goesOn(ctx, in) {
			k.deliver(ctx, &delivery{in: in})
		}
	})
}

// Moved passes on that a group became a supergroup.
func (k *Intake) Moved(from, to chat.ID) {
	if k.sessions != nil {
		k.sessions.Moved(from, to)
	}
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
func (k *Intake) deliver(ctx context.Context, d *delivery) {
	onTheWay := k.flights.to(d.in.Chat) // looked at first: what arrives meanwhile, the asks and sessions know
	found, err := k.asks.Recognize(ctx, d.in)
	if err != nil {
		return
	}
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
	k.pass(ctx, d)
}

// pass gives a whole input to the one that it is for.
func (k *Intake) pass(ctx context.Context, d *delivery) {
	d.whole = true
	switch d.to {
	case inbound.ForSession:
		d.take(d.in)
	case inbound.ForDoubt:
		k.askMeaning(d)
	case inbound.ForMeaning:
		k.takeMeaning(ctx, d.in)
	case inbound.ForVoice:
		d.in.Step = d.thread.Wizard.Step + 1
		k.sessions.HearAnswer(d.in)
	case inbound.ForHeard:
		if answer, ok := k.sessions.TakeHeard(ctx, d.in); ok {
			k.deliver(ctx, &delivery{in: answer, whole: true, answer: true})
		}
	case inbound.ForLater:
		k.wait(ctx, d)
	default:
		_ = k.asks.Take(ctx, d.in, d.to, d.thread.ID) // else it is in the inbox
	}
}
