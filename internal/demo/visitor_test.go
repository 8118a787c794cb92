package demo

import (
	"strings"
	"testing"

	"hermes/internal/page"
	"hermes/internal/simulate/browser"
)

// visitor is on the page and knows the tour.
type visitor struct{ *browser.Browser }

func visit(t *testing.T, address string) visitor {
	t.Helper()
	return visitor{browser.Open(t, address)}
}

func asks(m page.Message, text string) bool { return len(m.Keys) > 0 && strings.Contains(m.Text, text) }

// ask asks a step and waits until both phones show it.
func (v visitor) ask(step, text string) {
	v.Do(page.Action{Do: "ask", ID: step})
	v.Until("the question", func(s page.State) bool {
		return asks(browser.Last(s, 0), text) && asks(browser.Last(s, 1), text)
	})
}

// received waits until the agent's newest ask stands so.
func (v visitor) received(state, text string) {
	v.Until("the agent: "+state+" "+text, func(s page.State) bool {
		a := s.Asks[len(s.Asks)-1]
		return a.State == state && strings.Contains(a.Received, text)
	})
}
