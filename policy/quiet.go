package policy

import (
	"time"
	_ "time/tzdata" // containers have no zone database
)

// Quiet is a span of the day in which nobody is to be disturbed. The zero value is
// none.
type Quiet struct {
	From, To time.Duration  // on the wall clock, since midnight; To before From: over midnight
	Zone     *time.Location // whose clock
}

// Until gives the end of the quiet hours that now is in, or the zero time. It is quiet
// whenever the zone's clock reads a time of the span: also twice, if the clock is put
// back.
func (q Quiet) Until(now time.Time) time.Time {
	if q.From == q.To {
		return time.Time{}
	}
	at := now.In(q.Zone)
	for q.covers(at) {
		end := at.Add((q.To - clock(at) + day) % day)
		if _, change := at.ZoneBounds(); !change.IsZero() && change.Before(end) {
			end = change.In(q.Zone) // the clock jumps before that
		}
		at = end
	}
	if at.Equal(now) {
		return time.Time{}
	}
	return at
}

const day = 24 * time.Hour

// covers reports whether the clock reads a time of the span.
func (q Quiet) covers(at time.Time) bool {
	t := clock(at)
	if q.From < q.To {
		return q.From <= t && t < q.To
	}
	return q.From <= t || t < q.To
}

// clock is what the clock reads.
func clock(t time.Time) time.Duration {
	h, m, s := t.Clock()
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second + time.Duration(t.Nanosecond())
}
