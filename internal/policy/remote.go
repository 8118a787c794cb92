package policy

import (
	"slices"
	"strings"

	"hermes/internal/chat"
)

// MayDrive reports whether a person may drive sessions: tell the agent what to do, stop
// it, see what it did. Without a file everybody in the ruleset may; with one, those who
// have a role of its [remote] section, and without that section nobody.
func (s *Ruleset) MayDrive(id chat.UserID) bool {
	p, ok := s.people[id]
	return ok && (s.open || len(s.drivers) > 0 && p.hasRole(s.drivers))
}

// HasDrivers reports whether there can be people who may drive sessions.
func (s *Ruleset) HasDrivers() bool { return s.open || len(s.drivers) > 0 }

// Drivers are the roles that may drive sessions; empty: see [Ruleset.MayDrive].
func (s *Ruleset) Drivers() []string { return slices.Clone(s.drivers) }

// readRemote reads the section of that name.
func (f *file) readRemote(p *pair) {
	if p.value.kind != isTable {
		f.mistakes.add(p.line, "write [remote], in one bracket, above its roles")
		return
	}
	f.drive.table = p.value.table
	settings := map[string]setting[[]string]{
		"roles": func(f *file, x *[]string, p *pair) { *x = each(f.reader, p, f.label) },
	}
	readTable(f, p.value.table, settings, &f.drive.value, "[remote]")
}

// checkRemote checks that [remote] has roles, and that somebody has them.
func (f *file) checkRemote() {
	if f.drive.table == nil {
		return
	}
	if f.drive.table.get("roles") == nil {
		f.mistakes.add(f.drive.table.line, `[remote] needs roles, such as roles = ["lead"]`)
	}
	for _, role := range f.drive.value {
		if !slices.ContainsFunc(f.people, func(p located[Person]) bool { return p.value.hasRole([]string{role}) }) {
			f.mistakes.add(f.drive.lineOf("roles"), "nobody has the role %q; there are: %s", role, strings.Join(f.allRoles(), ", "))
		}
	}
}
