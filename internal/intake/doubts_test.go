package intake_test

import (
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// The writer says what a text is, once; nobody else can.
func TestDoubts_TheWriterSays(t *testing.T) {
	for kind, want := range map[inbound.ButtonKind][]string{
		inbound.ButtonAnswer:  {`dismissed: [3] "answer"`, `cardq: [1] "/data"`},
		inbound.ButtonCommand: {`dismissed: [3] "command"`, `place: [1] "/data"`, `session: [1] "/data"`},
	} {
		t.Run(string(kind), func(t *testing.T) {
			play(t, func(w *world) {
				w.asks = asked
				w.say("/data")
				w.want(`whichq: [1] "/data"`)
				w.say("", taps(kind, 1), by(bob))
				w.want(`dismissed: [2] "` + string(kind) + `"`)
				w.say("", taps(kind, 1))
				w.want(want...)
				w.say("", taps(kind, 1))
				w.want(`dismissed: [4] "` + string(kind) + `"`)
			})
		})
	}
}

// An answer to what has ended meanwhile is no command for all that.
func TestDoubts_AnswerThatComesTooLate(t *testing.T) {
	play(t, func(w *world) {
		w.asks = asked
		w.say("/status")
		w.asks = nothingAsked
		w.say("", taps(inbound.ButtonAnswer, 1))
		w.want(`whichq: [1] "/status"`, `dismissed: [2] "answer"`, `nobody: [1] "/status"`)
	})
}

// What nobody says anything of for an hour was nothing.
func TestDoubts_NobodySays(t *testing.T) {
	play(t, func(w *world) {
		w.asks = asked
		w.say("/data")
		time.Sleep(time.Hour - 1)
		w.want(`whichq: [1] "/data"`)
		time.Sleep(time.Nanosecond)
		w.want(`dismissed: [1] "/data"`)
		w.say("", taps(inbound.ButtonAnswer, 1))
		w.want(`dismissed: [2] "answer"`)
	})
}

// What was heard goes to the ask as a text, by the tap of who spoke, and to no session if that has ended.
func TestHeard_IsAnAnswerAndNothingElse(t *testing.T) {
	play(t, func(w *world) {
		hears := w.steers
		w.steers = func(in inbound.Input) inbound.Steering {
			s := hears(in)
			s.Hears = true
			return s
		}
		w.asks = asked
		w.say("", file(""), replyTo(5), func(in *inbound.Input) { in.What = chat.Voice })
		w.want(`hear: [1] ""`)
		w.say("", taps(inbound.ButtonUnsay, 1))
		w.want(`heard: [2] "unsay"`)
		w.say("", taps(inbound.ButtonSay, 1))
		w.want(`heard: [3] "say"`, `cardq: [3] "The Bridge"`)
		w.asks = func(in inbound.Input) inbound.Found {
			f := asked(in)
			f.Standing, f.Prompts, f.Either = inbound.StandsEnded, true, false
			return f
		}
		w.say("", taps(inbound.ButtonSay, 1))
		w.want(`heard: [4] "say"`, `endedq: [4] "The Bridge"`)
	})
}
