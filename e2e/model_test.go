//go:build e2e

package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hermes/internal/simulate/opencodesim/model"
)

// item is a question as OpenCode's question tool takes it.
type item struct {
	Question string   `json:"question"`
	Header   string   `json:"header"`
	Options  []option `json:"options"`
	Multiple bool     `json:"multiple,omitempty"`
}

type option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// database is a single choice; the text tells the scenes apart.
func database(text string) item {
	return item{Question: text, Header: "Database", Options: []option{
		{"SQLite", "file based"}, {"PostgreSQL (Recommended)", "needs a server"},
	}}
}

// call makes the model ask.
func call(items ...item) string {
	raw, err := json.Marshal(map[string]any{"questions": items})
	if err != nil {
		panic(err) // plain structs always encode
	}
	return "CALL question " + string(raw)
}

// run makes the model call bash for each command, in one step.
func run(commands ...string) string {
	var lines []string
	for _, c := range commands {
		lines = append(lines, tool("bash", map[string]string{"command": c, "description": "d"}))
	}
	return strings.Join(lines, "\n")
}

func tool(name string, input map[string]string) string {
	raw, err := json.Marshal(input)
	if err != nil {
		panic(err) // strings always encode
	}
	return "CALL " + name + " " + string(raw)
}

// answered is what OpenCode tells the model (the same words in 1.1.53 and
// 1.18.33). Items and answers come in pairs.
func answered(pairs ...string) string {
	var all []string
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, `"`+pairs[i]+`"="`+pairs[i+1]+`"`)
	}
	return "User has answered your questions: " + strings.Join(all, ", ") + ". You can now continue with the user's answers in mind."
}

// dismissal is what OpenCode tells the model of a dismissed question. 1.1.53 puts a
// word before every failure of a tool.
func (w *window) dismissal() string {
	switch text := "The user dismissed this question"; w.Version {
	case oldest:
		return "Error: " + text
	case "1.2.27":
		return `QuestionRejectedError({"_tag":"QuestionRejectedError"})`
	default:
		return text
	}
}

// results lists what the model was told of the calls that ask the item: each
// distinct text of each call once. The same result comes again with every
// further request of its session.
func results(requests []model.Request, q item) []string {
	return resultsOf(requests, func(c model.ToolCall) bool { return c.Name == "question" && asks(c.Arguments, q) })
}

// resultsOf does the same for the calls that match.
func resultsOf(requests []model.Request, match func(model.ToolCall) bool) []string {
	type result struct{ call, text string }
	calls := map[string]bool{}
	var seen []result
	for _, r := range requests {
		for _, m := range r.Messages {
			for _, c := range m.ToolCalls {
				if match(c) {
					calls[c.ID] = true
				}
			}
			if told := (result{m.ToolCallID, m.Text}); m.Role == "tool" && calls[m.ToolCallID] && !slices.Contains(seen, told) {
				seen = append(seen, told)
			}
		}
	}
	var texts []string
	for _, s := range seen {
		texts = append(texts, s.text)
	}
	return texts
}

func asks(arguments string, q item) bool {
	var in struct{ Questions []item }
	return json.Unmarshal([]byte(arguments), &in) == nil && len(in.Questions) > 0 && in.Questions[0].Question == q.Question
}

// told waits until the model has the result of the call that asks the item, and
// holds that it is this one, once.
func (w *window) told(q item, want string) {
	w.t.Helper()
	var got []string
	w.awaitModel("the answer to "+q.Question, func(rs []model.Request) bool {
		got = results(rs, q)
		return len(got) > 0
	})
	if len(got) != 1 || got[0] != want {
		w.t.Errorf("the model was told %q, want only %q", got, want)
	}
}

// toldOf waits until the model has the result of the call whose arguments contain
// part, and holds that it is this one, once.
func (w *window) toldOf(part, want string) {
	w.t.Helper()
	var got []string
	w.awaitModel("the result of "+part, func(rs []model.Request) bool {
		got = resultsOf(rs, func(c model.ToolCall) bool { return strings.Contains(c.Arguments, part) })
		return len(got) > 0
	})
	if len(got) != 1 || got[0] != want {
		w.t.Errorf("the model was told %q of %s, want only %q", got, part, want)
	}
}

// quiet is what the model is told of a command without output.
func (w *window) quiet() string {
	if w.Version == oldest || w.Version == "1.2.27" {
		return ""
	}
	return "(no output)"
}

// rejection is what the model is told of a rejected call; a note may be empty.
func (w *window) rejection(note string) string {
	if w.Version == "1.2.27" {
		return namedRejection(note)
	}
	text := "The user rejected permission to use this specific tool call."
	if note != "" {
		text = strings.TrimSuffix(text, ".") + " with the following feedback: " + note
	}
	if w.Version == oldest {
		text = "Error: " + text
	}
	return text
}

// namedRejection is the same as 1.2.27 tells it.
func namedRejection(note string) string {
	if note == "" {
		return `PermissionRejectedError({"_tag":"PermissionRejectedError"})`
	}
	return fmt.Sprintf(`PermissionCorrectedError({"feedback":%q,"_tag":"PermissionCorrectedError"})`, note)
}

// heard waits until the model got just that from the person, at a turn's begin or amid one,
// and holds that it was once.
func (w *window) heard(text string) {
	w.t.Helper()
	n := 0
	w.awaitModel("the prompt "+text, func(rs []model.Request) bool {
		n = 0
		for _, r := range rs {
			if len(r.Tools) == 0 || len(r.Messages) == 0 {
				continue
			}
			if last := r.Messages[len(r.Messages)-1].Text; last == text || last == amid(text) {
				n++
			}
		}
		return n > 0
	})
	if n != 1 {
		w.t.Errorf("the model was told %q %d times", text, n)
	}
}

// untold holds that the model got no answer to the item, although its session
// went on.
func (w *window) untold(q item) {
	w.t.Helper()
	for _, text := range results(w.Model.Requests(), q) {
		if strings.Contains(text, "User has answered") {
			w.t.Errorf("the model was told %q of a question without an answer", text)
		}
	}
}

func (w *window) awaitModel(what string, cond func([]model.Request) bool) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	if err := w.Model.Await(ctx, cond); err != nil {
		w.t.Fatalf("%s: %v; results: %q", what, err, w.Model.Results())
	}
}
