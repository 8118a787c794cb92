package main

import (
	"fmt"
	"strings"

	"hermes/internal/api"
	"hermes/internal/fields"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/words"
)

// skipWord is what somebody types for no answer to a field that needs none.
const skipWord = "-"

// inputFor is what a line means on the step on screen. Of a field, an empty line is its default, or nothing where none is
// needed.
func inputFor(r question.Request, w question.Wizard, text string) question.WizardInput {
	said := question.WizardInput{Action: question.Say, Text: text}
	if w.Step >= len(r.Items) || r.Items[w.Step].Field == nil {
		return said
	}
	f := r.Items[w.Step].Field
	switch empty := strings.TrimSpace(text) == ""; {
	case empty && len(f.Default) > 0:
		return question.WizardInput{Action: question.UseDefault, Rev: w.Rev, Item: w.Step}
	case !f.Required && (empty || strings.TrimSpace(text) == skipWord):
		return question.WizardInput{Action: question.Skip, Rev: w.Rev, Item: w.Step}
	}
	return said
}

// fieldPrompt says what may be typed for a field; empty for a question.
func fieldPrompt(i question.Item) string {
	if i.Field == nil {
		return ""
	}
	var parts []string
	if len(i.Field.Default) > 0 {
		parts = append(parts, "Enter: the default")
	}
	switch {
	case i.Field.Required:
	case len(parts) > 0:
		parts = append(parts, skipWord+": skip")
	default:
		parts = append(parts, "Enter: skip")
	}
	if len(parts) == 0 {
		return ""
	}
	return " [" + strings.Join(parts, ", ") + "]"
}

// refusedField says why a field does not take what was typed.
func refusedField(i question.Item, n question.Notice) string {
	w := words.For("en")
	switch n.Kind {
	case question.TooFew:
		return fmt.Sprintf("needs at least %s", words.Number(*i.Field.Min))
	case question.TooMany:
		return fmt.Sprintf("takes no more than %s", words.Number(*i.Field.Max))
	}
	if i.Field.Kind == fields.Unknown {
		return "cannot be answered here: hermes does not know this kind of field"
	}
	return "does not fit; give " + acceptedBy(i, w)
}

func acceptedBy(i question.Item, w words.Table) string {
	return w.Accepts(*i.Field, func(pattern string) string { return `"` + letters.OneLine(pattern) + `"` })
}

// askerText says that a form is no question of the agent, and whose it is. A bar stands before each line of its context, so that none
// passes for one of hermes'.
func askerText(f *question.Form, context string) string {
	w := words.For("en")
	line := fmt.Sprintf(w.Form.Program, letters.OneLine(f.Title))
	if f.Server != "" {
		line = fmt.Sprintf(w.Form.Server, letters.OneLine(f.Server))
	}
	if context = shownText(context); context != "" {
		line += "\n  │ " + strings.ReplaceAll(context, "\n", "\n  │ ")
	}
	return line
}

// fieldHints say what may be typed for a field.
func fieldHints(item question.Item) string {
	table := words.For("en")
	var lines []string
	if item.Multiple {
		lines = append(lines, table.Form.Choose.Of(item.Field.Min, item.Field.Max, table.ChooseAny))
	} else if item.TakesText() {
		lines = append(lines, fmt.Sprintf(table.Form.Send, acceptedBy(item, table)))
	}
	if len(item.Field.Default) > 0 {
		lines = append(lines, fmt.Sprintf(table.Form.Default, valuesInWords(item, item.Field.Default)))
	}
	return strings.Join(lines, "\n")
}

func optionLines(item question.Item) string {
	var text string
	for n, o := range item.Options {
		text += fmt.Sprintf("  %d. %s\n", n+1, indentLines(letters.ForTerminal(o.Label)))
		if o.Description != "" {
			text += "     " + indentLines(letters.ForTerminal(o.Description)) + "\n"
		}
	}
	return strings.TrimRight(text, "\n")
}

// addressText is the address that a field wants to be opened.
func addressText(item question.Item) string {
	if item.Field.Kind != fields.External {
		return ""
	}
	w := words.For("en").Form
	if host, ok := letters.Link(item.Field.URL); ok {
		return fmt.Sprintf(w.Address, host) + "\n" + item.Field.URL
	}
	return w.Doubtful + "\n" + letters.OneLine(item.Field.URL)
}

// fieldLabel is what a field is called: by its title, else by its key.
func fieldLabel(item question.Item) string {
	if strings.TrimSpace(item.Header) != "" {
		return letters.OneLine(item.Header)
	}
	return letters.OneLine(item.ID)
}

// askedItems are the indices of the items that are asked.
func askedItems(asked []bool) []int {
	var list []int
	for n, is := range asked {
		if is {
			list = append(list, n)
		}
	}
	return list
}

// valuesInWords are a field's values as people know them.
func valuesInWords(item question.Item, values []string) string {
	var all []string
	for _, value := range values {
		for _, o := range item.Options {
			if o.ID == value {
				value = o.Label
				break
			}
		}
		all = append(all, letters.OneLine(value))
	}
	return strings.Join(all, ", ")
}

// filledLines are the answers, a line each, numbered as the items are asked.
func filledLines(r question.Request, answers question.Answers) []string {
	var lines []string
	for n, i := range askedItems(r.Asked(answers)) {
		item, answer := r.Items[i], "–"
		if i < len(answers) && len(answers[i]) > 0 {
			answer = valuesInWords(item, answers[i])
		}
		if item.Field != nil {
			answer = fieldLabel(item) + ": " + answer
		}
		lines = append(lines, fmt.Sprintf("%d. %s", n+1, answer))
	}
	return lines
}

// formSummary is a form on one line: who asks, what for, and which fields.
func formSummary(q api.Question) string {
	asker := q.Form.Server
	if asker == "" {
		asker = q.Form.Title
	}
	var names []string
	for _, item := range q.Domain().Items {
		names = append(names, fieldLabel(item))
	}
	text := strings.Join(strings.Fields(asker+" asks for: "+strings.Join(names, ", ")), " ")
	if about := strings.Join(strings.Fields(q.Context), " "); about != "" {
		text += " (" + about + ")"
	}
	return text
}
