package question

import "strings"

// Alternatives lists the words of a closed set as a sentence does: a, b or c. Each stands
// between two of the quotes, which may be empty.
func Alternatives[T ~string](words []T, quote string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote + string(w) + quote
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}
