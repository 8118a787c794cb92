package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/question"
)

// pendingCommand lists what waits for an answer.
func pendingCommand() *cobra.Command {
	var l pendingList
	cmd := withHermes(&cobra.Command{
		Use:   "pending",
		Short: "List the questions and permissions that wait for an answer",
		Long: "List what waits for an answer, oldest first. hermes answer takes any unambiguous prefix of an id.\n\n" +
			"--watch keeps going until ctrl-C: a terminal shows the new list when it changes, a pipe gets each new list.",
		Args: cobra.NoArgs,
	}, func(cmd *cobra.Command, hermes apiclient.Client, _ []string) error {
		l.hermes, l.out, l.notice = hermes, cmd.OutOrStdout(), cmd.ErrOrStderr()
		l.width = terminalWidth(l.out)
		return l.run(cmd.Context())
	})
	cmd.Flags().BoolVar(&l.json, "json", false, "write a JSON array on one line, as GET /v1/questions returns it")
	cmd.Flags().BoolVar(&l.watch, "watch", false, "keep going, and show each change")
	return cmd
}

// terminalWidth is the width of a terminal; 0: w is not a terminal, or its width is not
// known, and lines are not cut.
func terminalWidth(w io.Writer) int {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !console.IsTerminal(w) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// pendingList is one run of hermes pending.
type pendingList struct {
	hermes      apiclient.Client
	out, notice io.Writer
	width       int // of the terminal; 0: there is none
	json, watch bool
	shown       string // what was written last, but for the time left
}

func (l *pendingList) run(ctx context.Context) error {
	if l.watch {
		return l.listOnChange(ctx)
	}
	list, err := l.hermes.Questions(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 && !l.json {
		fmt.Fprintln(l.notice, "Nothing waits for an answer.")
		return nil
	}
	return l.printList(list)
}

// listOnChange lists again whenever the journal has grown: whatever changes the list is in it.
func (l *pendingList) listOnChange(ctx context.Context) error {
	watch, err := apiclient.NewWatch(ctx, l.hermes, 0)
	if err != nil {
		return err
	}
	for {
		list, err := l.hermes.Questions(ctx)
		if err == nil {
			err = l.printList(list)
		}
		if err == nil {
			err = watch.Next(ctx, func(api.Entry) error { return nil })
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !watch.Again(ctx, err) {
			return err
		}
	}
}

func (l *pendingList) printList(list []api.Question) error {
	text := l.table(list, time.Now())
	if l.json {
		text = escapeJSON(compactJSON(append([]api.Question{}, list...))) + "\n"
	}
	state := ""
	for _, q := range list {
		state += fmt.Sprintln(q.ID, q.State, q.Waiting, q.Deadline, q.HeldUntil)
	}
	switch {
	case l.watch && l.width > 0 && !l.json:
		text = "\x1b[H\x1b[2J" + text // to the corner, and the screen empty
	case l.watch && l.shown == "."+state:
		return nil
	}
	l.shown = "." + state
	_, err := io.WriteString(l.out, text)
	return err
}

// table has a line for each question.
func (l *pendingList) table(list []api.Question, now time.Time) string {
	if len(list) == 0 {
		return "Nothing waits for an answer.\n"
	}
	text := l.row("id", "left", "project", "question")
	for _, q := range list {
		text += l.row(string(q.ID), timeLeft(q, now), q.Project, questionSummary(q)+onlyInChat(q))
	}
	return text
}

func (l *pendingList) row(id, left, project, what string) string {
	line := strings.TrimRight(padRight(id, 12)+"  "+padRight(left, 8)+"  "+padRight(project, 12)+"  "+letters.Escaped(what), " ")
	return truncate(line, l.width) + "\n"
}

// truncate shortens a line to the columns of a terminal, if it is one.
func truncate(line string, width int) string {
	if width <= 1 || utf8.RuneCountInString(line) <= width {
		return line
	}
	return string([]rune(line)[:width-1]) + "…"
}

// onlyInChat says that it cannot be answered from here.
func onlyInChat(q api.Question) string {
	if q.InChat == "" {
		return ""
	}
	return " (in the chat)"
}

// timeLeft is how long a question still waits, or why that is not so.
func timeLeft(q api.Question, now time.Time) string {
	switch {
	case q.HeldUntil != nil:
		return "held"
	case q.Waiting:
		return "offline"
	case q.State != "open":
		return q.State
	case q.Deadline == nil || !q.Deadline.After(now):
		return ""
	}
	return shortDuration(q.Deadline.Sub(now))
}

// shortDuration is a duration in its largest unit or two.
func shortDuration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}

// questionSummary is what is asked, on one line.
func questionSummary(q api.Question) string {
	if p := q.Permission; p != nil {
		what := p.Command
		if what == "" {
			what = strings.Join(p.Patterns, ", ")
		}
		if lines := changesOfFiles(p); len(lines) > 0 {
			what += " (" + strings.Join(lines, ", ") + ")"
		}
		return p.Kind + ": " + what
	}
	if q.Form != nil {
		return formSummary(q)
	}
	var parts []string
	for _, item := range q.Questions {
		text := strings.Join(strings.Fields(item.Question), " ")
		if item.Header != "" {
			text = item.Header + ": " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " / ")
}

// changesOfFiles say in a line each what becomes of files where the patterns do not.
func changesOfFiles(p *api.Permission) (lines []string) {
	for _, f := range p.Files {
		switch f.Kind {
		case question.FileAdded:
			lines = append(lines, "adds "+letters.Name(f.Path))
		case question.FileDeleted:
			lines = append(lines, "deletes "+letters.Name(f.Path))
		case question.FileMoved:
			lines = append(lines, "moves "+letters.Name(f.Path)+" to "+letters.Name(f.To))
		}
	}
	for _, l := range p.Links {
		lines = append(lines, letters.Name(l.Path)+" → "+letters.Name(l.Target))
	}
	return lines
}
