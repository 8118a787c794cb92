package question

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hermes/internal/letters"
)

// where returns the first option of each distinct label that fits. Options with
// equal labels are one answer, so the first stands for all.
func (i Item) where(fits func(label string) bool) []int {
	var found []int
	for n, o := range i.Options {
		if !i.among(found, n) && fits(o.Label) {
			found = append(found, n)
		}
	}
	return found
}

// among reports whether one of the options found has the label of option n.
func (i Item) among(found []int, n int) bool {
	return slices.ContainsFunc(found, func(f int) bool { return i.Options[f].Label == i.Options[n].Label })
}

// is returns the option with just this label, or nil.
func (i Item) is(text string) []int {
	return i.where(func(label string) bool { return label == text })
}

// exactly returns the options that the text names as a whole: by label, to the
// letter or but for its case, by the asker's id, and by number. Where labels or ids
// are numbers themselves, or ids are other options' labels, these may be several.
func (i Item) exactly(text string) []int {
	found := i.is(text)
	if len(found) == 0 {
		found = i.where(func(label string) bool { return strings.EqualFold(strings.TrimSpace(label), text) })
	}
	at := number(text) - 1
	for n, o := range i.Options {
		if (n == at || o.ID != "" && strings.EqualFold(o.ID, text)) && !i.among(found, n) {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	return found
}

// number reads an option's number as people write it, "2", "2." or "2)", in ASCII
// or full-width digits. It is 0 for any other text: "+1" and "007" are words.
func number(text string) int {
	digits := strings.TrimRight(strings.Map(letters.Narrow, text), ".)\u3002\u3001\uff0e\uff09")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || strconv.Itoa(n) != digits {
		return 0
	}
	return n
}

// NoOptions returns the numbers of a text that is a number, or a list of numbers, and of nothing else, as far as no
// option has them: "9" of "1, 9" where there are three. It is nil for any other text.
func (i Item) NoOptions(text string) []string {
	var none []string
	for _, word := range strings.FieldsFunc(byAndOf(text), unicode.IsSpace) {
		switch {
		case !wholeNumber.MatchString(strings.Map(letters.Narrow, word)):
			return nil
		case len(i.exactly(word)) == 0:
			none = append(none, word)
		}
	}
	return none
}

// wholeNumber is any whole number as people write one before or behind what it counts: also 0, -1, +1 and 007.
var wholeNumber = regexp.MustCompile(`^[+\-\x{2212}]?[0-9]+[.)\x{3002}\x{3001}\x{ff0e}\x{ff09}]*$`)

// numbers reports whether the text is a number, or a list of numbers, and nothing else.
func numbers(text string) bool { return len(Item{}.NoOptions(text)) > 0 }

// byAndOf puts spaces between the parts of a list.
func byAndOf(text string) string { return strings.Join(byAnd(text), " ") }

// list returns what each part means in a text that is a list of numbers or labels
// and of nothing else: "1, 3", "1 3", "Go and Zig". It is nil for any other text.
func (i Item) list(text string) [][]int {
	for _, split := range []func(string) []string{byComma, strings.Fields, byAnd} {
		if parts := i.each(split(text)); len(parts) > 0 {
			return parts
		}
	}
	return nil
}

func (i Item) each(words []string) [][]int {
	var parts [][]int
	for _, word := range words {
		found := i.exactly(strings.TrimSpace(word))
		if len(found) == 0 {
			return nil
		}
		parts = append(parts, found)
	}
	return parts
}

// known returns what the known parts of a list mean, for an ask to hermes itself that
// takes several options and nothing else: its protocol ignores unknown ids. Only
// what stands between commas and the like is a part, for of "not eu" no word counts.
func (i Item) known(text string) [][]int {
	if i.ID == "" || i.Field != nil || !i.Multiple || i.TakesText() {
		return nil
	}
	var parts [][]int
	for _, word := range byAnd(text) {
		if found := i.exactly(strings.TrimSpace(word)); len(found) > 0 {
			parts = append(parts, found)
		}
	}
	return parts
}

// byComma splits at commas, semicolons and line ends, also full-width ones.
func byComma(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;\n\uff0c\u3001\uff1b", r) })
}

// byAnd splits as byComma does, and at the words and signs for "and".
func byAnd(text string) []string {
	return byComma(strings.NewReplacer(" and ", ",", " & ", ",", "和", ",", "与", ",").Replace(text))
}
