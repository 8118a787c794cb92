package card

import (
	"fmt"
	"strings"
	"unicode"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// What of a name is shown: so wide on screen, and so many code points.
const (
	nameWidth = 40
	nameRunes = 64
)

// person is an actor's name on one line, as plainName leaves it; without a name it is the
// id.
func person(a question.Actor) markup.Text {
	name := plainName(a.Name)
	switch {
	case name != "":
		return markup.Plain(markup.Isolate(name))
	case a.User != 0:
		return markup.Plain(fmt.Sprint(a.User))
	case a.Kind == question.Caller:
		return markup.Plain("API")
	}
	return markup.Plain("?")
}

// plainName leaves of a name what cannot be taken for a card's own words and signs:
// letters, digits, and the punctuation that names have, without anything invisible.
// Everybody at Telegram chooses a name freely. It is empty if no letter or digit is left.
func plainName(name string) string {
	var b strings.Builder
	marks, some := 0, false
	for _, r := range strings.ToValidUTF8(name, "") {
		switch letter := unicode.In(r, unicode.L, unicode.N); {
		case unicode.IsSpace(r):
			r = ' '
		case letters.Hidden(r):
			continue
		case unicode.Is(unicode.M, r):
			if marks++; marks > 2 || !some {
				continue
			}
		case letter:
			marks, some = 0, true
		case !some || !strings.ContainsRune(`-_.,'’&@/+#()`, r):
			continue
		}
		b.WriteRune(r)
	}
	runes := []rune(strings.Join(strings.Fields(b.String()), " "))
	return markup.Shorten(strings.TrimSpace(string(runes[:min(len(runes), nameRunes)])), nameWidth)
}
