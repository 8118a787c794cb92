package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/internal/question"
)

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
