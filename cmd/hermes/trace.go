package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// traceBack is how many entries of the journal are looked at for what was last.
const traceBack = 500

// traceCommand prints what is asked and answered.
func traceCommand() *cobra.Command {
	t := tracer{}
	cmd := withHermes(&cobra.Command{
		Use:   "trace",
		Short: "Print the last questions and answers, and follow new ones",
		Long: "Print the last questions and answers, one line each: time, event, id, project, and what was asked, or what was answered by whom. " +
			"--follow keeps printing new ones until ctrl-C, also across restarts of hermes. hermes audit prints every event in full.",
		Args: cobra.NoArgs,
	}, func(cmd *cobra.Command, hermes apiclient.Client, _ []string) error {
		if t.lines < 0 {
			return config.Mistakes{"--lines: must not be negative"}
		}
		t.hermes, t.out, t.notice = hermes, cmd.OutOrStdout(), cmd.ErrOrStderr()
		t.colours = console.StyleFor(t.out, false, os.Getenv).Color
		t.width = terminalWidth(t.out)
		return t.run(cmd.Context())
	})
	cmd.Flags().BoolVarP(&t.follow, "follow", "f", false, "keep printing what happens until ctrl-C")
	cmd.Flags().IntVarP(&t.lines, "lines", "n", 20, "how many past lines to print")
	return cmd
}

// tracer is one run of hermes trace.
type tracer struct {
	hermes      apiclient.Client
	out, notice io.Writer
	follow      bool
	lines       int
	width       int // of the terminal; 0: there is none, and lines are not cut
	colours     bool
	known       map[question.ID]api.Question
}

func (t *tracer) run(ctx context.Context) error {
	t.known = map[question.ID]api.Question{}
	watch, err := apiclient.NewWatch(ctx, t.hermes, traceBack)
	if err == nil {
		err = t.printPast(ctx, watch)
	}
	if err != nil || !t.follow {
		return err
	}
	for told := false; ; {
		err := watch.Next(ctx, func(e api.Entry) error { return t.printEntry(ctx, e) })
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			told = false
			continue
		case !told:
			fmt.Fprintln(t.notice, "hermes does not answer; waiting for it")
			told = true
		}
		if !watch.Again(ctx, err) && ctx.Err() == nil {
			return err
		}
	}
}

// printPast prints the last lines of what is in the journal already.
func (t *tracer) printPast(ctx context.Context, watch *apiclient.Watch) error {
	var last []api.Entry
	err := t.hermes.Journal(ctx, api.EntryFilter{After: watch.After}, 0, func(e api.Entry) error {
		watch.After = e.Number
		if isTraced(e) {
			last = append(last, e)
		}
		return nil
	})
	for _, e := range last[max(0, len(last)-t.lines):] {
		if err == nil {
			err = t.printEntry(ctx, e)
		}
	}
	return err
}

// isTraced reports whether the entry is about something that was asked or answered, and
// not about how hermes went about it.
func isTraced(e api.Entry) bool {
	switch e.Kind {
	case storage.EntryShown, storage.EntryPicked, storage.EntryRefused, storage.EntryResolved, storage.EntryReminded,
		storage.EntryDelivered, storage.EntryInvited, storage.EntryPaired, storage.EntryUnpaired, storage.EntryLinked, storage.EntryUnlinked, storage.EntryOwned, storage.EntryRenamed, storage.EntryLinkCode, storage.EntryRestored:
		return false
	case storage.EntryFailed:
		return e.Chat == 0 // else a chat cannot show it
	}
	return e.Thread != ""
}

func (t *tracer) printEntry(ctx context.Context, e api.Entry) error {
	if !isTraced(e) {
		return nil
	}
	q := t.questionText(ctx, e.Thread)
	line := strings.TrimRight(e.At.Local().Format("15:04:05")+"  "+padRight(string(e.Kind), 9)+"  "+padRight(string(e.Thread), 12)+"  "+padRight(placeOf(e, q), 12)+"  "+letters.Escaped(t.describe(e, q)), " ")
	line = truncate(line, t.width)
	if code := entryColour(e); t.colours && code != "" {
		line = "\x1b[" + code + "m" + line + "\x1b[0m"
	}
	_, err := io.WriteString(t.out, line+"\n")
	return err
}

// questionText is what the journal does not say: the text. One that hermes has no more is
// empty.
func (t *tracer) questionText(ctx context.Context, id question.ID) api.Question {
	if q, ok := t.known[id]; ok {
		return q
	}
	q, err := t.hermes.Question(ctx, id)
	if err == nil || apiclient.IsRefusal(err, http.StatusNotFound) {
		t.known[id] = q
	}
	return q
}

// describe is what happened: the question, or the answer and whose it is.
func (t *tracer) describe(e api.Entry, q api.Question) string {
	if e.Kind == storage.EntryAsked {
		return questionSummary(q)
	}
	var parts []string
	for _, list := range e.Answers {
		parts = append(parts, strings.Join(list, ", "))
	}
	text := strings.Join(parts, "; ")
	if e.Kind == storage.EntryAnswered && e.Answers == nil {
		text = "dismissed"
	}
	if text == "" {
		text = e.Detail
	}
	switch {
	case text == "":
		text = e.Note
	case e.Note != "":
		text += ": " + e.Note
	}
	if who := tracedActor(e); who != "" {
		text += " · " + who
	}
	if e.Rule != "" {
		text += " · rule " + strconv.Quote(e.Rule)
	}
	return text
}

// placeOf is the question's project. What is written to a session has none in the journal: there it is the end of the session's id.
func placeOf(e api.Entry, q api.Question) string {
	const most = 11
	id := []rune(letters.Escaped(string(e.Session)))
	if q.Project != "" || q.ID != "" || len(id) == 0 {
		return q.Project
	}
	return "…" + string(id[max(0, len(id)-most):])
}

func tracedActor(e api.Entry) string {
	if e.By == question.Person && e.Name != "" {
		return e.Name
	}
	return entryActor(e)
}

// entryColour is the terminal's code for a kind; empty: none (ECMA-48, SGR).
func entryColour(e api.Entry) string {
	switch e.Kind {
	case storage.EntryAsked:
		return "36"
	case storage.EntryAnswered, storage.EntryConfirmed, storage.EntryElsewhere:
		return "32"
	case storage.EntryExpired:
		return "33"
	case storage.EntryFailed:
		return "31"
	}
	return ""
}
