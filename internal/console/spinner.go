package console

import (
	"fmt"
	"io"
	"time"
)

// Spinner tells on a terminal that something is waited for, and how long still. It is
// silent everywhere else.
type Spinner struct {
	out   io.Writer // nil: silent
	plain bool      // the terminal cannot go back in a line
	told  chan spin
	ended chan struct{}
}

// spin is what a spinner tells.
type spin struct {
	deadline *time.Time
	reached  bool
}

// NewSpinner makes a spinner that shows nothing where out is no terminal, and one line where TERM is dumb.
func NewSpinner(out io.Writer, getenv func(string) string) *Spinner {
	if !IsTerminal(out) {
		return &Spinner{}
	}
	return &Spinner{out: out, plain: getenv("TERM") == "dumb", told: make(chan spin), ended: make(chan struct{})}
}

// Start begins to show that an answer is waited for. Call Stop after it.
func (s *Spinner) Start() {
	switch {
	case s.out == nil:
	case s.plain:
		fmt.Fprintln(s.out, "Waiting for an answer. ctrl-C withdraws the question.")
		s.out = nil
	default:
		go s.animate()
	}
}

// Set tells until when the question waits, nil for for ever, and whether hermes can be reached.
func (s *Spinner) Set(deadline *time.Time, reached bool) {
	if s.out != nil {
		s.told <- spin{deadline, reached}
	}
}

// Stop leaves the line empty.
func (s *Spinner) Stop() {
	if s.out != nil {
		close(s.told)
		<-s.ended
	}
}

func (s *Spinner) animate() {
	defer close(s.ended)
	defer fmt.Fprint(s.out, "\r\x1b[K")
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	now := spin{reached: true}
	for n := 0; ; n++ {
		fmt.Fprintf(s.out, "\r\x1b[K%c %s", []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")[n%10], now.text(time.Now()))
		select {
		case next, more := <-s.told:
			if !more {
				return
			}
			now = next
		case <-tick.C:
		}
	}
}

func (s spin) text(now time.Time) string {
	text := "Waiting for an answer"
	if !s.reached {
		text = "Waiting for hermes, which does not answer now"
	}
	if s.deadline != nil {
		text += " · " + max(0, s.deadline.Sub(now)).Round(time.Second).String() + " left"
	}
	return text + " · ctrl-C withdraws"
}
