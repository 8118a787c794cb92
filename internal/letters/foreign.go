package letters

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lookingLatin are the letters of a text, by their places, that pass for Latin ones because of what is beside them: those in a
// word with Latin letters (gіthub), and words that have no other letters in a name with a dot, such as a host (аррӏе.com).
// Words of one alphabet are left as they are, also such that are joined to Latin ones by a hyphen.
func lookingLatin(s string) map[int]bool {
	if !strings.ContainsFunc(s, passesForLatin) {
		return nil
	}
	found := map[int]bool{}
	for name, at := range runs(s, inName) {
		if !strings.ContainsFunc(name, isLatin) {
			continue
		}
		dotted := strings.Contains(name, ".")
		for word, in := range runs(name, inWord) {
			if !strings.ContainsFunc(word, isLatin) && !(dotted && strings.Trim(word, sameShape) == "") {
				continue
			}
			for i, r := range word {
				if passesForLatin(r) {
					found[at+in+i] = true
				}
			}
		}
	}
	return found
}

// sameShape are the Cyrillic and Greek letters that nobody tells from Latin ones.
const sameShape = "аеорсухіјѕӏԁԛԝһАВЕКМНОРСТУХІЈЅԜοΟΑΒΕΖΗΙΚΜΝΡΤΥΧ"

// runs are the longest parts of a text that have such runes alone, with their places.
func runs(s string, has func(rune) bool) func(func(string, int) bool) {
	return func(yield func(string, int) bool) {
		for at := 0; at < len(s); {
			end := len(s)
			if n := strings.IndexFunc(s[at:], func(r rune) bool { return !has(r) }); n >= 0 {
				end = at + n
			}
			if end > at && !yield(s[at:end], at) {
				return
			}
			_, size := utf8.DecodeRuneInString(s[end:])
			at = end + size
		}
	}
}

func inName(r rune) bool { return r == '.' || r == '-' || inWord(r) }

func inWord(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) }

func isLatin(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// passesForLatin reports whether a letter looks like one of a to z.
func passesForLatin(r rune) bool {
	switch {
	case r < 0x100:
		return false
	case r < 0x590:
		return isLatin(lookalikes[r]) || isLatin(lookalikes[unicode.ToLower(r)])
	case r >= 0x2100 && r < 0x2190, r >= 0xFF21 && r <= 0xFF5A, r >= 0x1D400 && r < 0x1D800: // forms of letters, such as wide and bold ones
		like := Look(string(r))
		return unicode.In(r, unicode.L, unicode.Nl) && len(like) == 1 && isLatin(rune(like[0]))
	}
	return false
}
