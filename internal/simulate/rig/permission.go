package rig

import (
	"strings"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
)

// BashPermission asks to run a command, as OpenCode does.
func BashPermission(command string) opencode.Permission {
	first, _, _ := strings.Cut(command, " ")
	return opencode.Permission{
		Permission: "bash", Patterns: []string{command}, Always: []string{first + " *"},
		Metadata: map[string]any{"command": command},
	}
}

// Allow makes the agent ask for permission, and waits until the phone shows it.
func (c Talk) Allow(p opencode.Permission) (request string) {
	request, _ = c.Opencode.AskPermission(c.Dir, c.Session, p)
	c.Wait(2 * time.Second)
	return request
}

// Press taps the button with the label in the language that the bot speaks.
func (c Talk) Press(english, chinese string) {
	c.Tap(c.InLanguage(english, chinese))
	c.Wait(2 * time.Second)
}
