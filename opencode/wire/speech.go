package wire

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"hermes/internal/session"
)

// subjects are the inputs that say best what a tool call works on, the best first.
// The plugin has the same.
var subjects = []string{"command", "filePath", "path", "pattern", "url", "query", "description", "name"}

// Subject is what a tool call works on, as far as its input says so, in one line.
func Subject(input map[string]json.RawMessage) string {
	for _, name := range subjects {
		var text string
		if json.Unmarshal(input[name], &text) == nil && strings.TrimSpace(text) != "" {
			return FirstLine(text)
		}
	}
	return ""
}

// FirstLine is the first line of a text, at most 200 code points of it.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(line[:min(len(line), 4*200)]); len(runes) > 200 || len(line) > 4*200 {
		return string(runes[:min(len(runes), 199)]) + "…"
	}
	return line
}

// EndOf is the end of a text, as much as a step holds, whole code points.
func EndOf(text string) string {
	over := len(text) - session.MaxStreamChunk
	if over <= 0 {
		return text
	}
	over += len("…")
	for over < len(text) && !utf8.RuneStart(text[over]) {
		over++
	}
	return "…" + text[over:]
}
