package policy

import "slices"

// NamedLink are the names of the rules whose condition on the link fits this name, and not the other one: a link that is renamed to it
// is no longer meant by them.
func (s *Ruleset) NamedLink(name, next string) (list []string) {
	for _, r := range s.rules {
		fits := func(name string) bool { return anyFits(r.when.Link, name) }
		if len(r.when.Link) > 0 && fits(name) && !fits(next) && !slices.Contains(list, r.Name) {
			list = append(list, r.Name)
		}
	}
	return list
}
