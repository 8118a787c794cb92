//go:build e2e

package e2e_test

import (
	"strings"

	"hermes/internal/simulate/telegramsim"
)

// copyMark begins what is left of a message that was sent twice (docs/design/showing.md).
const copyMark = "↪ Probably sent twice."

// tapOpen taps a button of the newest message that asks the item and takes input. After a kill a message that did so a moment ago may
// turn out to be a copy, and lose its buttons; then the other one is tapped.
func (p *phone) tapOpen(q item, label string) {
	p.t.Helper()
	eventually(p.t, "a message that asks "+q.Question+" takes a tap", func() bool {
		id := 0
		for _, m := range p.asking(q) {
			if len(m.Rows) > 0 {
				id = m.ID
			}
		}
		_, err := p.telegram.Tap(p.person, p.person, id, label)
		return err == nil
	})
}

// asking are the messages that ask the item, or say what became of it.
func (p *phone) asking(q item) []telegramsim.Message { return p.fromBot(q.Question) }

// copies are the messages that say that they are copies.
func (p *phone) copies() []telegramsim.Message { return p.fromBot(copyMark) }

func (p *phone) fromBot(text string) (found []telegramsim.Message) {
	for _, m := range p.telegram.Messages(p.person) {
		if m.FromBot && !m.Deleted && strings.Contains(m.Text, text) {
			found = append(found, m)
		}
	}
	return found
}

// endsOnce waits until the item reads so, and holds that it stands in one message.
func (p *phone) endsOnce(q item, option, by string) {
	p.t.Helper()
	if n := p.ended(q, option, by); n != 1 {
		p.t.Errorf("%s stands in %d messages", q.Question, n)
	}
}

// endsOnceOrTwice is endsOnce for an item that was being sent when hermes was killed: one message more may have its end, or say that it is a copy.
func (p *phone) endsOnceOrTwice(q item, option, by string) {
	p.t.Helper()
	if n := p.ended(q, option, by) + len(p.copies()); n > 2 {
		p.t.Errorf("%s stands in %d messages, copies among them:\n%s", q.Question, n, p.telegram.Transcript(p.person))
	}
}

// ended waits until each message of the item reads its end and takes no answer, and counts them.
func (p *phone) ended(q item, option, by string) (n int) {
	p.t.Helper()
	p.await("the end of "+q.Question, func() bool {
		n = 0
		for _, m := range p.asking(q) {
			if !over(m) || !strings.HasPrefix(m.Text, "✅ Database") || !strings.Contains(m.Text, "→ "+option+"\n"+by+" · ") {
				return false
			}
			n++
		}
		return n > 0
	})
	return n
}
