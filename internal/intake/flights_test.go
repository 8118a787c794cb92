package intake_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/inbound"
)

// A text may be for a card that people see before hermes knows its number.
func TestFlights_TextForACardThatIsSent(t *testing.T) {
	play(t, func(w *world) {
		arrived := w.SendingCard(adaChat)
		w.say("2")
		w.say("3", replyTo(9))
		w.say("/status")
		time.Sleep(time.Minute)
		w.want(`place: [3] "/status"`, `session: [3] "/status"`)
		w.asks = asked
		arrived()
		w.want(`cardq: [1] "2"`, `cardq: [2] "3"`)
	})
}

// It waits once, for what was on its way when it came, and for nothing else.
func TestFlights_WaitsOnce(t *testing.T) {
	play(t, func(w *world) {
		other := w.SendingCard(7)
		first, second := w.SendingCard(adaChat), w.SendingCard(adaChat)
		w.say("2")
		w.SendingCard(adaChat)
		first()
		other()
		w.want()
		second()
		w.want(`place: [1] "2"`, `session: [1] "2"`)
	})
}

// A reply to an unknown message may be for a session's. No other text waits for that.
func TestFlights_ReplyToASession(t *testing.T) {
	play(t, func(w *world) {
		arrived := w.SendingMessage(adaChat)
		w.say("go on", replyTo(71))
		w.say("look", replyTo(71), file(""))
		w.say("no reply")
		w.say("known", replyTo(70))
		w.want(`place: [3] "no reply"`, `session: [3] "no reply"`, `place: [4] "known"`, `session: [4] "known"`)
		arrived()
		w.want(`place: [1] "go on"`, `session: [1] "go on"`, `place: [2] "look"`, `session: [2] "look"`)
	})
}

// What arrives while it is found out what a text is about is not waited for.
func TestFlights_ArrivesMeanwhile(t *testing.T) {
	play(t, func(w *world) {
		arrived := w.SendingCard(adaChat)
		w.asks = func(in inbound.Input) inbound.Found {
			w.asks = nothingAsked
			arrived()
			return nothingAsked(in)
		}
		w.say("2")
		w.want(`place: [1] "2"`, `session: [1] "2"`)
	})
}

// What waits for a message keeps its place before what comes in as that arrives.
func TestFlights_OrderAsItArrives(t *testing.T) {
	play(t, func(w *world) {
		arrived := w.SendingCard(adaChat)
		w.say("first")
		w.taking = func(inbound.Input) {
			w.taking = func(inbound.Input) {}
			go w.say("second")
			synctest.Wait() // it is the intake's next input
			arrived()
		}
		w.say("/status")
		w.want(`place: [2] "/status"`, `session: [2] "/status"`, `place: [1] "first"`, `session: [1] "first"`, `place: [3] "second"`, `session: [3] "second"`)
	})
}

// Who takes an input may say at once that it sends something, and that it has arrived: nobody waits
// for the intake.
func TestIntake_NobodyWaitsForIt(t *testing.T) {
	play(t, func(w *world) {
		w.taking = func(inbound.Input) {
			w.SendingCard(adaChat)()
			w.SendingMessage(adaChat)()
		}
		w.asks = asked
		w.say("2")
		w.want(`cardq: [1] "2"`)
	})
}
