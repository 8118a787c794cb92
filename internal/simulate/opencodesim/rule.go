package opencodesim

import (
	"regexp"
	"slices"
	"strings"
)

// rule is what an always has granted: this permission for what the pattern
// matches, in every session of the directory's instance.
type rule struct {
	permission string
	pattern    string
}

// grant adds the rules of an always.
func (i *instance) grant(p Permission) {
	for _, pattern := range p.Always {
		i.rules = append(i.rules, rule{p.Permission, pattern})
	}
}

// grants tells whether nothing of an ask is left to be asked.
func (i *instance) grants(p Permission) bool {
	for _, text := range p.Patterns {
		if !slices.ContainsFunc(i.rules, func(r rule) bool { return r.permission == p.Permission && matches(r.pattern, text) }) {
			return false
		}
	}
	return true
}

// matches reports whether a pattern of OpenCode's covers a text: * is anything, ?
// one character, and " *" at the end may also be absent.
func matches(pattern, text string) bool {
	expr := regexp.QuoteMeta(pattern)
	expr = strings.ReplaceAll(strings.ReplaceAll(expr, `\*`, ".*"), `\?`, ".")
	if rest, ok := strings.CutSuffix(expr, " .*"); ok {
		expr = rest + "( .*)?"
	}
	return regexp.MustCompile("(?s)^" + expr + "$").MatchString(text)
}
