package chat

import (
	"time"
)

// Span is where copies of a card's messages may lie: above one message id of its chat,
// and below another. Ids of a chat only grow.
type Span struct {
	After  MessageID // every copy has a higher id; see nowhere
	Before MessageID // and a lower one; 0: as long as no later sending was confirmed
	Likely bool      // the outcome of a sending is not known; else it is marked beforehand
	Since  time.Time // when Before became known
}

func (s Span) Empty() bool { return s.Before != 0 && s.Before-s.After < 2 }

// Highest is the span as far as it has no more than n ids: those next to the sending that
// was confirmed, as a copy was sent shortly before that.
func (s Span) Highest(n int) Span {
	s.After = max(s.After, s.Before-MessageID(n)-1)
	return s
}
