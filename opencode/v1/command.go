package v1

import (
	"encoding/json"

	"hermes/opencode/prompt"
)

// commandInfo is a command of OpenCode's own.
type commandInfo struct {
	Name     string          `json:"name"`
	Template json.RawMessage `json:"template"` // a text; of an MCP server's prompt an empty object
	Text     *bool           `json:"text"`     // what takesText says, from a plugin (1.4.0 and later), which keeps the template
}

// takesText reports whether the command may be given a text: not if the template puts it
// into a line for the shell or a file's name, and not if the template is not known.
func (w commandInfo) takesText() bool {
	if w.Text != nil {
		return *w.Text
	}
	var known *string
	if json.Unmarshal(w.Template, &known) != nil || known == nil {
		return false
	}
	return prompt.TakesText(*known)
}
