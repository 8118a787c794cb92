package card

import (
	"slices"
	"strconv"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// result is the answers below the question: one with an arrow, several as a list.
func (p page) result(answers question.Answers) markup.Text {
	if len(p.Request.Items) > 1 {
		return p.list(answers)
	}
	return append(markup.Plain("→ "), p.inline(answers)...)
}

// list has one line an item.
func (p page) list(answers question.Answers) markup.Text {
	var lines []markup.Text
	for i := range max(len(p.Request.Items), len(answers)) {
		name := markup.Plain(strconv.Itoa(i+1) + ". " + markup.Isolate(markup.Shorten(p.header(i), 200)) + " → ")
		lines = append(lines, append(name, p.answer(i, at(answers, i))...))
	}
	return markup.Join("\n", lines...)
}

// inline is all answers in one line.
func (p page) inline(answers question.Answers) markup.Text {
	if p.Request.Permission != nil {
		return markup.Plain(p.grantName(answers))
	}
	var all []markup.Text
	for i := range max(1, len(answers)) {
		all = append(all, p.answer(i, at(answers, i)))
	}
	return markup.Join("; ", all...)
}

// answer is one item's answer: labels as they are, typed text in quotes.
func (p page) answer(item int, labels []string) markup.Text {
	if len(labels) == 0 {
		return markup.Plain("–")
	}
	var all []markup.Text
	for _, label := range labels {
		text := quoted(letters.Clean(label))
		if p.offers(item, label) {
			text = markup.Isolate(label)
		}
		all = append(all, markup.Plain(text))
	}
	return markup.Join(p.w.Comma, all...)
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
