package updates

import (
	"testing"
	"time"
)

func TestHookErrors_IsUnreachable(t *testing.T) {
	type look struct{ at, pending, date, came int } // seconds; came: when an update came in since the look before
	for name, c := range map[string]struct {
		before int // last_error_date when the webhook is set
		looks  []look
		want   bool
	}{
		"none":                           {0, []look{{30, 1, 0, 0}}, false},
		"from before":                    {900, []look{{30, 1, 900, 0}}, false},
		"new":                            {900, []look{{30, 1, 1020, 0}}, true},
		"the clocks differ by a year":    {900, []look{{30, 1, -31_000_000, 0}}, true},
		"new, and nothing waits":         {900, []look{{30, 0, 1020, 0}}, false},
		"new, and one came since":        {900, []look{{30, 1, 1020, 25}}, false},
		"new, and one came before":       {900, []look{{30, 1, 900, 25}, {60, 1, 1050, 0}}, true},
		"it lasts":                       {0, []look{{30, 1, 1020, 0}, {60, 1, 1020, 0}, {90, 2, 1080, 0}}, true},
		"it is over":                     {0, []look{{30, 1, 1020, 0}, {60, 1, 1020, 40}}, false},
		"it is over, and later":          {0, []look{{30, 1, 1020, 0}, {60, 1, 1020, 40}, {900, 3, 1020, 0}}, false},
		"the webhook was set anew there": {1020, []look{{30, 1, 0, 0}}, false},
	} {
		zero := time.Now()
		at := func(s int) time.Time { return zero.Add(time.Duration(s) * time.Second) }
		var h hookErrors
		h.webhookSet(c.before, zero)
		got := false
		for _, l := range c.looks {
			if l.came > 0 {
				h.updateArrived(at(l.came))
			}
			got = h.isUnreachable(l.pending, l.date, at(l.at))
		}
		if got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
