package model

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Action is one thing that the script makes the model do: call a tool, or,
// when Tool is empty, say Text. Of the first action of an answer, Delay is how long
// the model thinks before, and a Status other than 0 is the HTTP status with which
// the provider fails Times times, for ever if that is 0, before it answers.
type Action struct {
	Tool          string
	Args          json.RawMessage
	Text          string
	Delay         time.Duration
	Status, Times int
}

// Parse reads a prompt in the script language. Each line of the form
//
//	CALL <tool> <arguments as a JSON object>
//	TASK <agent> <prompt for the subagent>
//
// is a tool call, and all of them are made in one step; TASK is a call of
// OpenCode's task tool. A prompt without such a line is answered with the text
// "You said: <prompt>". Lines whose arguments are no JSON object are not calls.
// Three more lines say how the answer comes, the first of them what the model says before
// its calls:
//
//	SAY <text>
//	WAIT <duration>
//	FAIL <HTTP status> [<how many times>]
func Parse(prompt string) []Action {
	var said, calls []Action
	var first Action
	for line := range strings.Lines(prompt) {
		line = strings.TrimSpace(line)
		if a, ok := parseLine(line); ok {
			calls = append(calls, a)
		}
		if text, ok := strings.CutPrefix(line, "SAY "); ok {
			said = append(said, Action{Text: text})
		}
		first.manner(line)
	}
	if calls == nil {
		said, calls = nil, []Action{{Text: "You said: " + strings.TrimSpace(prompt)}}
	}
	calls = append(said, calls...)
	calls[0].Delay, calls[0].Status, calls[0].Times = first.Delay, first.Status, first.Times
	return calls
}

// manner reads a line that says how the answer comes.
func (a *Action) manner(line string) {
	words := strings.Fields(line)
	switch {
	case len(words) == 2 && words[0] == "WAIT":
		a.Delay, _ = time.ParseDuration(words[1])
	case len(words) >= 2 && len(words) <= 3 && words[0] == "FAIL":
		a.Status, _ = strconv.Atoi(words[1])
		if len(words) == 3 {
			a.Times, _ = strconv.Atoi(words[2])
		}
	}
}

func parseLine(line string) (Action, bool) {
	verb, rest, _ := strings.Cut(line, " ")
	name, rest, ok := strings.Cut(rest, " ")
	if !ok || name == "" {
		return Action{}, false
	}
	switch verb {
	case "CALL":
		args := json.RawMessage(rest)
		return Action{Tool: name, Args: args}, isObject(args)
	case "TASK":
		return task(name, rest), true
	}
	return Action{}, false
}

// TaskDescription is the description of every task that a TASK line starts;
// OpenCode makes the subagent session's title of it.
const TaskDescription = "sub task"

func task(agent, prompt string) Action {
	args, err := json.Marshal(map[string]string{
		"description": TaskDescription, "prompt": prompt, "subagent_type": agent,
	})
	if err != nil {
		panic("model: " + err.Error()) // strings always encode
	}
	return Action{Tool: "task", Args: args}
}

func isObject(raw json.RawMessage) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(raw, &object) == nil && object != nil
}

// Echo is what the model says after tool results: the results, joined by
// lines, between TOOLRESULT<< and >>.
func Echo(results ...string) string {
	return "TOOLRESULT<<" + strings.Join(results, "\n") + ">>"
}

// Ask is the script of a call of the question tool.
func Ask(questions ...Question) string {
	raw, err := json.Marshal(map[string]any{"questions": questions})
	if err != nil {
		panic("model: " + err.Error()) // strings always encode
	}
	return "CALL question " + string(raw)
}

// TwoQuestions are what the contracts let agents ask.
func TwoQuestions() []Question {
	return []Question{
		{Question: "Which database?", Header: "Database", Options: []Option{{"SQLite", "file"}, {"Postgres", "server"}}},
		{Question: "Which features?", Header: "Features", Options: []Option{{"A", "a"}, {"B", "b"}}, Multiple: true},
	}
}

// Question is one question of a call of the question tool, as a model writes it.
type Question struct {
	Question string   `json:"question"`
	Header   string   `json:"header"`
	Options  []Option `json:"options"`
	// Multiple allows more than one label in the answer.
	Multiple bool `json:"multiple,omitempty"`
	// Custom is absent for what a model asks; OpenCode's own questions
	// (plan mode) set it to false.
	Custom *bool `json:"custom,omitempty"`
}

// Option is one choice of a Question.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// Answered is what the model reads of the answers, the same words in 1.x and 2.x. Answers are not
// checked: missing ones are Unanswered, those without a question are dropped.
func Answered(questions []Question, answers [][]string) string {
	pairs := make([]string, len(questions))
	for i, q := range questions {
		text := "Unanswered"
		if i < len(answers) && len(answers[i]) > 0 {
			text = strings.Join(answers[i], ", ")
		}
		pairs[i] = fmt.Sprintf(`"%s"="%s"`, q.Question, text)
	}
	return "User has answered your questions: " + strings.Join(pairs, ", ") +
		". You can now continue with the user's answers in mind."
}

// Permission is what an agent asks leave for: a kind of doing, on what, and what an
// always would allow from then on.
type Permission struct {
	Permission string         `json:"permission"`
	Patterns   []string       `json:"patterns"`
	Metadata   map[string]any `json:"metadata"`
	Always     []string       `json:"always"`
}

// Covers reports whether a rule's pattern covers a text: * is anything, ? one character,
// and " *" at the end may also be absent.
func Covers(pattern, text string) bool {
	expr := regexp.QuoteMeta(pattern)
	expr = strings.ReplaceAll(strings.ReplaceAll(expr, `\*`, ".*"), `\?`, ".")
	if rest, ok := strings.CutSuffix(expr, " .*"); ok {
		expr = rest + "( .*)?"
	}
	return regexp.MustCompile("(?s)^" + expr + "$").MatchString(text)
}

// ReadQuestions reads the arguments of a call of the question tool. It reports false
// unless each question has its text, a header and a list of options, which may be empty.
func ReadQuestions(args json.RawMessage) (questions []Question, ok bool) {
	var in struct {
		Questions []struct {
			Question, Header *string
			Options          *[]Option
			Multiple         bool
		}
	}
	if json.Unmarshal(args, &in) != nil {
		return nil, false
	}
	for _, q := range in.Questions {
		if q.Question == nil || q.Header == nil || q.Options == nil {
			return nil, false
		}
		questions = append(questions, Question{Question: *q.Question, Header: *q.Header, Options: *q.Options, Multiple: q.Multiple})
	}
	return questions, true
}
