package telegram

import (
	"strings"
	"unicode/utf8"
)

// live is what a session does just now, in one message: the tool at work, and the end of
// its words. What does not fit is in the message that tells of the end.
func (p teller) live() rich {
	state := p.w.remote.works
	if tool := oneLine(p.Text); tool != "" {
		state += " · " + apart(shorten(tool, 200))
	}
	head := join("\n", p.headline("⚙️"), plain(state))
	words := strings.TrimSpace(clean(p.Turn.Text))
	if words == "" {
		return head
	}
	return join("\n\n", head, plain(ending(words, maxRunes-head.runes()-2)))
}

// ending is the last n code points of a text, from the start of a line where one begins
// soon, and says that there is more before.
func ending(text string, n int) string {
	over := utf8.RuneCountInString(text) - n
	if over <= 0 {
		return text
	}
	for range over + utf8.RuneCountInString(more) {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	if line := strings.IndexByte(text, '\n'); line >= 0 && line < 400 && strings.TrimSpace(text[line:]) != "" {
		text = text[line+1:]
	}
	return more + text
}
