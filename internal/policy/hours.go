package policy

import (
	"time"
	_ "time/tzdata" // containers have no zone database
)

// Hours are a span of every day. The zero value covers no time.
type Hours struct {
	From, To time.Duration  // on the wall clock, since midnight; To before From: over midnight
	Zone     *time.Location // whose clock
}

// Until returns the end of the hours that now is in, or the zero time. It is in them
// whenever the zone's clock reads a time of the span: also twice, if the clock is put
// back.
func (h Hours) Until(now time.Time) time.Time {
	if h.isZero() {
		return time.Time{}
	}
	at := now.In(h.Zone)
	for h.covers(at) {
		end := at.Add((h.To - sinceMidnight(at) + day) % day)
		if _, change := at.ZoneBounds(); !change.IsZero() && change.Before(end) {
			end = change.In(h.Zone) // the clock jumps before that
		}
		at = end
	}
	if at.Equal(now) {
		return time.Time{}
	}
	return at
}

const day = 24 * time.Hour

func (h Hours) isZero() bool { return h.From == h.To }

// covers reports whether the clock reads a time of the span.
func (h Hours) covers(at time.Time) bool {
	t := sinceMidnight(at)
	if h.From < h.To {
		return h.From <= t && t < h.To
	}
	return h.From <= t || t < h.To
}

// String is the hours as the file has them, and whose clock they are on.
func (h Hours) String() string {
	at := func(d time.Duration) string { return time.Time{}.Add(d).Format("15:04") }
	return at(h.From) + "-" + at(h.To) + " " + h.Zone.String()
}

// sinceMidnight is the time of day that the clock shows.
func sinceMidnight(t time.Time) time.Duration {
	h, m, s := t.Clock()
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second + time.Duration(t.Nanosecond())
}
