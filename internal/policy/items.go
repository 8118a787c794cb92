package policy

import (
	"regexp"
	"slices"
	"strings"

	"hermes/internal/question"
)

// itemTest is one condition on a question of an ask.
type itemTest struct {
	key  string
	want []string
	met  func(question.Item) bool
}

// itemTests are the conditions that the rule has on single questions.
func (c conditions) itemTests() []itemTest {
	all := []itemTest{
		{"header", c.Header, func(i question.Item) bool { return anyPart(c.Header, i.Header) }},
		{"header_regex", sources(c.HeaderRegex), func(i question.Item) bool { return anyFound(c.HeaderRegex, i.Header) }},
		{"text", c.Text, func(i question.Item) bool { return anyPart(c.Text, i.Text) }},
		{"text_regex", sources(c.TextRegex), func(i question.Item) bool { return anyFound(c.TextRegex, i.Text) }},
		{"option", c.Option, func(i question.Item) bool {
			return slices.ContainsFunc(i.Options, func(o question.Option) bool { return anyFits(c.Option, o.Label) })
		}},
	}
	return slices.DeleteFunc(all, func(t itemTest) bool { return len(t.want) == 0 })
}

// meets reports whether one question meets all of the conditions.
func (c conditions) meets(i question.Item) bool {
	return !slices.ContainsFunc(c.itemTests(), func(t itemTest) bool { return !t.met(i) })
}

// allMeet reports whether every question does.
func (c conditions) allMeet(items []question.Item) bool {
	return !slices.ContainsFunc(items, func(i question.Item) bool { return !c.meets(i) })
}

// anyPart reports whether one of the parts is in the text, but for case and the amount
// of white space.
func anyPart(parts []string, text string) bool {
	text = normal(text)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, normal(part)) })
}

func anyFound(list []*regexp.Regexp, text string) bool {
	return slices.ContainsFunc(list, func(r *regexp.Regexp) bool { return r.MatchString(text) })
}

func sources(list []*regexp.Regexp) []string {
	var all []string
	for _, r := range list {
		all = append(all, r.String())
	}
	return all
}
