package main

import (
	"context"
	"fmt"
	"maps"
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

// grantChoice is one way to decide a permission.
type grantChoice struct {
	word string // as a command line has it
	text string
}

// grantChoices are the choices of a permission. Without patterns to add, always is not a
// choice.
func grantChoices(q api.Question) []grantChoice {
	list := []grantChoice{{question.Once, "Allow once"}}
	if len(q.Permission.Always) > 0 {
		list = append(list, grantChoice{question.Always, "Always allow, which adds: " + alwaysPatterns(q)})
	}
	return append(list, grantChoice{"reject", "Reject"}, grantChoice{"note", "Reject with a note"})
}

func alwaysPatterns(q api.Question) string {
	return letters.OneLine(strings.Join(q.Permission.Always, ", "))
}

// decidePermission decides a permission, by words or by asking.
func (a answerer) decidePermission(ctx context.Context, q api.Question, words []string) (api.Answer, error) {
	if len(words) > 1 {
		return api.Answer{}, config.Mistakes{"ANSWER: a permission takes one: once, always or reject"}
	}
	if len(words) == 1 {
		word, ok := readGrant(q, words[0])
		if !ok || word == "note" {
			return api.Answer{}, config.Mistakes{"ANSWER: must be once, always or reject; a note goes with --reject --note"}
		}
		answer, err := a.permissionAnswer(ctx, q, word)
		if err == nil && !answer.Reject && answer.Answers == nil {
			err = console.ErrStopped
		}
		return answer, err
	}
	a.t.Print(permissionText(q, time.Now()))
	for {
		text, err := a.readLine(ctx, fmt.Sprintf("Select [1-%d]", len(grantChoices(q))))
		if err != nil {
			return api.Answer{}, err
		}
		word, ok := readGrant(q, text)
		if !ok {
			a.t.Print("That is not one of the choices.\n")
			continue
		}
		answer, err := a.permissionAnswer(ctx, q, word)
		if err != nil || answer.Reject || answer.Answers != nil {
			return answer, err
		}
	}
}

// readGrant reads a number or a word.
func readGrant(q api.Question, text string) (string, bool) {
	list := grantChoices(q)
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(list) {
		return list[n-1].word, true
	}
	at := slices.IndexFunc(list, func(g grantChoice) bool { return strings.EqualFold(g.word, text) })
	if at < 0 {
		return "", false
	}
	return list[at].word, true
}

// permissionAnswer is the answer of a choice; the zero value means that it was not meant.
func (a answerer) permissionAnswer(ctx context.Context, q api.Question, word string) (api.Answer, error) {
	switch word {
	case question.Once:
		return api.Answer{Answers: question.Answers{{question.Once}}}, nil
	case question.Always:
		return a.grantedAlways(ctx, q)
	case "note":
		note, err := a.readLine(ctx, "What is the agent told?")
		if err != nil || note == "" {
			return api.Answer{}, err
		}
		return api.Answer{Reject: true, Note: note}, nil
	}
	return api.Answer{Reject: true}, nil
}

// grantedAlways asks again, for that cannot be taken back.
func (a answerer) grantedAlways(ctx context.Context, q api.Question) (api.Answer, error) {
	always := api.Answer{Answers: question.Answers{{question.Always}}}
	a.t.Print("Allow from now on, in " + letters.OneLine(q.Directory) + ", without asking: " + alwaysPatterns(q) + "\n")
	if a.opts.yes {
		return always, nil
	}
	if a.t.In == nil {
		return api.Answer{}, config.Mistakes{"ANSWER: always is asked for again, and there is no terminal to ask on; --yes does without"}
	}
	text, err := a.readLine(ctx, "Always allow? [y/N]")
	if err != nil {
		return api.Answer{}, err
	}
	if text = strings.ToLower(text); text == "y" || text == "yes" {
		return always, nil
	}
	return api.Answer{}, nil
}

// permissionText is a permission as the terminal shows it. Nothing of it is hidden.
func permissionText(q api.Question, now time.Time) string {
	p := q.Permission
	text := questionHeadline(q, "🔐", p.Kind)
	if p.Command == "" || p.Kind != "bash" {
		text += quotedLines(strings.Join(p.Patterns, "\n"))
	}
	if p.Command != "" {
		text += quotedLines(p.Command)
	}
	if p.Diff != "" {
		text += frameLines(letters.Diff(strings.Trim(p.Diff, "\n")))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Details)) {
		text += letters.OneLine(name) + ":\n" + quotedLines(p.Details[name])
	}
	foot := questionFooter(q, now)
	if q.Directory != "" {
		foot = "\n" + strings.TrimSuffix("in "+letters.OneLine(q.Directory)+" · "+strings.TrimLeft(foot, "\n"), " · ")
	}
	text += foot + "\n"
	for n, g := range grantChoices(q) {
		text += fmt.Sprintf("  %d. %s\n", n+1, g.text)
	}
	return text
}

// quotedLines is text with a bar before each line, so that no line of it passes for
// one of hermes'.
func quotedLines(text string) string {
	return frameLines(letters.Exposed(strings.Trim(text, "\n")))
}

func frameLines(shown string) string {
	return "  │ " + strings.ReplaceAll(shown, "\n", "\n  │ ") + "\n"
}
