package intake_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/intake"
	"hermes/internal/loop"
	"hermes/internal/question"
)

const (
	adaChat chat.ID     = 1
	ada     chat.UserID = 11
	bob     chat.UserID = 12
)

// world is an Intake between stand-ins that say of an input what the test tells them, and
// write down, in lines, what they are given.
type world struct {
	*intake.Intake
	t    *testing.T
	last chat.UpdateID

	asks   func(inbound.Input) inbound.Found
	steers func(inbound.Input) inbound.Steering
	taking func(inbound.Input) // called by who takes an input
	mu     sync.Mutex          // for lines, which timers lead to as well
	lines  []string
	given  []inbound.Input
	stop   func()
}

// play runs a test in a bubble. Ada's chat uses a session, and nothing is asked.
func play(t *testing.T, test func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, asks: nothingAsked, steers: usesSession, taking: func(inbound.Input) {}}
		l := loop.New(0)
		w.Intake = intake.New(l, askStandIn{w}, sessionStandIn{w})
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			_ = l.Run(ctx, func() error { return nil }, func() {})
			close(ended)
		}()
		w.stop = func() { stop(); <-ended }
		defer w.stop()
		test(w)
	})
}

func nothingAsked(in inbound.Input) inbound.Found {
	return inbound.Found{User: in.User, Known: true, Drives: true}
}

// asked finds that the question "q" wants the text.
func asked(in inbound.Input) inbound.Found {
	f := nothingAsked(in)
	f.Standing, f.Thread = inbound.StandsOpen, question.Thread{ID: "q"}
	f.Either, f.Words = in.Command != "", true
	return f
}

func usesSession(in inbound.Input) inbound.Steering {
	return inbound.Steering{
		About: in.Kind != inbound.Tapped || in.Button.Kind != "", Reply: in.ReplyTo == 70, Command: in.Command == "status", Home: true,
	}
}

func (w *world) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

// want fails the test unless exactly these lines were written since it was called last.
func (w *world) want(lines ...string) {
	w.t.Helper()
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.lines, lines) {
		w.t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(w.lines, "\n\t"), strings.Join(lines, "\n\t"))
	}
	w.lines = nil
}

type askStandIn struct{ w *world }

func (a askStandIn) Recognize(in inbound.Input) inbound.Found { return a.w.asks(in) }

func (a askStandIn) Take(in inbound.Input, to inbound.Recipient, thread question.ID) {
	a.w.taking(in)
	a.w.given = append(a.w.given, in)
	a.w.note("%s%s: %s", to, thread, inWords(in))
}

type sessionStandIn struct{ w *world }

func (s sessionStandIn) Recognize(in inbound.Input) inbound.Steering { return s.w.steers(in) }

func (s sessionStandIn) Begin(in inbound.Input, _ bool) func(inbound.Input) {
	s.w.note("place: %s", inWords(in))
	return func(whole inbound.Input) {
		s.w.taking(whole)
		s.w.given = append(s.w.given, whole)
		s.w.note("session: %s", inWords(whole))
	}
}

func (s sessionStandIn) AskMeaning(in inbound.Input, t question.Thread) {
	s.w.note("which%s: %s", t.ID, inWords(in))
}

func (s sessionStandIn) Dismiss(in inbound.Input) { s.w.note("dismissed: %s", inWords(in)) }

func (s sessionStandIn) HearAnswer(in inbound.Input) { s.w.note("hear: %s", inWords(in)) }

// TakeHeard takes a tap that says that "The Bridge" was heard.
func (s sessionStandIn) TakeHeard(tap inbound.Input) (inbound.Input, bool) {
	s.w.note("heard: %s", inWords(tap))
	return inbound.Input{Kind: inbound.Typed, Update: tap.Update, Chat: tap.Chat, User: tap.User, Text: "The Bridge", ReplyTo: 5}, tap.Button.Kind == inbound.ButtonSay
}

// inWords is an input as the tests write it: its updates, and its text, or its button.
func inWords(in inbound.Input) string {
	text := strings.ReplaceAll(in.Text, long, "long")
	if in.Kind == inbound.Tapped {
		text = string(in.Button.Kind)
	}
	return strings.TrimSpace(fmt.Sprintf("%v %q", in.Updates(), text))
}

var long = strings.Repeat("a", 4000)

// say is a text of Ada's in her private chat.
func (w *world) say(text string, alter ...func(*inbound.Input)) inbound.Input {
	w.last++
	in := inbound.Input{
		Kind: inbound.Typed, Update: w.last, Chat: adaChat, Private: true, Message: chat.MessageID(w.last), Text: text,
		User: chat.User{ID: ada}, Sent: time.Now(),
	}
	if word, ok := strings.CutPrefix(text, "/"); ok {
		in.Command, _, _ = strings.Cut(word, " ")
	}
	for _, one := range alter {
		one(&in)
	}
	w.Handle(w.t.Context(), in)
	return in
}

func replyTo(id chat.MessageID) func(*inbound.Input) {
	return func(in *inbound.Input) { in.ReplyTo = id }
}

func by(user chat.UserID) func(*inbound.Input) { return func(in *inbound.Input) { in.User.ID = user } }

// file makes a photo of a text, which becomes its caption.
func file(album string) func(*inbound.Input) {
	return func(in *inbound.Input) { in.Kind, in.Album, in.What = inbound.Attached, album, chat.Photo }
}

func taps(button inbound.ButtonKind, about chat.UpdateID) func(*inbound.Input) {
	return func(in *inbound.Input) {
		in.Kind, in.Button, in.Callback = inbound.Tapped, inbound.Button{Kind: button, Update: about}, "c"
	}
}
