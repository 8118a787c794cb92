package console

import (
	"os"
	"strings"

	"rsc.io/qr"

	"hermes/internal/letters"
)

// quietZone is the empty border that a reader of QR codes needs (ISO/IEC 18004).
const quietZone = 4

// DeepLink opens the bot with a code (Bot API, "Deep linking"): in the private chat,
// or in a group that the person chooses.
func DeepLink(username string, group bool, code string) string {
	if group {
		return "https://t.me/" + username + "?startgroup=" + code
	}
	return "https://t.me/" + username + "?start=" + code
}

// Link shows a link, as a QR code too where there is room for it.
func (t *Terminal) Link(link string) {
	t.Print("\n")
	colours := os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if code, err := qrText(link, colours); err != nil || qrWidth(link) > t.width() {
		t.Say("(The window is too narrow for the QR code.)")
	} else {
		t.Print(code + "\n")
	}
	t.Print(Margin + letters.Escaped(link) + "\n\n")
}

// qrText draws a QR code with two modules a character. A reader wants dark on
// light: with colours that is so on every terminal, without them only on one
// with light text on a dark ground.
func qrText(text string, colours bool) (string, error) {
	c, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for y := -quietZone; y < c.Size+quietZone; y += 2 {
		b.WriteString(Margin)
		if colours {
			b.WriteString("\x1b[38;5;16;48;5;231m") // black on white of the fixed palette, which no theme changes
		}
		for x := -quietZone; x < c.Size+quietZone; x++ {
			b.WriteString(halfBlock(c.Black(x, y) == colours, c.Black(x, y+1) == colours))
		}
		if colours {
			b.WriteString("\x1b[0m")
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// halfBlock is the character whose upper and lower half are inked.
func halfBlock(upper, lower bool) string {
	switch {
	case upper && lower:
		return "█"
	case upper:
		return "▀"
	case lower:
		return "▄"
	}
	return " "
}

// qrWidth is how many columns qrText takes for a text.
func qrWidth(text string) int {
	c, err := qr.Encode(text, qr.L)
	if err != nil {
		return 0
	}
	return len(Margin) + c.Size + 2*quietZone
}
