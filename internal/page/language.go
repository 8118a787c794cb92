package page

import (
	"slices"
	"strconv"
	"strings"
)

// Languages returns the tags of the languages that the page speaks. Who speaks none of them gets the first.
func Languages() []string { return []string{"en", "zh"} }

// Language returns which of [Languages] a language tag or a locale means, such as zh-Hant or zh_CN.UTF-8.
func Language(tag string) (lang string, ok bool) {
	first := strings.FieldsFunc(strings.ToLower(tag), func(r rune) bool { return r < 'a' || r > 'z' })
	if len(first) == 0 || !slices.Contains(Languages(), first[0]) {
		return Languages()[0], false
	}
	return first[0], true
}

// preferred is the language with the greatest weight in an Accept-Language header, the first of equal ones.
func preferred(header string) string {
	best, most := Languages()[0], 0.0
	for entry := range strings.SplitSeq(header, ",") {
		tag, rest, weighted := strings.Cut(entry, ";")
		weight := 1.0
		if q, found := strings.CutPrefix(strings.TrimSpace(rest), "q="); weighted && found {
			weight, _ = strconv.ParseFloat(strings.TrimSpace(q), 64) // unreadable: it does not count
		}
		if lang, ok := Language(strings.TrimSpace(tag)); ok && weight > most {
			best, most = lang, weight
		}
	}
	return best
}
