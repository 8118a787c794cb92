package fields_test

import (
	"strings"
	"testing"

	"hermes/internal/fields"
)

// takes reports whether a field with this pattern takes a text.
func takes(pattern, text string) bool {
	_, ok := fields.Field{Kind: fields.String, Pattern: pattern}.Read(text)
	return ok
}

// What Go's syntax lacks or means otherwise is left to the server, and no pattern takes long.
func TestField_PatternsOfOthers(t *testing.T) {
	for _, pattern := range []string{
		"(?=a)", "(?!a)", `(a)\1`, `\u0061`, `\cA`, "[^]", "[]", `\Aa`, `a\z`, `\pL`, `\p{L}`, "[[:alpha:]]", "(?i)a", "(?<x>a)", "(?P<x>a)",
		"(", "a{1001}", "*", `\`, `[\q]`, strings.Repeat("(a|b)", 200), "((((a{30}){30}){30}){30})",
	} {
		if !takes(pattern, "zzz") {
			t.Errorf("%.40q was decided here", pattern)
		}
	}
	if !takes("^[a-z]$", "é") || !takes("^.$", "🤔") {
		t.Error("a letter beyond ASCII was decided here")
	}
	if takes("^(a+)+$", strings.Repeat("a", 1<<16)+"!") {
		t.Error("a pattern that makes others hang is not decided")
	}
}
