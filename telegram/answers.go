package telegram

import (
	"slices"
	"strconv"

	"hermes/internal/letters"
	"hermes/internal/question"
)

// result is the answers below the question: one with an arrow, several as a list.
func (p page) result(answers question.Answers) rich {
	if len(p.Request.Items) > 1 {
		return p.list(answers)
	}
	return append(plain("→ "), p.inline(answers)...)
}

// list has one line an item.
func (p page) list(answers question.Answers) rich {
	var lines []rich
	for i := range max(len(p.Request.Items), len(answers)) {
		name := plain(strconv.Itoa(i+1) + ". " + apart(shorten(p.header(i), 200)) + " → ")
		lines = append(lines, append(name, p.answer(i, at(answers, i))...))
	}
	return join("\n", lines...)
}

// inline is all answers in one line.
func (p page) inline(answers question.Answers) rich {
	if p.Request.Permission != nil {
		return plain(p.grantName(answers))
	}
	var all []rich
	for i := range max(1, len(answers)) {
		all = append(all, p.answer(i, at(answers, i)))
	}
	return join("; ", all...)
}

// answer is one item's answer: labels as they are, typed text in quotes.
func (p page) answer(item int, labels []string) rich {
	if len(labels) == 0 {
		return plain("–")
	}
	var all []rich
	for _, label := range labels {
		text := quoted(letters.Clean(label))
		if p.offers(item, label) {
			text = apart(label)
		}
		all = append(all, plain(text))
	}
	return join(p.w.Comma, all...)
}

func (p page) offers(item int, label string) bool {
	return item < len(p.Request.Items) &&
		slices.ContainsFunc(p.Request.Items[item].Options, func(o question.Option) bool { return o.Label == label })
}

func at(a question.Answers, i int) []string {
	if i < len(a) {
		return a[i]
	}
	return nil
}

func quoted(s string) string { return `"` + s + `"` }
