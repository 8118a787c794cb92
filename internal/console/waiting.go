package console

import (
	"fmt"
	"io"
	"time"
)

// Waiting tells on a terminal that an answer is waited for, and until when. It is silent everywhere else.
type Waiting struct{ out io.Writer }

// NewWaiting tells of it where out is a terminal: where TERM is dumb, once.
func NewWaiting(out io.Writer, getenv func(string) string) Waiting {
	if !IsTerminal(out) {
		return Waiting{io.Discard}
	}
	if getenv("TERM") == "dumb" {
		fmt.Fprintln(out, "Waiting for an answer. ctrl-C withdraws the question.")
		return Waiting{io.Discard}
	}
	w := Waiting{out}
	w.Show(nil, true)
	return w
}

// Show tells until when the question waits, nil for for ever, and whether hermes can be reached.
func (w Waiting) Show(deadline *time.Time, reached bool) {
	text := "Waiting for an answer"
	if !reached {
		text = "Waiting for hermes, which does not answer now"
	}
	if deadline != nil {
		text += " until " + deadline.Local().Format("Jan 2 15:04:05")
	}
	fmt.Fprint(w.out, "\r\x1b[K"+text+" · ctrl-C withdraws")
}

// End leaves the line empty.
func (w Waiting) End() { fmt.Fprint(w.out, "\r\x1b[K") }
