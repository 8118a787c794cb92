package policy

import (
	"regexp"
	"slices"
	"strings"

	"hermes/internal/question"
)

// itemCondition is one condition on a question of an ask.
type itemCondition struct {
	key  string
	want []string
	met  func(question.Item) bool
}

// itemConditions are the conditions that the rule has on single questions.
func (c conditions) itemConditions() []itemCondition {
	all := []itemCondition{
		{"header", c.Header, func(i question.Item) bool { return anyPart(c.Header, i.Header) }},
		{"header_regex", regexSources(c.HeaderRegex), func(i question.Item) bool { return anyFound(c.HeaderRegex, i.Header) }},
		{"text", c.Text, func(i question.Item) bool { return anyPart(c.Text, i.Text) }},
		{"text_regex", regexSources(c.TextRegex), func(i question.Item) bool { return anyFound(c.TextRegex, i.Text) }},
		{"option", c.Option, func(i question.Item) bool {
			return slices.ContainsFunc(i.Options, func(o question.Option) bool { return anyFits(c.Option, o.Label) })
		}},
	}
	return slices.DeleteFunc(all, func(t itemCondition) bool { return len(t.want) == 0 })
}

// itemMeets reports whether one question meets all of the conditions.
func (c conditions) itemMeets(i question.Item) bool {
	return !slices.ContainsFunc(c.itemConditions(), func(t itemCondition) bool { return !t.met(i) })
}

// allMeet reports whether every question does.
func (c conditions) allMeet(items []question.Item) bool {
	return !slices.ContainsFunc(items, func(i question.Item) bool { return !c.itemMeets(i) })
}

// anyPart reports whether one of the parts is in the text, but for case and the amount
// of white space.
func anyPart(parts []string, text string) bool {
	text = foldText(text)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, foldText(part)) })
}

func anyFound(list []*regexp.Regexp, text string) bool {
	return slices.ContainsFunc(list, func(r *regexp.Regexp) bool { return r.MatchString(text) })
}

func regexSources(list []*regexp.Regexp) []string {
	var all []string
	for _, r := range list {
		all = append(all, r.String())
	}
	return all
}
