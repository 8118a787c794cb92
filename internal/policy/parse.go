package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
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

func ruleSettings() map[string]setting[conditionalRule] {
	return map[string]setting[conditionalRule]{
		"name": func(f *file, x *conditionalRule, p *pair) { x.Name = f.label(p.key, p.value) },

		"ask":        func(f *file, x *conditionalRule, p *pair) { x.when.Ask = f.readAskKind(p) },
		"permission": func(f *file, x *conditionalRule, p *pair) { x.when.Permission = each(f.reader, p, f.text) },
		"pattern":    func(f *file, x *conditionalRule, p *pair) { x.when.Pattern = each(f.reader, p, f.text) },
		"directory":  func(f *file, x *conditionalRule, p *pair) { x.when.Directory = each(f.reader, p, f.readDirectory) },
		"agent":      func(f *file, x *conditionalRule, p *pair) { x.when.Agent = each(f.reader, p, f.text) },
		"session":    func(f *file, x *conditionalRule, p *pair) { x.when.Session = each(f.reader, p, f.text) },
		"link":       func(f *file, x *conditionalRule, p *pair) { x.when.Link = each(f.reader, p, f.text) },
		"owner":      func(f *file, x *conditionalRule, p *pair) { x.when.Owner = each(f.reader, p, f.person) },
		"subagent":   func(f *file, x *conditionalRule, p *pair) { x.when.Subagent = new(f.flag(p)) },
		"hours":      func(f *file, x *conditionalRule, p *pair) { x.when.Hours.From, x.when.Hours.To = f.span(p) },
		"hours_zone": func(f *file, x *conditionalRule, p *pair) { x.when.Hours.Zone = f.reader.zone(p) },

		"header":       func(f *file, x *conditionalRule, p *pair) { x.when.Header = each(f.reader, p, f.text) },
		"header_regex": func(f *file, x *conditionalRule, p *pair) { x.when.HeaderRegex = each(f.reader, p, f.regex) },
		"text":         func(f *file, x *conditionalRule, p *pair) { x.when.Text = each(f.reader, p, f.text) },
		"text_regex":   func(f *file, x *conditionalRule, p *pair) { x.when.TextRegex = each(f.reader, p, f.regex) },
		"option":       func(f *file, x *conditionalRule, p *pair) { x.when.Option = each(f.reader, p, f.text) },

		"roles":     func(f *file, x *conditionalRule, p *pair) { x.Roles = each(f.reader, p, f.label) },
		"approvals": func(f *file, x *conditionalRule, p *pair) { x.Approvals = f.count(p) },
		"chats":     func(f *file, x *conditionalRule, p *pair) { x.Targets, x.toOwner = f.readTargets(p) },

		"approver_not_owner": func(f *file, x *conditionalRule, p *pair) { x.NotOwner = f.flag(p) },

		"claim":           func(f *file, x *conditionalRule, p *pair) { x.Claim = f.duration(p) },
		"claim_exclusive": func(f *file, x *conditionalRule, p *pair) { x.Exclusive = f.flag(p) },
		"escalate":        func(f *file, x *conditionalRule, p *pair) { x.Escalation = f.readEscalation(p) },
		"quiet":           func(f *file, x *conditionalRule, p *pair) { x.Quiet.From, x.Quiet.To = f.span(p) },
		"quiet_zone":      func(f *file, x *conditionalRule, p *pair) { x.Quiet.Zone = f.reader.zone(p) },
		"timeout":         func(f *file, x *conditionalRule, p *pair) { x.Timeout = f.duration(p) },
		"on_timeout":      func(f *file, x *conditionalRule, p *pair) { x.OnTimeout = f.readExpiry(p) },
		"undo":            func(f *file, x *conditionalRule, p *pair) { x.Undo = f.readUndo(p) },
		"remind":          func(f *file, x *conditionalRule, p *pair) { x.Remind = f.readReminders(p) },

		"decide":             func(f *file, x *conditionalRule, p *pair) { x.Decide = f.readDecide(p) },
		"answers":            func(f *file, x *conditionalRule, p *pair) { x.Answers = f.readAnswers(p) },
		"fallback":           func(f *file, x *conditionalRule, p *pair) { x.Fallback = oneOf(f, p, Reject, AcceptFirst) },
		"prefer_recommended": func(f *file, x *conditionalRule, p *pair) { x.Recommended = f.flag(p) },
		"notify":             func(f *file, x *conditionalRule, p *pair) { x.Notify = f.flag(p) },
	}
}

func (f *file) readAskKind(p *pair) askKind {
	kind := askKind(p.value.text)
	if p.value.kind != isText || kind != questions && kind != permission {
		f.mistakes.add(p.value.line, `%s must be "question" or "permission"; leave it out for both`, p.key)
	}
	return kind
}

// readUndo reads how long a decision is held: "0s" is not at all.
func (f *file) readUndo(p *pair) *time.Duration {
	d, err := time.ParseDuration(p.value.text)
	if p.value.kind != isText || err != nil || d != 0 && d < time.Second || d > question.MaxHold {
		f.mistakes.add(p.value.line, `%s must be a duration from a second to %v, such as "10s", or "0s" to send at once`, p.key, question.MaxHold)
		return nil
	}
	return &d
}

// readDirectory reads a glob that some directory can fit.
func (f *file) readDirectory(key string, v value) string {
	glob := f.text(key, v)
	windows := len(glob) > 1 && glob[1] == ':'
	if glob != "" && !windows && !strings.HasPrefix(glob, "/") && !strings.HasPrefix(glob, "*") {
		f.mistakes.add(v.line, "%s must begin with / or *, for it is held against whole paths; ~ is not expanded", key)
		return ""
	}
	clean, ok := cleanGlob(glob)
	if !ok {
		f.mistakes.add(v.line, "%s has .. in it; write the path itself", key)
		return ""
	}
	return clean
}

// readEscalation reads the steps, each later than the one before.
func (f *file) readEscalation(p *pair) []Escalation {
	settings := map[string]setting[Escalation]{
		"after": func(f *file, x *Escalation, p *pair) { x.After = f.duration(p) },
		"chats": func(f *file, x *Escalation, p *pair) { x.Targets, x.toOwner = f.readTargets(p) },
	}
	var (
		all  []Escalation
		last time.Duration
	)
	if p.value.kind != isList || len(p.value.list) == 0 {
		f.mistakes.add(p.line, `%s must be a list such as [{ after = "10m", chats = [-1001234567890] }]`, p.key)
		return nil
	}
	for _, step := range readTables(f, p, settings, "after", "chats") {
		if d := step.value.After; d > 0 && d <= last {
			f.mistakes.add(step.lineOf("after"), "after must be more than the %v of the step before", last)
		}
		last = max(last, step.value.After)
		all = append(all, step.value)
	}
	return all
}

func decideValues() []Decide { return []Decide{Forward, Reject, AcceptFirst, Auto} }

func (f *file) readDecide(p *pair) Decide {
	if p.value.kind == isText && Decide(p.value.text) == allowOnce {
		return allowOnce
	}
	return oneOf(f, p, decideValues()...)
}

// oneOf reads one of a closed set of words.
func oneOf[T ~string](f *file, p *pair, words ...T) T {
	word := T(p.value.text)
	if p.value.kind == isText && slices.Contains(words, word) {
		return word
	}
	var list []string
	for _, w := range words {
		list = append(list, fmt.Sprintf("%q", w))
	}
	f.mistakes.add(p.value.line, "%s must be one of %s", p.key, strings.Join(list, ", "))
	return ""
}

func (f *file) readExpiry(p *pair) question.Expiry {
	return oneOf(f, p, slices.Sorted(slices.Values(question.Expiries()))...)
}

// readReminders reads when people are reminded, each time later than the one before.
func (f *file) readReminders(p *pair) []time.Duration {
	var last time.Duration
	return each(f.reader, p, func(key string, v value) time.Duration {
		d := f.duration(&pair{key, v.line, v})
		if d > 0 && d <= last {
			f.mistakes.add(v.line, "%s must be in order, and %v comes after %v", key, d, last)
		}
		last = max(last, d)
		return d
	})
}

// readPresetText reads the label of an option, or { text = "words of one's own" }.
func (f *file) readPresetText(key string, v value) (x PresetText) {
	if v.kind != isTable {
		return PresetText{Text: f.text(key, v)}
	}
	settings := map[string]setting[PresetText]{
		"text": func(f *file, x *PresetText, p *pair) { x.Text = f.text(p.key, p.value) },
	}
	if v.table.get("text") == nil {
		f.mistakes.add(v.line, `%s needs text, such as { text = "The Bridge" }`, key)
		return PresetText{}
	}
	readTable(f, v.table, settings, &x, key)
	x.Own = x.Text != ""
	return x
}

// readAnswers reads what a rule answers by itself.
func (f *file) readAnswers(p *pair) []PresetAnswer {
	settings := map[string]setting[PresetAnswer]{
		"header": func(f *file, x *PresetAnswer, p *pair) { x.Header = f.text(p.key, p.value) },
		"text":   func(f *file, x *PresetAnswer, p *pair) { x.Text = f.text(p.key, p.value) },
		"number": func(f *file, x *PresetAnswer, p *pair) { x.Number = f.count(p) },
		"answer": func(f *file, x *PresetAnswer, p *pair) { x.Answer = each(f.reader, p, f.readPresetText) },
	}
	if p.value.kind != isList || len(p.value.list) == 0 {
		f.mistakes.add(p.line, `%s must be a list such as [{ header = "Database", answer = "SQLite" }]`, p.key)
		return nil
	}
	var all []PresetAnswer
	for _, one := range readTables(f, p, settings, "answer") {
		if one.table.get("header") == nil && one.table.get("text") == nil && one.table.get("number") == nil {
			f.mistakes.add(one.table.line, "an answer needs header, text or number, to say which question it is for")
		}
		all = append(all, one.value)
	}
	return all
}
