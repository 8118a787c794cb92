package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/internal/question"
)

func decisions() []Decide { return []Decide{Forward, Reject, AcceptFirst, Auto, AllowOnce} }

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
	f.wrong.add(p.value.line, "%s must be one of %s", p.key, strings.Join(list, ", "))
	return ""
}

func (f *file) expiry(p *pair) question.Expiry {
	return oneOf(f, p, question.ExpireAccept, question.ExpireReject, question.ExpireWait)
}

// remind reads when people are reminded, each time later than the one before.
func (f *file) remind(p *pair) []time.Duration {
	var last time.Duration
	return each(f.reader, p, func(key string, v value) time.Duration {
		d := f.duration(&pair{key, v.line, v})
		if d > 0 && d <= last {
			f.wrong.add(v.line, "%s must be in order, and %v comes after %v", key, d, last)
		}
		last = max(last, d)
		return d
	})
}

// answers reads what a rule answers by itself.
func (f *file) answers(p *pair) []Given {
	settings := map[string]setting[Given]{
		"header": func(f *file, x *Given, p *pair) { x.Header = f.text(p.key, p.value) },
		"text":   func(f *file, x *Given, p *pair) { x.Text = f.text(p.key, p.value) },
		"number": func(f *file, x *Given, p *pair) { x.Number = f.count(p) },
		"answer": func(f *file, x *Given, p *pair) { x.Answer = each(f.reader, p, f.reader.text) },
	}
	if p.value.kind != isList || len(p.value.list) == 0 {
		f.wrong.add(p.line, `%s must be a list such as [{ header = "Database", answer = "SQLite" }]`, p.key)
		return nil
	}
	var all []Given
	for _, one := range tables(f, p, settings, "answer") {
		if one.at.get("header") == nil && one.at.get("text") == nil && one.at.get("number") == nil {
			f.wrong.add(one.at.line, "an answer needs header, text or number, to say which question it is for")
		}
		all = append(all, one.it)
	}
	return all
}
