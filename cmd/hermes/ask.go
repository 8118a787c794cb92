package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"hermes/internal/apiclient"
	"hermes/internal/ask"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/secret"
)

// Exit codes of hermes ask beside 0, 1 and 2.
const (
	exitCancelled = 3 // an option that cancels was chosen, or it was dismissed or withdrawn
	exitExpired   = 4 // nobody answered in time
)

// askCommand asks people a question, for scripts.
func askCommand() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask [QUESTION]",
		Short: "Ask the people in the chats, and print the answer",
		Long: "Ask the people who answer for OpenCode, wait, and print the answer: the ids of the chosen options and the typed text, one per line.\n" +
			"The running hermes asks. The wait outlasts its restarts. ctrl-C withdraws the question.\n\n" +
			"  hermes ask \"Deploy to production?\" --option yes --option no\n" +
			"  hermes ask \"Where?\" --option eu=Europe --option us=America --default eu\n" +
			"  hermes ask \"What should the notes say?\"\n\n" +
			"Without options, the answer is text. An option with the id cancel or skip cancels. To ask several questions, give JSON in a file or on\n" +
			"standard input, in the form that docs/http.md describes (\"Asking from a program\"); each line of the answer then starts with the\n" +
			"question's id.\n\n" +
			"  hermes ask --permission bash --command \"kubectl delete pod web\"\n\n" +
			"asks for a permission, as OpenCode does: the rules for permissions apply, nobody allows it by default, and the answer is once.\n\n" +
			"Exit codes: 0 answered or allowed, 3 cancelled, dismissed, rejected or withdrawn, 4 nobody answered in time, 2 wrong use, 1 anything else.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runAsk(cmd, f, args) },
	}
	configFlag(cmd, &f.Options)
	f.addTo(cmd)
	return cmd
}

func runAsk(cmd *cobra.Command, f askFlags, args []string) error {
	body, err := f.requestBody(cmd, args)
	if err != nil {
		return err
	}
	c, err := config.Load(f.Options)
	if err != nil {
		return err
	}
	a := askOnce{hermes: apiclient.New(c, nil), out: cmd.OutOrStdout(), json: f.json, spin: console.NewSpinner(cmd.ErrOrStderr(), os.Getenv)}
	err = a.run(cmd.Context(), body)
	var end exitError
	if err == nil || errors.As(err, &end) {
		return err
	}
	var fault *ask.Fault
	if errors.As(err, &fault) || apiclient.IsRefusal(err, http.StatusBadRequest) {
		return config.Mistakes{err.Error()}
	}
	return secret.NewRedactor(append(c.Secrets(), a.hermes.Token)...).Error(err)
}

// askOnce asks one time.
type askOnce struct {
	hermes apiclient.Client
	out    io.Writer
	json   bool
	spin   *console.Spinner
}

func (a askOnce) run(ctx context.Context, body []byte) error {
	a.spin.Start()
	result, err := a.hermes.AskPeople(ctx, body, func(r ask.Result, reached bool) { a.spin.Set(r.Deadline, reached) })
	a.spin.Stop()
	if errors.Is(err, apiclient.ErrNotRunning) {
		return fmt.Errorf("%w, and it is the one that asks; %s", err, apiclient.HowToStart(a.hermes.Config))
	}
	if err != nil {
		return err
	}
	if err := a.print(result); err != nil {
		return err
	}
	parsed, _ := ask.Parse(body) // it was taken
	return endOf(result, parsed.Request.Permission != nil, ctx.Err() != nil)
}

// print writes what was answered, and as JSON also what was not.
func (a askOnce) print(r ask.Result) error {
	text := answerText(r)
	if a.json {
		text = escapeJSON(compactJSON(r)) + "\n"
	} else if console.IsTerminal(a.out) {
		text = letters.ForTerminal(text)
	}
	_, err := io.WriteString(a.out, text)
	return err
}

// answerText has a line for every chosen id and every line that was typed.
func answerText(r ask.Result) string {
	text := ""
	for _, a := range r.Answers {
		before := ""
		if len(r.Answers) > 1 {
			before = a.Question + ": "
		}
		lines := a.Selected
		if a.Text != "" {
			lines = append(lines[:len(lines):len(lines)], a.Text)
		}
		for _, line := range lines {
			text += before + line + "\n"
		}
	}
	return text
}

// endOf is nil for an answer.
func endOf(r ask.Result, permission, interrupted bool) error {
	said := "dismissed"
	if permission {
		said = "rejected"
	}
	switch {
	case r.Status == ask.Answered:
		return nil
	case r.Status == ask.Cancelled:
		return exitError{exitCancelled, "cancelled: " + letters.Escaped(r.CancelledBy.Question) + ": " + letters.Escaped(r.CancelledBy.Option)}
	case interrupted:
		return exitError{exitCancelled, "withdrawn"}
	case r.AbortedBy != nil && r.AbortedBy.Kind == question.Deadline:
		return exitError{exitExpired, "nobody answered in time"}
	case r.AbortedBy != nil && r.AbortedBy.Name != "":
		said += " by " + letters.Escaped(r.AbortedBy.Name)
	}
	if r.Note != "" {
		said += ": " + letters.Escaped(r.Note)
	}
	return exitError{exitCancelled, said}
}
