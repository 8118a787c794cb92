package policy_test

import (
	"testing"
	"time"

	"hermes/internal/policy"
)

func TestHours_Until(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	hours := func(h, m int) time.Duration { return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute }
	night := policy.Hours{From: hours(22, 0), To: hours(7, 0), Zone: berlin}
	noon := policy.Hours{From: hours(12, 0), To: hours(13, 30), Zone: berlin}
	early := policy.Hours{From: hours(1, 0), To: hours(2, 30), Zone: berlin}
	late := policy.Hours{From: hours(2, 15), To: hours(2, 45), Zone: berlin}
	for _, c := range []struct {
		name      string
		quiet     policy.Hours
		now, want string // RFC 3339; empty: not quiet
	}{
		{"never", policy.Hours{}, "2026-01-10T23:00:00+01:00", ""},
		{"before midnight", night, "2026-01-10T23:00:00+01:00", "2026-01-11T07:00:00+01:00"},
		{"after midnight", night, "2026-01-11T03:00:00+01:00", "2026-01-11T07:00:00+01:00"},
		{"at its begin", night, "2026-01-10T22:00:00+01:00", "2026-01-11T07:00:00+01:00"},
		{"at its end", night, "2026-01-11T07:00:00+01:00", ""},
		{"by day", night, "2026-01-11T12:00:00+01:00", ""},
		{"seen from elsewhere", night, "2026-01-10T14:00:00-08:00", "2026-01-11T07:00:00+01:00"},
		{"a span of one day", noon, "2026-01-10T12:30:30+01:00", "2026-01-10T13:30:00+01:00"},
		{"outside of it", noon, "2026-01-10T23:00:00+01:00", ""},
		{"a night with an hour less", night, "2026-03-28T23:00:00+01:00", "2026-03-29T07:00:00+02:00"},
		{"a night with an hour more", night, "2026-10-24T23:00:00+02:00", "2026-10-25T07:00:00+01:00"},
		{"an end that the clock jumps over", early, "2026-03-29T01:30:00+01:00", "2026-03-29T03:00:00+02:00"},
		{"a span that the clock jumps over", late, "2026-03-29T01:59:59+01:00", ""},
		{"put back: once", early, "2026-10-25T02:10:00+02:00", "2026-10-25T02:30:00+02:00"},
		{"put back: between", early, "2026-10-25T02:40:00+02:00", ""},
		{"put back: again", early, "2026-10-25T02:10:00+01:00", "2026-10-25T02:30:00+01:00"},
		{"put back into the span", policy.Hours{From: hours(1, 0), To: hours(3, 0), Zone: berlin}, "2026-10-25T02:59:00+02:00", "2026-10-25T03:00:00+01:00"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if until := c.quiet.Until(now); !until.IsZero() {
			got = until.Format(time.RFC3339)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
