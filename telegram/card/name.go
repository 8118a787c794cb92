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

// personName is an actor's name on one line, as plainName leaves it, or the id where there is
// no name.
func personName(a question.Actor) markup.Text {
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

// actorName names an actor. A rule is never named as a person is.
func (r requestText) actorName(a question.Actor) markup.Text {
	if a.Kind == question.RuleActor {
		return markup.Phrase(r.w.Rule.Name, ruleName(a))
	}
	return personName(a)
}

// byRule says that a rule has decided, and which.
func (r requestText) byRule(a question.Actor) markup.Text {
	return markup.Phrase(r.w.Rule.By, ruleName(a))
}

func ruleName(a question.Actor) markup.Text {
	return markup.Plain(markup.Isolate(markup.Shorten(markup.OneLine(a.Name), 64)))
}
