package telegram

import (
	"strings"
	"testing"
)

func TestCleanLosesNothing(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n\ttext":          "plain\n\ttext",
		"a\r\nb":                 "a\nb",
		"rm -rf /\rls":           "rm -rf /␍ls",
		"nul\x00bell\x07":        "nul␀bell␇",
		"del\x7f":                "del␡",
		"abc\u202Egnp.exe":       "abc[U+202E]gnp.exe",
		"\u2067x\u2069":          "[U+2067]x[U+2069]",
		"line\u2028break":        "line[U+2028]break",
		"c1\u0085":               "c1[U+0085]",
		"bad\xff":                "bad\uFFFD",
		"שלום \u200F!":           "שלום \u200F!",
		"family 👨\u200D👩\u200D👧": "family 👨\u200D👩\u200D👧",
	} {
		if got := clean(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

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
