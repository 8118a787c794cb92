package intake_test

import (
	"testing"
	"time"

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
