package sessionview

import (
	"strings"

	"hermes/internal/session"
	"hermes/telegram/markup"
)

// heading names a session.
type heading struct{ session session.Session }

// headline is the first line: a sign, the project, and the session's title.
func (h heading) headline(sign string) markup.Text {
	line := markup.Text{{Text: sign + " "}, {Text: markup.Isolate(markup.Shorten(projectName(h.session), 100)), Bold: true}}
	if h.session.Title != "" {
		line = append(line, markup.Span{Text: " · " + markup.Isolate(markup.Shorten(markup.OneLine(h.session.Title), 200))})
	}
	return line
}

// name names the session at the end of a sentence, as far as it is known.
func (h heading) name() markup.Text {
	var parts []string
	for _, name := range []string{projectName(h.session), markup.OneLine(h.session.Title)} {
		if name != "" {
			parts = append(parts, markup.Isolate(markup.Shorten(name, 200)))
		}
	}
	return markup.Plain(strings.Join(parts, " · "))
}

func projectName(s session.Session) string {
	return markup.OneLine(session.Origin{Directory: s.Directory}.Project())
}
