package prompt

import (
	"regexp"
	"strings"
)

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

// TakesText reports whether a command with this template may be given a text: not if the
// template puts it into a line for the shell or a file's name.
func TakesText(template string) bool {
	template = textHole.ReplaceAllString(template, hole)
	for _, found := range append(runsShell.FindAllString(template, -1), readsFile.FindAllString(template, -1)...) {
		if strings.Contains(found, hole) {
			return false
		}
	}
	return true
}
