// Package pattern has regular expressions that are compiled when they are first needed. Those that bound a length
// are large: all that hermes has take 4 MB and 6 ms to compile, and of most, one run needs none.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that whole texts are compared with. Any number of goroutines may use it.
type Pattern func() *regexp.Regexp

// Whole is the pattern of the texts that the expression matches from their first letter to the last one. If it is not
// well-formed, Match panics.
func Whole(expression string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + expression + `)$`) })
}

// Match reports whether the text has the pattern.
func (p Pattern) Match(text string) bool { return p().MatchString(text) }
