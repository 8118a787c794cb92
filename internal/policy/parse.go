package policy

import (
	"maps"
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
)

// Parse reads a file of people and rules; name is how mistakes name the file. The
// error is of type [Mistakes] and holds all that is wrong. If the file is not TOML, it
// holds what is wrong up to there.
func Parse(name string, text []byte) (*Ruleset, error) {
	var wrong mistakeList
	root, whole := parseTree(text, &wrong)
	f := file{reader: reader{&wrong}, zone: time.Local, hours: time.Local}
	f.readSections(root)
	if whole {
		f.check()
	}
	if err := wrong.asError(name); err != nil {
		return nil, err
	}
	return f.makeRuleset(), nil
}

// file is what was read of a file so far.
type file struct {
	reader
	zone   *time.Location    // of quiet hours that name none
	drive  located[[]string] // the roles of [remote]
	hours  *time.Location    // of a rule's hours that name none
	people []located[Person]
	rules  []located[conditionalRule]
}

// located is a value and the table that it was read from.
type located[T any] struct {
	value T
	table *table
}

// lineOf is the line of the key, or else of the table.
func (f located[T]) lineOf(key string) int {
	if p := f.table.get(key); p != nil {
		return p.line
	}
	return f.table.line
}

// firstLineOf is the line of the first of the keys that is there, or else of the table.
func (f located[T]) firstLineOf(keys ...string) int {
	for _, key := range keys {
		if f.table.get(key) != nil {
			return f.lineOf(key)
		}
	}
	return f.table.line
}

// setting reads one key into something.
type setting[T any] func(*file, *T, *pair)

func (f *file) readSections(root *table) {
	settings := map[string]setting[struct{}]{
		"quiet_zone": func(f *file, _ *struct{}, p *pair) { f.zone = f.reader.zone(p) },
		"hours_zone": func(f *file, _ *struct{}, p *pair) { f.hours = f.reader.zone(p) },
		"person": func(f *file, _ *struct{}, p *pair) {
			f.people = readTables(f, p, personSettings(), "id", "name")
		},
		"remote": func(f *file, _ *struct{}, p *pair) { f.readRemote(p) },
		"rule": func(f *file, _ *struct{}, p *pair) {
			f.rules = readTables(f, p, ruleSettings(), "name")
		},
	}
	readTable(f, root, settings, new(struct{}), "a rules file")
}

// readTable reads every key of a table.
func readTable[T any](f *file, t *table, settings map[string]setting[T], into *T, what string) {
	for _, p := range t.keys {
		if read, ok := settings[p.key]; ok {
			read(f, into, p)
			continue
		}
		known := strings.Join(slices.Sorted(maps.Keys(settings)), ", ")
		f.mistakes.add(p.line, "%q is no setting of %s; there are: %s", p.key, what, known)
	}
}

// readTables reads all [[…]] of one name.
func readTables[T any](f *file, p *pair, settings map[string]setting[T], needed ...string) []located[T] {
	var all []located[T]
	if p.value.kind != isList {
		f.mistakes.add(p.line, "write [[%s]], in two brackets, above each", p.key)
		return nil
	}
	for _, v := range p.value.list {
		if v.kind != isTable {
			f.mistakes.add(v.line, "write [[%s]], in two brackets, above each", p.key)
			continue
		}
		one := located[T]{table: v.table}
		for _, key := range needed {
			if v.table.get(key) == nil {
				f.mistakes.add(v.line, "[[%s]] needs %s", p.key, key)
			}
		}
		readTable(f, v.table, settings, &one.value, "[["+p.key+"]]")
		all = append(all, one)
	}
	return all
}

func personSettings() map[string]setting[Person] {
	return map[string]setting[Person]{
		"id":    func(f *file, x *Person, p *pair) { x.ID = f.user(p) },
		"name":  func(f *file, x *Person, p *pair) { x.Name = f.label(p.key, p.value) },
		"roles": func(f *file, x *Person, p *pair) { x.Roles = each(f.reader, p, f.label) },
	}
}

// makeRuleset makes the Ruleset of a file without mistakes.
func (f *file) makeRuleset() *Ruleset {
	b := &Ruleset{people: map[chat.UserID]Person{}}
	for _, p := range f.people {
		b.people[p.value.ID] = p.value
		if len(p.value.Roles) > 0 {
			b.targets = append(b.targets, Target{Chat: chat.ID(p.value.ID)}) // a private chat has its user's id (Bot API)
		}
	}
	b.drivers = f.drive.value
	for _, r := range f.rules {
		b.rules = append(b.rules, r.value)
	}
	return b
}
