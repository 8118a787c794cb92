package v1

import (
	"encoding/json"
	"regexp"
	"strings"
)

// commandInfo is a command of OpenCode's own.
type commandInfo struct {
	Name     string          `json:"name"`
	Template json.RawMessage `json:"template"` // a text; of an MCP server's prompt an empty object
	Text     *bool           `json:"text"`     // what takesText says, from a plugin (1.4.0 and later), which keeps the template
}

// OpenCode puts a command's text in the place of $1, $2, … and $ARGUMENTS, and behind the
// template if that has none; then it runs what runs matches and reads what reads matches
// (the same in 1.1.53 and 1.18.33). The plugin has the same.
var (
	textHole  = regexp.MustCompile(`\$(\d+|ARGUMENTS)`)
	runsShell = regexp.MustCompile("!`[^`]+`")
	readsFile = regexp.MustCompile("(?:^|[^\\w`])@\\.?[^\\s`,.]*(?:\\.[^\\s`,.]+)*")
)

// hole stands for the text in a template.
const hole = "\ue000"

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
	template := textHole.ReplaceAllString(*known, hole)
	for _, found := range append(runsShell.FindAllString(template, -1), readsFile.FindAllString(template, -1)...) {
		if strings.Contains(found, hole) {
			return false
		}
	}
	return true
}
