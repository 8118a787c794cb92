package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/ask"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/question"
)

// Exit codes of hermes ask beside 0, 1 and 2.
const (
	exitCancelled = 3 // an option that cancels was chosen, or it was dismissed or withdrawn
	exitExpired   = 4 // nobody answered in time
)

// askCommand asks people a question, for scripts.
func askCommand() *cobra.Command {
	var f askFlags
	cmd := withHermes(&cobra.Command{
		Use:   "ask [QUESTION]",
		Short: "Ask the people in the chats, and print the answer",
		Long: "Ask the people who answer for OpenCode, wait, and print the answer: the ids of the chosen options and the typed text, one per line. " +
			"The running hermes asks. The wait outlasts its restarts. ctrl-C withdraws the question.\n\n" +
			"  hermes ask \"Deploy to production?\" --option yes --option no\n" +
			"  hermes ask \"Where?\" --option eu=Europe --option us=America --default eu\n" +
			"  hermes ask \"What should the notes say?\"\n\n" +
			"Without options, the answer is text. An option with the id cancel or skip cancels. To ask several questions, give JSON in a file or on " +
			"standard input, in the form that docs/http.md describes (\"Asking from a program\"); each line of the answer then starts with the " +
			"question's id.\n\n" +
			"  hermes ask --permission bash --command \"kubectl delete pod web\"\n\n" +
			"asks for a permission, as OpenCode does: the rules for permissions apply, nobody allows it by default, and the answer is once.\n\n" +
			"Exit codes: 0 answered or allowed, 3 cancelled, dismissed, rejected or withdrawn, 4 nobody answered in time, 2 wrong use, 1 anything else.",
		Args: cobra.MaximumNArgs(1),
	}, func(cmd *cobra.Command, hermes apiclient.Client, args []string) error {
		body, err := f.requestBody(cmd, args)
		if err != nil {
			return err
		}
		a := askOnce{hermes: hermes, out: cmd.OutOrStdout(), json: f.json, shown: console.NewWaiting(cmd.ErrOrStderr(), os.Getenv)}
		err = a.run(cmd.Context(), body)
		var fault *ask.Fault
		if errors.As(err, &fault) || apiclient.IsRefusal(err, http.StatusBadRequest) {
			return config.Mistakes{err.Error()}
		}
		return err
	})
	f.addTo(cmd)
	return cmd
}

// askOnce asks one time.
type askOnce struct {
	hermes apiclient.Client
	out    io.Writer
	json   bool
	shown  console.Waiting
}

func (a askOnce) run(ctx context.Context, body []byte) error {
	result, err := a.hermes.AskPeople(ctx, body, func(r ask.Result, reached bool) { a.shown.Show(r.Deadline, reached) })
	a.shown.End()
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

// askFlags are the flags of hermes ask.
type askFlags struct {
	choices             []string // ID, or ID=LABEL
	multiple, text      bool
	header, title       string
	context             string
	ttl, onTimeout, def string
	chats               []string
	key                 string
	permission, command string // the kind, and the command to run
	patterns            []string
	directory           string
	file                string // "-": standard input
	json                bool
}

func (f *askFlags) addTo(cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringArrayVar(&f.choices, "option", nil, "a `choice`: its id, which is also its label, or id=label; repeat for each")
	s.BoolVar(&f.multiple, "multiple", false, "allow several options")
	s.BoolVar(&f.text, "text", false, "allow a typed answer besides the options")
	s.StringVar(&f.header, "header", "", "a `header` above the question: a word or two")
	s.StringVar(&f.title, "title", "", "a `title`: what the question belongs to")
	s.StringVar(&f.context, "context", "", "`text` to show with the question")
	s.StringVar(&f.ttl, "ttl", "", "how long to wait: a `duration` such as 5m or 30s; 0 waits for ever (default: HERMES_QUESTION_TTL)")
	s.StringVar(&f.onTimeout, "on-timeout", "", "the `action` when nobody answers in time: "+question.Alternatives(question.Expiries(), "")+" (default: HERMES_ON_EXPIRY)")
	s.StringVar(&f.def, "default", "", "the `id` of the option that counts when nobody answers in time")
	s.StringArrayVar(&f.chats, "chat", nil, "ask only in the chat with this `id`, or id/topic, one of those that hermes asks in; can be repeated")
	s.StringVar(&f.key, "key", "", "asking again with the same `key` is the same question, also later")
	s.StringVar(&f.permission, "permission", "", "instead of a question, ask for a permission of this `kind`, such as bash, edit or webfetch")
	s.StringVar(&f.command, "command", "", "with --permission: the whole `command` to be run")
	s.StringArrayVar(&f.patterns, "pattern", nil, "with --permission: a `pattern`, such as the file or the address that it is for; can be repeated")
	s.StringVar(&f.directory, "directory", "", "the `folder` that it is about, for the rules (default with --permission: the current one)")
	s.StringVar(&f.file, "file", "", "read the questions as JSON from this `file`; - is standard input")
	s.BoolVar(&f.json, "json", false, "print the result as JSON, also when nobody answered")
}

// requestBody is the ask that the command line means.
func (f askFlags) requestBody(cmd *cobra.Command, args []string) ([]byte, error) {
	in := cmd.InOrStdin()
	if _, err := time.ParseDuration(f.ttl); f.ttl != "" && err != nil {
		return nil, config.Mistakes{"--ttl: must be a duration such as 5m or 30s; 0 waits for ever"}
	}
	if f.permission != "" {
		return f.permissionFromFlags(cmd, args)
	}
	if f.command != "" || f.patterns != nil {
		return nil, config.Mistakes{"--command and --pattern: go with --permission"}
	}
	file, ok := in.(*os.File)
	piped := len(args) == 0 && f.file == "" && (!ok || !console.IsTerminal(file))
	if piped {
		f.file = "-"
	}
	if f.file == "" && len(args) == 0 {
		return nil, config.Mistakes{`ask: needs a question, such as hermes ask "Deploy?" --option yes --option no, or --file`}
	}
	if f.file == "" {
		return f.questionFromFlags(args[0])
	}
	if len(args) > 0 {
		return nil, config.Mistakes{"--file: goes without a question on the command line"}
	}
	err := refuseFlags(cmd, "belongs into the JSON when the questions come as JSON",
		"option", "multiple", "text", "header", "title", "context", "ttl", "on-timeout", "default", "chat", "key", "directory")
	if err != nil {
		return nil, err
	}
	body, err := readInput(in, f.file, api.MaxAsk)
	switch empty := strings.TrimSpace(string(body)) == ""; {
	case err != nil:
		return nil, config.Mistakes{"--file: cannot be read: " + err.Error()}
	case empty && piped:
		return nil, config.Mistakes{`ask: there is no question: none on the command line, and standard input is empty; give one such as hermes ask "Deploy?" --option yes --option no`}
	case empty:
		return nil, config.Mistakes{"--file: there is nothing in it"}
	}
	return body, checkAsk(body)
}

// readInput reads a file, or standard input where its name is -, of at most so many bytes. The error does not name it.
func readInput(stdin io.Reader, name string, most int64) ([]byte, error) {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, config.WithoutPath(err)
		}
		defer file.Close()
		stdin = file
	}
	text, err := io.ReadAll(io.LimitReader(stdin, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("it is larger than %d MiB", most>>20)
	}
	return text, config.WithoutPath(err)
}

// questionFromFlags is one question of flags.
func (f askFlags) questionFromFlags(text string) ([]byte, error) {
	options := []map[string]any{}
	found := f.def == ""
	for _, choice := range f.choices {
		id, label, named := strings.Cut(choice, "=")
		if !named {
			label = id
		}
		option := map[string]any{"id": id, "label": label}
		if id == f.def && f.def != "" {
			option["default"], found = true, true
		}
		options = append(options, option)
	}
	if !found {
		return nil, config.Mistakes{"--default: must be the id of an --option"}
	}
	return f.askWith("questions", []any{withoutEmpty(map[string]any{
		"question_id": "answer", "question": text, "header": f.header, "options": options,
		"allow_multiple": f.multiple, "allow_text": f.text || len(options) == 0,
	})})
}

// permissionFromFlags is a permission ask of flags.
func (f askFlags) permissionFromFlags(cmd *cobra.Command, args []string) ([]byte, error) {
	if len(args) > 0 {
		return nil, config.Mistakes{"--permission: goes without a question"}
	}
	if err := refuseFlags(cmd, "does not go with --permission", "option", "multiple", "text", "header", "context", "default", "file"); err != nil {
		return nil, err
	}
	if f.directory == "" {
		f.directory, _ = os.Getwd() // without one, the ask counts as one of any directory
	}
	return f.askWith("permission", withoutEmpty(map[string]any{"kind": f.permission, "command": f.command, "patterns": f.patterns}))
}

// refuseFlags refuses those of the flags that are given.
func refuseFlags(cmd *cobra.Command, why string, names ...string) error {
	var wrong config.Mistakes
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			wrong.Add("--"+name, "%s", why)
		}
	}
	return wrong.Err()
}

// askWith is an ask for what this field holds.
func (f askFlags) askWith(field string, what any) ([]byte, error) {
	body, err := json.Marshal(withoutEmpty(map[string]any{
		"title": f.title, "context": f.context, "ttl": f.ttl, "on_timeout": f.onTimeout, "chats": f.chats, "idempotency_key": f.key,
		"directory": f.directory, field: what,
	}))
	if err != nil {
		return nil, err
	}
	return body, checkAsk(body)
}

// withoutEmpty leaves out the texts that are empty and the lists that are nil.
func withoutEmpty(fields map[string]any) map[string]any {
	for name, value := range fields {
		if list, ok := value.([]string); value == "" || ok && list == nil {
			delete(fields, name)
		}
	}
	return fields
}

// checkAsk refuses what hermes would refuse, before it is asked.
func checkAsk(body []byte) error {
	if _, err := ask.Parse(body); err != nil {
		return config.Mistakes{"ask: " + letters.Escaped(err.Error())}
	}
	return nil
}
