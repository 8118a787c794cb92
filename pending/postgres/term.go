package postgres

import "time"

// term is a lease as its holder may count on it: from the moment before the last good renewal was sent, and a tenth less than the database lets it last, for clocks do
// not run equally fast.
type term struct {
	sent  time.Time
	lease time.Duration
}

func (t term) length() time.Duration { return t.lease - t.lease/10 }

// end is by the monotonic clock.
func (t term) end() time.Time { return t.sent.Add(t.length()) }

// over looks at two clocks: the monotonic one stands still while the machine sleeps, and the other one may be set back.
func (t term) over(now time.Time) bool {
	return now.Sub(t.sent) >= t.length() || now.Round(0).Sub(t.sent.Round(0)) >= t.length()
}
