package fields

import (
	"math"
	"net/url"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"hermes/internal/letters"
)

// readNothing is for fields that are answered with an option alone.
func readNothing(Field, string) (string, bool) { return "", false }

// readAny takes any text that says something.
func readAny(_ Field, said string) (string, bool) { return said, strings.TrimSpace(said) != "" }

// readString takes a text of the field's format, length and pattern. Where it has a form to keep to, white space around
// it is none of it.
func readString(f Field, said string) (string, bool) {
	if f.Format != AnyText || f.Pattern != "" {
		said = strings.TrimSpace(said)
	}
	said, ok := formatted(f.Format, said)
	n := float64(len(utf16.Encode([]rune(said))))
	switch {
	case !ok || strings.TrimSpace(said) == "":
		return "", false
	case f.Min != nil && n < *f.Min, f.Max != nil && n > *f.Max:
		return "", false
	}
	return said, !mismatches(f.Pattern, said)
}

// formatted is the text in a format, as it is sent.
func formatted(f Format, said string) (string, bool) {
	switch f {
	case Email:
		return said, isEmail(said)
	case URI:
		return said, isAddress(said)
	case Date:
		_, err := time.Parse(time.DateOnly, said)
		return said, err == nil
	case DateTime:
		return dateTime(said)
	case AnyText:
	}
	return said, true
}

// isEmail is OpenCode's own check: something, @, and a name with a dot.
func isEmail(said string) bool {
	name, host, _ := strings.Cut(said, "@")
	dot := strings.LastIndexByte(host, '.')
	return name != "" && dot > 0 && dot < len(host)-1 && !strings.ContainsFunc(said, unicode.IsSpace) && !strings.Contains(host, "@")
}

func isAddress(said string) bool {
	u, err := url.Parse(said)
	return err == nil && u.Scheme != "" && (u.Host != "" || u.Opaque != "" || u.Path != "" && u.Scheme == "file") && !strings.ContainsFunc(said, unicode.IsSpace)
}

// dateTime reads a date and a time with its zone. What people write with a space is sent as RFC 3339 has it.
func dateTime(said string) (string, bool) {
	if _, err := time.Parse(time.RFC3339, said); err == nil {
		return said, true
	}
	for _, layout := range []string{"2006-01-02 15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02 15:04Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04 Z07:00"} {
		if t, err := time.Parse(layout, said); err == nil {
			return t.Format(time.RFC3339), true
		}
	}
	return "", false
}

// maxPattern bounds the patterns that are compiled, in bytes. Go's expressions need time linear in the text, and about
// as much memory as the pattern asks for.
const maxPattern = 500

// mismatches reports whether a text certainly does not match a pattern in JavaScript's syntax. Where Go's syntax may mean
// something else it is not asked: OpenCode's server checks every text.
func mismatches(pattern, said string) bool {
	if pattern == "" || len(pattern) > maxPattern || !sameInBoth(pattern) || strings.ContainsFunc(said, unlikeInBoth) {
		return false
	}
	if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
		return false
	}
	r, err := regexp.Compile(pattern)
	return err == nil && !r.MatchString(said)
}

// unlikeInBoth reports whether the classes and the length of the rune differ between the two languages.
func unlikeInBoth(r rune) bool { return r < ' ' || r > '~' }

// sameInBoth reports whether all that the pattern has means the same in both languages, as far as Go knows it.
func sameInBoth(pattern string) bool {
	for _, other := range []string{"[]", "[^]", "[:", "&&", "--"} {
		if strings.Contains(pattern, other) {
			return false
		}
	}
	for at := 0; at < len(pattern); at++ {
		rest := pattern[at:]
		switch {
		case strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:"):
			return false
		case rest[0] != '\\':
			continue
		case len(rest) < 2 || isWordByte(rest[1]) && !strings.ContainsRune("dDwWsSbBnrt", rune(rest[1])):
			return false
		}
		at++
	}
	return true
}

func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
}

// numberForm is how people write numbers; what Go takes beside that, such as Inf and 0x10, is none.
var numberForm = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$`)

func readNumber(f Field, said string) (string, bool) {
	said = strings.TrimSpace(strings.Map(letters.Narrow, strings.ReplaceAll(said, "\u2212", "-")))
	if !numberForm.MatchString(said) {
		return "", false
	}
	n, err := strconv.ParseFloat(said, 64)
	return numberOf(n), err == nil && f.spans(n)
}

// maxInteger is the largest whole number that JavaScript tells from its neighbours.
const maxInteger = 1<<53 - 1

func readInteger(f Field, said string) (string, bool) {
	text, ok := readNumber(f, said)
	n, _ := strconv.ParseFloat(text, 64)
	return text, ok && n == math.Trunc(n) && math.Abs(n) <= maxInteger
}

func (f Field) spans(n float64) bool {
	return !math.IsInf(n, 0) && (f.Min == nil || n >= *f.Min) && (f.Max == nil || n <= *f.Max)
}

// numberOf is the only way in which answers write a number.
func numberOf(n float64) string {
	if n == 0 {
		return "0" // also -0
	}
	if math.Abs(n) < 1e21 && math.Abs(n) >= 1e-6 {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strconv.FormatFloat(n, 'g', -1, 64)
}
