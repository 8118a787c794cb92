package pattern_test

import (
	"testing"

	"hermes/internal/pattern"
)

func TestWhole(t *testing.T) {
	for _, c := range []struct {
		expression, text string
		want             bool
	}{
		{`[a-z]{1,3}`, "abc", true},
		{`[a-z]{1,3}`, "abcd", false},
		{`[a-z]{1,3}`, "", false},
		{`[a-z]{1,3}`, "abc\n", false},
		{`once|always`, "always", true},
		{`once|always`, "once more", false},
		{`once|always`, "not always", false},
	} {
		if got := pattern.Whole(c.expression).Match(c.text); got != c.want {
			t.Errorf("%s and %q: %t, want %t", c.expression, c.text, got, c.want)
		}
	}
}

// Nothing is compiled before the first text.
func TestWholeWaits(t *testing.T) {
	p := pattern.Whole(`(`)
	defer func() {
		if recover() == nil {
			t.Error("an expression that is not well-formed matches")
		}
	}()
	p.Match("")
}
