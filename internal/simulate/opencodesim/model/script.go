package model

import (
	"encoding/json"
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
