package policy

import (
	"maps"
	"slices"
	"strings"
	"time"

	"hermes/internal/question"
)

// Parse reads a file of people and rules; name is how mistakes name the file. The
// error is of type [Mistakes] and holds all that is wrong. If the file is not TOML, it
// holds what is wrong up to there.
func Parse(name string, text []byte) (*Book, error) {
	var wrong notes
	root, whole := build(text, &wrong)
	f := file{reader: reader{&wrong}, zone: time.Local, hours: time.Local}
	f.sections(root)
	if whole {
		f.check()
	}
	if err := wrong.err(name); err != nil {
		return nil, err
	}
	return f.book(), nil
}

// file is what was read of a file so far.
type file struct {
	reader
	zone   *time.Location  // of quiet hours that name none
	drive  filed[[]string] // the roles of [remote]
	hours  *time.Location  // of a rule's hours that name none
	people []filed[Person]
	rules  []filed[entry]
}

// filed is something, and where it stands.
type filed[T any] struct {
	it T
	at *table
}

// line is where the key stands, or else the whole.
func (f filed[T]) line(key string) int {
	if p := f.at.get(key); p != nil {
		return p.line
	}
	return f.at.line
}

// first is where the first of the keys that is there stands.
func (f filed[T]) first(keys ...string) int {
	for _, key := range keys {
		if f.at.get(key) != nil {
			return f.line(key)
		}
	}
	return f.at.line
}

// setting reads one key into something.
type setting[T any] func(*file, *T, *pair)

func (f *file) sections(root *table) {
	settings := map[string]setting[struct{}]{
		"quiet_zone": func(f *file, _ *struct{}, p *pair) { f.zone = f.reader.zone(p) },
		"hours_zone": func(f *file, _ *struct{}, p *pair) { f.hours = f.reader.zone(p) },
		"person": func(f *file, _ *struct{}, p *pair) {
			f.people = tables(f, p, personSettings(), "id", "name")
		},
		"remote": func(f *file, _ *struct{}, p *pair) { f.remote(p) },
		"rule": func(f *file, _ *struct{}, p *pair) {
			f.rules = tables(f, p, ruleSettings(), "name")
		},
	}
	fill(f, root, settings, new(struct{}), "a rules file")
}

// fill reads every key of a table.
func fill[T any](f *file, t *table, settings map[string]setting[T], into *T, what string) {
	for _, p := range t.keys {
		if read, ok := settings[p.key]; ok {
			read(f, into, p)
			continue
		}
		known := strings.Join(slices.Sorted(maps.Keys(settings)), ", ")
		f.wrong.add(p.line, "%q is no setting of %s; there are: %s", p.key, what, known)
	}
}

// tables reads all [[…]] of one name.
func tables[T any](f *file, p *pair, settings map[string]setting[T], needed ...string) []filed[T] {
	var all []filed[T]
	if p.value.kind != isList {
		f.wrong.add(p.line, "write [[%s]], in two brackets, above each", p.key)
		return nil
	}
	for _, v := range p.value.list {
		if v.kind != isTable {
			f.wrong.add(v.line, "write [[%s]], in two brackets, above each", p.key)
			continue
		}
		one := filed[T]{at: v.table}
		for _, key := range needed {
			if v.table.get(key) == nil {
				f.wrong.add(v.line, "[[%s]] needs %s", p.key, key)
			}
		}
		fill(f, v.table, settings, &one.it, "[["+p.key+"]]")
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

// book puts together what was found right.
func (f *file) book() *Book {
	b := &Book{people: map[question.UserID]Person{}}
	for _, p := range f.people {
		b.people[p.it.ID] = p.it
		if len(p.it.Roles) > 0 {
			b.targets = append(b.targets, Target{Chat: question.ChatID(p.it.ID)}) // a private chat has its user's id (Bot API)
		}
	}
	b.drivers = f.drive.it
	for _, r := range f.rules {
		b.rules = append(b.rules, r.it)
	}
	return b
}
