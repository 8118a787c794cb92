// Package letters shows text of agents, programs and strangers to people so that nothing of it is lost or hidden.
//
// On the phone there are two ways. [Clean] is for text that is read: what would be lost, or move the text around it, becomes visible.
// [Exposed] is for text that is judged, letter by letter, before it is allowed: two different texts never look the same,
// as far as their letters differ in shape, and no word or host has letters that pass for those of another alphabet.
//
// For a terminal, whose control characters do harm, there are [ForTerminal], which keeps lines, and [Escaped],
// which puts all on one line.
package letters

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Clean is text without anything that is lost on the way to a screen, or moves what stands beside it: control
// characters, marks of direction and Telegram's dropped marks become visible. A tab is as many spaces as lead to the
// next stop, for Telegram makes one of it. Line breaks stay.
func Clean(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	if !strings.ContainsFunc(s, needsCleaning) {
		return s
	}
	w := writer{stop: TabStop}
	for r := range eachRune(composed.Replace(s)) {
		switch {
		case r == '\t':
			w.writeTab("")
		case !needsCleaning(r):
			w.writeRune(r)
		default:
			w.writeText(Sign(r))
		}
	}
	return w.String()
}

// Exposed is text that somebody has to judge: nothing in it is invisible, what looks like a space is one, and no two texts
// give the same. Line breaks stay. A tab is ␉; that sign in the text itself is [U+2409], and so are its like, and ⋯, with which hermes'
// own lines within a text begin. What looks like [U+…] in the text begins with [U+005B]. Of the marks on a letter the third and
// all after it are spelled out, for they would be drawn over the lines around, and so are letters that pass for Latin ones.
func Exposed(s string) string { return expose(s, 0) }

// OneLine is exposed text on one line: a line break is ␤.
func OneLine(s string) string { return strings.ReplaceAll(Exposed(s), "\n", "␤") }

// Name is a name among words, such as a path, in one line: with quotation marks where it could be taken for some of them.
func Name(s string) string {
	if s = OneLine(s); strings.ContainsAny(s, " \"→") {
		return strconv.QuoteToGraphic(s)
	}
	return s
}

// Diff is Exposed for a unified diff: behind each ␉ are the spaces that lead to the next stop, counted from behind the
// sign that begins the line. So the indentation is kept, and told apart from spaces.
func Diff(s string) string { return expose(s, TabStop) }

// maxMarks is how many marks a letter has that is shown as it is; Vietnamese has two.
const maxMarks = 2

// TabStop is how far tab stops are from each other.
const TabStop = 4

func expose(s string, stop int) string {
	w := writer{stop: stop, from: 1}
	s = strings.ToValidUTF8(s, "\uFFFD")
	foreign, marks := lookingLatin(s), 0
	for i, r := range s {
		if marks++; r < 0x300 || !unicode.In(r, unicode.Mn, unicode.Me) {
			marks = 0
		}
		switch {
		case r == '\n', r >= ' ' && r <= '~' && r != '[': // most of them, fast
			w.writeRune(r)
		case r == '\t':
			w.writeTab("␉")
		case Hidden(r), r == '⋯', marks > maxMarks, foreign[i], r == '[' && strings.HasPrefix(s[i:], "[U+"):
			w.writeText(Sign(r))
		default:
			w.writeRune(r)
		}
	}
	return w.String()
}

// Sign is the sign for a control character, and [U+…] for every other rune.
func Sign(r rune) string {
	switch {
	case r < 0x20:
		return string(0x2400 + r) // ␀ and its like
	case r == 0x7F:
		return "␡"
	}
	return fmt.Sprintf("[U+%04X]", r)
}

// needsCleaning reports whether Clean shows something else in place of the rune.
func needsCleaning(r rune) bool {
	switch {
	case r == '\n':
		return false
	case r < 0x20, r >= 0x7F && r < 0xA0:
		return true
	}
	return r >= 0x2028 && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r >= 0xFFF9 && r <= 0xFFFB || r == 0xFEFF || isDropped(r)
}

// Hidden reports whether somebody who judges a text letter by letter would not see the rune, or take it for another
// one: all that is no graphic character (Unicode: control, format, private use, unassigned, line and paragraph
// separators), spaces but the common one, variation selectors and fillers, what Telegram drops, and the signs that
// stand for control characters here.
func Hidden(r rune) bool {
	switch {
	case r == ' ':
		return false
	case !unicode.IsGraphic(r), unicode.In(r, unicode.Zs, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return true
	case r == 0x2800, r == 0xFFFC: // a blank pattern, and what an object stands for
		return true
	}
	return isDropped(r) || r >= 0x2400 && r <= 0x2426
}

// isDropped reports whether the rune is one of the combining marks that the Bot API server takes out of every text (td 022d602, misc.cpp:135 and
// MessageEntity.cpp:4237): ring above, double low line, double overline.
func isDropped(r rune) bool { return r == 0x030A || r == 0x0333 || r == 0x033F }

// composed has the letters that are one with a ring above, which file names of macOS have as two.
var composed = strings.NewReplacer("A\u030A", "Å", "a\u030A", "å", "U\u030A", "Ů", "u\u030A", "ů", "w\u030A", "ẘ", "y\u030A", "ẙ")

// Look is what the eye takes a name for: two names with the same Look are one to whoever reads a card. Case, width and what is not seen do
// not count, and letters of other alphabets count as those that they look like, the common ones.
func Look(name string) string {
	look := strings.Map(func(c rune) rune {
		if like, ok := lookalikes[c]; ok {
			return like
		}
		c = unicode.ToLower(c)
		if like, ok := lookalikes[c]; ok {
			return like
		}
		if !unicode.IsGraphic(c) {
			return -1
		}
		return c
	}, norm.NFKC.String(name))
	return strings.Join(strings.Fields(look), " ")
}

// lookalikes are letters, mostly Cyrillic and Greek, and digits, by the Latin letter that they look like.
var lookalikes = lookalikesOf(map[rune]string{
	'a': "аαΑɑ", 'b': "вβΒ", 'c': "сϲ", 'd': "ԁ", 'e': "еεΕ", 'g': "ɡ", 'h': "нһΗհ", 'j': "ј", 'k': "кκΚ", 'l': "iі1ӏιΙıⅼ|", 'm': "мΜ", 'n': "ηΝո", 'o': "о0οΟօ", 'p': "рρΡ",
	'q': "ԛ", 's': "ѕ", 't': "тτΤ", 'u': "υս", 'v': "ν", 'w': "ԝω", 'x': "хχΧ", 'y': "уγΥ", 'z': "Ζ",
})

func lookalikesOf(list map[rune]string) map[rune]rune {
	all := map[rune]rune{}
	for like, letters := range list {
		for _, c := range letters {
			all[c] = like
		}
	}
	return all
}
