package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Gap is what stands between a sentence and the next one: a space, and nothing where the sentence ends in Chinese.
func Gap(sentence string) string {
	if sentence == "" || strings.ContainsRune("。？！；：，）", lastRune(sentence)) {
		return ""
	}
	return " "
}

// fit cuts the spaces of a Chinese format beside a blank: there they set off a Latin word alone.
func fit(before, filling, after string) (string, string) {
	first, _ := utf8.DecodeRuneInString(filling)
	if first == '\n' {
		before = strings.TrimRight(before, " ")
	}
	if cut := strings.TrimSuffix(before, " "); standsAlone(first) && unicode.Is(unicode.Han, lastRune(cut)) {
		before = cut
	}
	cut := strings.TrimPrefix(after, " ")
	if next, _ := utf8.DecodeRuneInString(cut); standsAlone(lastRune(filling)) && unicode.Is(unicode.Han, next) {
		after = cut
	}
	return before, after
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// standsAlone reports whether a character beside a Chinese one takes no space.
func standsAlone(r rune) bool {
	return unicode.Is(unicode.Han, r) || strings.ContainsRune("“”（）《》「」", r)
}
