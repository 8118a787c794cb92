package console

import (
	"strings"
	"testing"

	"rsc.io/qr"
)

// The picture has the code's modules, two a character, and its border.
func TestQRText(t *testing.T) {
	const link = "https://t.me/ada_hermes_bot?start=AWE04JesU03uuRVtGAEXBKxum9C-kjaA"
	c, err := qr.Encode(link, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	for _, colours := range []bool{true, false} {
		text, err := qrText(link, colours)
		if err != nil {
			t.Fatal(err)
		}
		text = strings.NewReplacer("\x1b[38;5;16;48;5;231m", "", "\x1b[0m", "").Replace(text)
		for row, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			for column, r := range []rune(strings.TrimPrefix(line, Margin)) {
				x, y := column-quietZone, 2*row-quietZone
				upper, lower := strings.ContainsRune("█▀", r) == colours, strings.ContainsRune("█▄", r) == colours
				if upper != c.Black(x, y) || lower != c.Black(x, y+1) {
					t.Fatalf("colours %v: the modules at %d, %d are wrong", colours, x, y)
				}
			}
		}
		if width := len([]rune(strings.Split(text, "\n")[0])); width != qrWidth(link) || width > 80 {
			t.Errorf("it is %d columns wide, qrWidth says %d", width, qrWidth(link))
		}
	}
}

func TestWrap(t *testing.T) {
	got := Wrap("one two three\n  a  b\nlonger-than-all", "* ", "  ", 9)
	if want := "* one two\n  three\n    a  b\n  longer-than-all\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
