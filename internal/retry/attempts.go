package retry

import (
	"time"
)

func (a Attempts) Failed(next time.Time) Attempts {
	return Attempts{Made: a.Made + 1, Next: next}
}

// Attempts counts tries and says when the next is due.
type Attempts struct {
	Made int       `json:"made,omitzero"`
	Next time.Time `json:"next,omitzero"`
}
