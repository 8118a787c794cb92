package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// containing returns the options of whose label the text is a part: whole words,
// or, if it is long enough not to be there by chance, the beginning of a word. Text
// without a letter, a digit or an emoji is no part of anything.
func (i Item) containing(text string) []int {
	text = strings.ToLower(text)
	if !strings.ContainsFunc(text, tells) {
		return nil
	}
	return i.where(func(label string) bool { return partOf(strings.ToLower(label), text) })
}

func tells(r rune) bool { return wordRune(r) || unicode.Is(unicode.So, r) }

// partOf looks at every place where the label has the text.
func partOf(label, text string) bool {
	for from := 0; ; {
		at := strings.Index(label[from:], text)
		if at < 0 {
			return false
		}
		at += from
		if aligned(label, text, at) && !contrary(label[:at], text) {
			return true
		}
		_, size := utf8.DecodeRuneInString(label[at:])
		from = at + size
	}
}

// aligned reports whether the text, which is at this place of the label, begins a
// word and ends one, or is long enough to stand for the rest. Scripts that write no
// spaces have no word boundaries, so there any place will do.
func aligned(label, text string, at int) bool {
	first, _ := utf8.DecodeRuneInString(text)
	before, _ := utf8.DecodeLastRuneInString(label[:at])
	after, _ := utf8.DecodeRuneInString(label[at+len(text):])
	enough := 4
	if unspaced(first) {
		enough = 2
	}
	begins := !wordRune(before) || unspaced(first)
	return begins && (!wordRune(after) || utf8.RuneCountInString(text) >= enough)
}

// contrary reports whether the label means the opposite of the text, so far as the
// words before it tell: "continue" is no part of "Do not continue", nor is "no"
// one of "Yes, but no tests". Only the clause that the text is in counts.
func contrary(before, text string) bool {
	if yesOrNo(text) {
		return strings.ContainsFunc(before, wordRune)
	}
	before = strings.ReplaceAll(before, " - ", ", ")
	if cut := strings.LastIndexFunc(before, endsClause); cut >= 0 {
		before = before[cut:]
	}
	words := strings.FieldsFunc(before, func(r rune) bool { return !wordRune(r) && r != '\'' && r != '\u2019' })
	return slices.ContainsFunc(words, negates) || strings.ContainsAny(before, "不没沒无無未勿别別")
}

func negates(word string) bool {
	switch word {
	case "no", "not", "never", "without", "cannot", "dont":
		return true
	}
	return strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n\u2019t")
}

func yesOrNo(text string) bool {
	switch text {
	case "yes", "no", "not", "ok", "okay":
		return true
	}
	return false
}

func endsClause(r rune) bool {
	return strings.ContainsRune(",;:.()\u2013\u2014\uff0c\uff1b\uff1a\u3002\uff08\uff09", r)
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
