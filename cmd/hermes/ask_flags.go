package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/ask"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/question"
)

// maxAskFile is the most that hermes takes as one ask.
const maxAskFile = api.MaxAsk

// askFlags are the flags of hermes ask.
type askFlags struct {
	config.Options
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
	var wrong config.Mistakes
	for _, name := range []string{"option", "multiple", "text", "header", "title", "context", "ttl", "on-timeout", "default", "chat", "key", "directory"} {
		if cmd.Flags().Changed(name) {
			wrong.Add("--"+name, "belongs into the JSON when the questions come as JSON")
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	body, err := f.readJSON(in)
	switch empty := err == nil && strings.TrimSpace(string(body)) == ""; {
	case empty && piped:
		return nil, config.Mistakes{`ask: there is no question: none on the command line, and standard input is empty; give one such as hermes ask "Deploy?" --option yes --option no`}
	case empty:
		return nil, config.Mistakes{"--file: there is nothing in it"}
	}
	return checkAsk(body, err)
}

// readJSON reads the JSON.
func (f askFlags) readJSON(in io.Reader) ([]byte, error) {
	if f.file != "-" {
		file, err := os.Open(f.file)
		if err != nil {
			return nil, config.Mistakes{"--file: cannot be read: " + config.WithoutPath(err).Error()}
		}
		defer file.Close()
		in = file
	}
	body, err := io.ReadAll(io.LimitReader(in, maxAskFile+1))
	if err == nil && len(body) > maxAskFile {
		err = errors.New("it is larger than 1 MiB")
	}
	if err != nil {
		return nil, config.Mistakes{"--file: cannot be read: " + config.WithoutPath(err).Error()}
	}
	return body, nil
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
	return checkAsk(json.Marshal(withoutEmpty(map[string]any{
		"title": f.title, "context": f.context, "ttl": f.ttl, "on_timeout": f.onTimeout, "chats": f.chats, "idempotency_key": f.key,
		"directory": f.directory,
		"questions": []any{withoutEmpty(map[string]any{
			"question_id": "answer", "question": text, "header": f.header, "options": options,
			"allow_multiple": f.multiple, "allow_text": f.text || len(options) == 0,
		})},
	})))
}

// permissionFromFlags is a permission ask of flags.
func (f askFlags) permissionFromFlags(cmd *cobra.Command, args []string) ([]byte, error) {
	var wrong config.Mistakes
	if len(args) > 0 {
		wrong.Add("--permission", "goes without a question")
	}
	for _, name := range []string{"option", "multiple", "text", "header", "context", "default", "file"} {
		if cmd.Flags().Changed(name) {
			wrong.Add("--"+name, "does not go with --permission")
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	directory := f.directory
	if directory == "" {
		directory, _ = os.Getwd() // without one, the ask counts as one of any directory
	}
	return checkAsk(json.Marshal(withoutEmpty(map[string]any{
		"title": f.title, "ttl": f.ttl, "on_timeout": f.onTimeout, "chats": f.chats, "idempotency_key": f.key, "directory": directory,
		"permission": withoutEmpty(map[string]any{"kind": f.permission, "command": f.command, "patterns": f.patterns}),
	})))
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
func checkAsk(body []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	if _, err := ask.Parse(body); err != nil {
		return nil, config.Mistakes{"ask: " + letters.Escaped(err.Error())}
	}
	return body, nil
}
