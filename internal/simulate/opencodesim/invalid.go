package opencodesim

import (
	"encoding/json"
	"fmt"
)

// doQuestion makes the question call of a script. As in OpenCode, arguments
// that lack a required field fail the call before there is a request.
func (s *Simulator) doQuestion(t *turn, args json.RawMessage) {
	if missing := missingKey(args); missing != "" {
		c := s.openCall(t, "question", args, func(*call) {})
		s.fail(c, fmt.Sprintf("The question tool was called with invalid arguments: SchemaError(Missing key\n  at %s).\n"+
			"Please rewrite the input so it satisfies the expected schema.", missing))
		return
	}
	var in struct {
		Questions []Question `json:"questions"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		panic("simulator: a scripted question has a field of the wrong type: " + err.Error())
	}
	for i := range in.Questions {
		in.Questions[i].Custom = nil // not in the tool's schema, dropped
	}
	s.ask(t, in.Questions)
}

// missingKey is the path of the first required field that is absent, or empty.
func missingKey(args json.RawMessage) string {
	var in struct {
		Questions []map[string]json.RawMessage `json:"questions"`
	}
	if json.Unmarshal(args, &in) != nil || in.Questions == nil {
		return `["questions"]`
	}
	for i, q := range in.Questions {
		at := fmt.Sprintf(`["questions"][%d]`, i)
		if key := absent(q, "question", "header", "options"); key != "" {
			return at + key
		}
		if key := missingInOptions(q["options"]); key != "" {
			return at + key
		}
	}
	return ""
}

func missingInOptions(raw json.RawMessage) string {
	var options []map[string]json.RawMessage
	if json.Unmarshal(raw, &options) != nil {
		return `["options"]`
	}
	for i, o := range options {
		if key := absent(o, "label", "description"); key != "" {
			return fmt.Sprintf(`["options"][%d]%s`, i, key)
		}
	}
	return ""
}

func absent(object map[string]json.RawMessage, keys ...string) string {
	for _, key := range keys {
		if _, ok := object[key]; !ok {
			return fmt.Sprintf("[%q]", key)
		}
	}
	return ""
}
