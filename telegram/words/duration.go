package words

import (
	"fmt"
	"time"
)

// Duration says a duration in its one or two largest units.
func (w Table) Duration(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf(w.Seconds, d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf(w.Minutes, d.Round(time.Minute)/time.Minute)
	case d < 48*time.Hour:
		return twoUnits(w.Hours, d/time.Hour, w.Minutes, d%time.Hour/time.Minute)
	}
	return twoUnits(w.Days, d/(24*time.Hour), w.Hours, d%(24*time.Hour)/time.Hour)
}

func twoUnits(big string, n time.Duration, small string, m time.Duration) string {
	if m == 0 {
		return fmt.Sprintf(big, n)
	}
	return fmt.Sprintf(big, n) + " " + fmt.Sprintf(small, m)
}
