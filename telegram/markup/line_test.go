package markup_test

import (
	"strings"
	"testing"

	"hermes/telegram/markup"
)

func TestIsolate_RightToLeft(t *testing.T) {
	if got := markup.Isolate("بيانات"); got != "\u2068بيانات\u2069" {
		t.Errorf("got %q", got)
	}
	if got := markup.Isolate("Données"); got != "Données" {
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
		got := markup.Shorten(c.in, c.width)
		if got != c.want || markup.Width(got) > c.width {
			t.Errorf("%q to %d: got %q", c.in, c.width, got)
		}
	}
}

func TestEnding(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"short", 5, "short"},
		{"0123456789", 6, "…\n6789"},
		{"one\ntwo three\nfour", 14, "…\nfour"},
		{"äöü€漢字🙂", 4, "…\n字🙂"},
		{"line\n" + strings.Repeat("y", 20), 20, "…\n" + strings.Repeat("y", 18)},
	} {
		if got := markup.Ending(c.text, c.n); got != c.want || len([]rune(got)) > c.n {
			t.Errorf("%q to %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}
