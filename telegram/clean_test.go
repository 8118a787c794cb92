package telegram

import (
	"strings"
	"testing"
)

func TestRightToLeftStaysApart(t *testing.T) {
	if got := apart("بيانات"); got != "\u2068بيانات\u2069" {
		t.Errorf("got %q", got)
	}
	if got := apart("Données"); got != "Données" {
		t.Errorf("got %q", got)
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"short", 30, "short"},
		{"2. PostgreSQL", 10, "2. Postgr…"},
		{"数据库数据库", 7, "数据库…"},
		{strings.Repeat("x", 31), 30, strings.Repeat("x", 29) + "…"},
	} {
		got := shorten(c.in, c.width)
		if got != c.want || widthOf(got) > c.width {
			t.Errorf("%q to %d: got %q", c.in, c.width, got)
		}
	}
}
