package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/console"
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
		text, err := a.readLine(ctx, selectPrompt(r.Items[w.Step]))
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
	a.t.Print("\n📋 Ready to send\n  " + strings.Join(chosenLines(r, w), "\n  ") + "\n")
	items := askedItems(w.Asked(r))
	for {
		text, err := a.readLine(ctx, fmt.Sprintf("Send? [y, or 1-%d to change an answer]", len(items)))
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

// chosenLines are what was chosen, a line each.
func chosenLines(r question.Request, w question.Wizard) []string {
	if r.Form != nil {
		return filledLines(r, w.Answers(r))
	}
	var lines []string
	for n, list := range w.Answers(r) {
		lines = append(lines, fmt.Sprintf("%d. %s", n+1, letters.OneLine(strings.Join(list, ", "))))
	}
	return lines
}

// stepText is the step on screen.
func stepText(q api.Question, r question.Request, w question.Wizard, now time.Time) string {
	if q.Form != nil {
		return fieldText(q, r, w, now)
	}
	return itemText(q, w.Step, now)
}

// readLine asks for one line.
func (a answerer) readLine(ctx context.Context, prompt string) (string, error) {
	if ctx.Err() != nil {
		return "", console.ErrStopped
	}
	a.t.Print(prompt + " ")
	text, err := a.t.Wait(ctx, console.Reading(func() (string, error) { return console.ReadLine(a.t.In) }))
	return strings.TrimSpace(text), err
}

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

// itemText is one item as the terminal shows it.
func itemText(q api.Question, item int, now time.Time) string {
	i := q.Questions[item]
	head := i.Header
	if head == "" {
		head = "Question"
	}
	if len(q.Questions) > 1 {
		head += fmt.Sprintf(" · %d of %d", item+1, len(q.Questions))
	}
	text := questionHeadline(q, "❓", head) + letters.ForTerminal(strings.Trim(i.Question, "\n")) + "\n"
	if q.Context != "" {
		text += "\n" + letters.ForTerminal(strings.Trim(q.Context, "\n")) + "\n"
	}
	if len(i.Options) > 0 {
		text += "\n"
	}
	return text + optionLines(q.Domain().Items[item]) + questionFooter(q, now)
}

func indentLines(text string) string { return strings.ReplaceAll(text, "\n", "\n     ") }

func questionHeadline(q api.Question, sign, what string) string {
	line := "\n" + sign + " " + letters.OneLine(what)
	if q.Project != "" {
		line += " · " + letters.OneLine(q.Project)
	}
	return line + "\n"
}

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
