package question

import (
	"slices"
	"strings"
)

// FirstChoice is the label that counts as the item's first choice: of the option that
// the asker marked as the default, else, if recommended ones are preferred, of the
// first whose label says that it is recommended, else of the first one. It reports
// false when the item has no option, and for a field: what comes first in a form is no advice.
func (i Item) FirstChoice(recommended bool) (string, bool) {
	if len(i.Options) == 0 || i.Field != nil {
		return "", false
	}
	n := slices.IndexFunc(i.Options, func(o Option) bool { return o.Default })
	if n < 0 && recommended {
		n = slices.IndexFunc(i.Options, func(o Option) bool { return Unmarked(o.Label) != o.Label })
	}
	return i.Options[max(0, n)].Label, true
}

// Unmarked is the label without the mark that agents recommend an option with, such
// as "(Recommended)" at its end; without one it is the label, to the letter.
func Unmarked(label string) string {
	lower := strings.ToLower(label)
	for _, mark := range []string{"(recommended)", "[recommended]", "(推荐)", "\uff08推荐\uff09"} {
		at := strings.LastIndex(lower, mark)
		if at >= 0 && len(lower) == len(label) {
			return strings.TrimSpace(strings.TrimSpace(label[:at]) + label[at+len(mark):])
		}
	}
	return label
}
