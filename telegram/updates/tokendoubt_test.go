package updates

import (
	"testing"
	"time"

	"hermes/telegram/botapi"
)

func TestTokenDoubt_IsWrong(t *testing.T) {
	bad, broken := &botapi.Error{Reason: botapi.BadToken}, &botapi.Error{Reason: botapi.Network}
	type step struct {
		after time.Duration
		err   *botapi.Error // nil: the call worked
		wrong bool
	}
	for name, c := range map[string]struct {
		worked bool
		steps  []step
	}{
		"never worked":         {false, []step{{0, broken, false}, {0, bad, true}}},
		"worked here":          {false, []step{{0, nil, false}, {0, bad, false}, {believeAfter - 1, bad, false}, {1, bad, true}}},
		"worked earlier":       {true, []step{{0, bad, false}, {believeAfter, bad, true}}},
		"works again":          {true, []step{{0, bad, false}, {time.Minute, nil, false}, {believeAfter, bad, false}, {believeAfter, bad, true}}},
		"no answer in between": {true, []step{{0, bad, false}, {time.Minute, broken, false}, {time.Hour, bad, false}, {believeAfter, bad, true}}},
	} {
		d, now := tokenDoubt{worked: c.worked}, time.Now()
		for i, s := range c.steps {
			now = now.Add(s.after)
			if s.err == nil {
				d.accept()
			} else if got := d.isWrong(s.err, now); got != s.wrong {
				t.Errorf("%s, step %d: got %v", name, i, got)
			}
		}
	}
}
