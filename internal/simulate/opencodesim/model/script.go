package model

import (
	"encoding/json"
	"strings"
)

// Action is one thing that the script makes the model do: call a tool, or,
// when Tool is empty, say Text.
type Action struct {
	Tool string
	Args json.RawMessage
	Text string
}

// Parse reads a prompt in the script language. Each line of the form
//
//	CALL <tool> <arguments as a JSON object>
//	TASK <agent> <prompt for the subagent>
//
// is a tool call, and all of them are made in one step; TASK is a call of
// OpenCode's task tool. A prompt without such a line is answered with the text
// "You said: <prompt>". Lines whose arguments are no JSON object are not calls.
func Parse(prompt string) []Action {
	var calls []Action
	for line := range strings.Lines(prompt) {
		if a, ok := parseLine(strings.TrimSpace(line)); ok {
			calls = append(calls, a)
		}
	}
	if calls == nil {
		return []Action{{Text: "You said: " + strings.TrimSpace(prompt)}}
	}
	return calls
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
