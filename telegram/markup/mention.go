package markup

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Telegram links "@name" in any text and tells that member of the group, whoever wrote it; only code is exempt (td 022d602,
// MessageEntity.cpp:1352, 1753). So a name in a text is set as code, which leaves the text as it is, also for who copies it.

// maxMentions is how many names of one text are set as code each; one with more is code as a whole.
const maxMentions = 8

var atName = regexp.MustCompile(`@[a-zA-Z0-9_]{2,}`)

// mentions are the places of names in a text, as Telegram finds them or a few more (MessageEntity.cpp:268).
func mentions(s string) (found [][]int) {
	if !strings.Contains(s, "@") {
		return nil
	}
	for _, at := range atName.FindAllStringIndex(s, -1) {
		before, _ := utf8.DecodeLastRuneInString(s[:at[0]])
		if at[0] == 0 || before != '_' && !unicode.In(before, unicode.L, unicode.N) {
			found = append(found, at)
		}
	}
	return found
}

// escapeText is escape for a text that Telegram looks for names in.
func escapeText(s string) string {
	found := mentions(s)
	if len(found) > maxMentions {
		found = [][]int{{0, len(s)}}
	}
	var b strings.Builder
	at := 0
	for _, name := range found {
		b.WriteString(escape(s[at:name[0]]) + "<code>" + escape(s[name[0]:name[1]]) + "</code>")
		at = name[1]
	}
	return b.String() + escape(s[at:])
}

// withoutMentions is a text for a message without markup: there a sign that looks like @ stands before a name.
func withoutMentions(s string) string {
	var b strings.Builder
	at := 0
	for _, name := range mentions(s) {
		b.WriteString(s[at:name[0]] + "＠")
		at = name[0] + 1
	}
	return b.String() + s[at:]
}
