package updates

import "testing"

func TestSilence_AfterPoll(t *testing.T) {
	type poll struct{ brought, waiting int }
	for name, c := range map[string]struct {
		polls  []poll
		proven bool
	}{
		"nothing waits":                     {[]poll{{0, 0}, {0, 0}, {0, 0}}, false},
		"one came between":                  {[]poll{{0, 1}, {1, 0}, {0, 0}}, false},
		"another program took it":           {[]poll{{0, 1}, {0, 0}, {0, 1}, {0, 0}}, false},
		"another took it, and one came":     {[]poll{{0, 1}, {0, 1}, {1, 0}}, false},
		"two polls that should have had":    {[]poll{{0, 1}, {0, 1}, {0, 1}}, true},
		"it stays so":                       {[]poll{{0, 1}, {0, 1}, {0, 1}, {0, 2}}, true},
		"it comes at last":                  {[]poll{{0, 1}, {0, 1}, {0, 1}, {1, 0}}, false},
		"it expires":                        {[]poll{{0, 1}, {0, 1}, {0, 1}, {0, 0}}, false},
		"a hundred come, and more waits":    {[]poll{{100, 0}, {100, 0}, {0, 0}}, false},
		"nothing waits but at the very end": {[]poll{{0, 0}, {0, 0}, {0, 9}}, false},
	} {
		var s silence
		got := false
		for _, p := range c.polls {
			got = s.afterPoll(p.brought, p.waiting)
		}
		if got != c.proven {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
