package words

import "strings"

// language is one that hermes speaks.
type language struct {
	tag   string // as HERMES_LANG names it, and as IETF language tags begin
	table func() Table
}

// languages are all of them. Who speaks none of them is spoken to in the first.
func languages() []language {
	return []language{
		{"en", english},
		{"zh", chinese},
	}
}

// Languages returns the tags of all languages, the default first.
func Languages() []string {
	var tags []string
	for _, l := range languages() {
		tags = append(tags, l.tag)
	}
	return tags
}

// For returns the table for an IETF language tag: that of zh also for all its kinds, such as
// zh-hans, and the first language's for one that hermes does not speak.
func For(tag string) Table {
	first, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	all := languages()
	for _, l := range all {
		if l.tag == first {
			return l.table()
		}
	}
	return all[0].table()
}
