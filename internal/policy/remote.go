package policy

import (
	"slices"
	"strings"

	"hermes/internal/question"
)

// Drives reports whether a person may drive sessions: tell the agent what to do, stop
// it, see what it did. Without a file everybody in the book may; with one, those who
// have a role of its [remote] section, and without that section nobody.
func (b *Book) Drives(id question.UserID) bool {
	p, ok := b.people[id]
	return ok && (b.open || len(b.drivers) > 0 && p.has(b.drivers))
}

// Driven reports whether there can be people who may drive sessions.
func (b *Book) Driven() bool { return b.open || len(b.drivers) > 0 }

// Drivers are the roles that may drive sessions; empty: see Drives.
func (b *Book) Drivers() []string { return slices.Clone(b.drivers) }

// remote reads the section of that name.
func (f *file) remote(p *pair) {
	if p.value.kind != isTable {
		f.wrong.add(p.line, "write [remote], in one bracket, above its roles")
		return
	}
	f.drive.at = p.value.table
	settings := map[string]setting[[]string]{
		"roles": func(f *file, x *[]string, p *pair) { *x = each(f.reader, p, f.label) },
	}
	fill(f, p.value.table, settings, &f.drive.it, "[remote]")
}

// checkRemote finds roles that nobody has.
func (f *file) checkRemote() {
	if f.drive.at == nil {
		return
	}
	if f.drive.at.get("roles") == nil {
		f.wrong.add(f.drive.at.line, `[remote] needs roles, such as roles = ["lead"]`)
	}
	for _, role := range f.drive.it {
		if !slices.ContainsFunc(f.people, func(p filed[Person]) bool { return p.it.has([]string{role}) }) {
			f.wrong.add(f.drive.line("roles"), "nobody has the role %q; there are: %s", role, strings.Join(f.roles(), ", "))
		}
	}
}
