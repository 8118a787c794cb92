package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/letters"
	"hermes/internal/question"
)

// fromWords understands answers of a command line: one for each question, or several
// for the only one. An option that cancels needs none behind it.
func fromWords(r question.Request, words []string) (api.Answer, error) {
	if len(r.Items) == 1 && r.Items[0].Multiple {
		words = []string{strings.Join(words, ", ")}
	}
	var w question.Wizard
	for n, word := range words {
		next, err := w.Apply(r, inputFor(r, w, word))
		if err != nil {
			return api.Answer{}, config.Mistakes{fmt.Sprintf("ANSWER %d: %s", n+1, refusedText(r, err))}
		}
		w = next
	}
	switch missing := w.State == question.Asking && w.Step < len(r.Items); {
	case missing && r.Form != nil:
		return api.Answer{}, config.Mistakes{fmt.Sprintf("ANSWER: %s has none; give an answer for each field that is asked, %s to skip one", fieldLabel(r.Items[w.Step]), skipWord)}
	case missing:
		return api.Answer{}, config.Mistakes{fmt.Sprintf("ANSWER: there are %d questions, so give %d answers", len(r.Items), len(r.Items))}
	}
	return api.Answer{Answers: w.Answers(r)}, nil
}

// howToQuote is how a text is sent as it is. A shell takes quotes of its own away.
const howToQuote = `put quotes around it to send it as it is, in a shell '"…"'`

// refusedText says why an answer was not taken.
func refusedText(r question.Request, err error) string {
	var n *question.Notice
	if !errors.As(err, &n) {
		return "there is no question for it"
	}
	switch n.Kind {
	case question.NotAccepted, question.TooFew, question.TooMany:
		return refusedField(r.Items[n.Item], *n)
	case question.PickOne:
		return "is empty"
	case question.OnlyOne:
		if r.Items[n.Item].TakesText() {
			return "only one can be chosen; " + howToQuote
		}
		return "only one can be chosen"
	case question.Ambiguous:
		var names []string
		for _, o := range n.Options {
			names = append(names, fmt.Sprintf("%d. %s", o+1, letters.OneLine(r.Items[n.Item].Options[o].Label)))
		}
		text := "may mean " + strings.Join(names, " or ") + "; give the number"
		if r.Items[n.Item].TakesText() {
			text += ", or " + howToQuote
		}
		return text
	case question.NoNumber:
		return fmt.Sprintf("is not the number of a choice: they are 1 to %d; %s", len(r.Items[n.Item].Options), howToQuote)
	case question.TapSend:
		return "there is no question for it"
	case question.NotAnOption:
	}
	return "is not one of the choices"
}

// askInTerminal asks in the terminal, one question after another.
func (a answerer) askInTerminal(ctx context.Context, q api.Question) (api.Answer, error) {
	r := q.Domain()
	var w question.Wizard
	asked := -1
	for w.State == question.Asking {
		if w.Step >= len(r.Items) {
			next, err := a.reviewChoices(ctx, r, w)
			if err != nil {
				return api.Answer{}, err
			}
			w, asked = next, -1
			continue
		}
		if asked != w.Step {
			a.t.Print(stepText(q, r, w, time.Now()))
			asked = w.Step
		}
		text, err := a.t.Prompt(ctx, selectPrompt(r.Items[w.Step]))
		if err != nil {
			return api.Answer{}, err
		}
		next, err := w.Apply(r, inputFor(r, w, text))
		if err != nil {
			a.t.Print("That " + strings.TrimPrefix(refusedText(r, err), "that ") + ".\n")
		}
		w = next
	}
	return api.Answer{Answers: w.Answers(r)}, nil
}

// reviewChoices asks whether to send what was chosen, or which answer to change.
func (a answerer) reviewChoices(ctx context.Context, r question.Request, w question.Wizard) (question.Wizard, error) {
	a.t.Print("\n📋 Ready to send\n  " + strings.Join(filledLines(r, w.Answers(r)), "\n  ") + "\n")
	items := askedItems(w.Asked(r))
	for {
		text, err := a.t.Prompt(ctx, fmt.Sprintf("Send? [y, or 1-%d to change an answer]", len(items)))
		n, _ := strconv.Atoi(text)
		switch {
		case err != nil:
			return w, err
		case text == "y" || text == "yes":
			return w.Apply(r, question.WizardInput{Action: question.Send, Rev: w.Rev})
		case n >= 1 && n <= len(items):
			w.Choices = slices.Clone(w.Choices)
			w.Choices[items[n-1]] = question.Choice{}
			return w.Apply(r, question.WizardInput{Action: question.Go, Rev: w.Rev, Item: items[n-1]})
		}
	}
}

// stepText is the step on screen.
func stepText(q api.Question, r question.Request, w question.Wizard, now time.Time) string {
	item := r.Items[w.Step]
	sign, head := "❓", cmp.Or(item.Header, "Question")
	paragraphs := []string{shownText(item.Text), shownText(q.Context), optionLines(item)}
	if item.Field != nil {
		sign, head = "📝", fieldLabel(item)
		paragraphs = []string{askerText(q.Form, q.Context), shownText(item.Text), addressText(item), optionLines(item), fieldHints(item)}
	}
	if numbers := askedItems(w.Asked(r)); len(r.Items) > 1 {
		head += fmt.Sprintf(" · %d of %d", slices.Index(numbers, w.Step)+1, len(numbers))
	}
	if q.Project != "" {
		head += " · " + q.Project
	}
	paragraphs = slices.DeleteFunc(paragraphs, func(text string) bool { return text == "" })
	return "\n" + sign + " " + letters.OneLine(head) + "\n" + strings.Join(paragraphs, "\n\n") + "\n" + questionFooter(q, now)
}

// shownText is others' text as a terminal may show it.
func shownText(text string) string { return letters.ForTerminal(strings.Trim(text, "\n")) }

// selectPrompt says what may be typed.
func selectPrompt(i question.Item) string {
	if len(i.Options) == 0 {
		return "Type your answer" + fieldPrompt(i) + ":"
	}
	parts := []string{"1"}
	if len(i.Options) > 1 {
		parts[0] = fmt.Sprintf("1-%d", len(i.Options))
	}
	if i.Multiple {
		parts = append(parts, "comma-separated")
	}
	if i.TakesText() {
		parts = append(parts, "or type custom")
	}
	return "Select [" + strings.Join(parts, ", ") + "]" + fieldPrompt(i)
}

func indentLines(text string) string { return strings.ReplaceAll(text, "\n", "\n     ") }

// questionFooter says whose session it is, and how long it waits.
func questionFooter(q api.Question, now time.Time) string {
	title := letters.OneLine(q.Title)
	if q.Subagent != "" {
		title = strings.TrimPrefix(title+" › "+letters.OneLine(q.Subagent), " › ")
	}
	var parts []string
	if title != "" {
		parts = append(parts, title)
	}
	if left := timeLeft(q, now); left != "" && q.State == "open" && !q.Waiting {
		parts = append(parts, left+" left")
	}
	if len(parts) == 0 {
		return "\n"
	}
	return "\n" + strings.Join(parts, " · ") + "\n"
}
