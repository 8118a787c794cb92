package main

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
)

// A text that may be an answer or a command outlives a restart: it is asked about again,
// and either message settles it, once.
func TestADoubtOutlivesARestart(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		_, call := c.ask(projectName())
		c.say("/new", 0)
		first := c.last().ID
		c.halt()
		c.start()
		c.wait(5 * time.Second)
		second := c.last().ID
		if first == second {
			t.Fatalf("it was not asked about again:\n%s", c.telegram.Transcript(ada))
		}
		c.unanswered(call)
		for _, message := range []int{first, second} {
			if _, err := c.telegram.Tap(ada, ada, message, "✏️ An answer"); err != nil {
				t.Fatal(err)
			}
			c.wait(3 * time.Second)
		}
		c.got(call, []string{"/new"})
		if n := strings.Count(c.telegram.Transcript(ada), "A new session"); n != 0 {
			t.Errorf("a session was made:\n%s", c.telegram.Transcript(ada))
		}
	})
}
