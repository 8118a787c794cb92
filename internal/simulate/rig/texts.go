package rig

import (
	"strings"
)

// ShownIn is all that hermes has in a chat, without space, and without the marks
// where a text goes on in another message.
func (r *Rig) ShownIn(chat int64) string {
	var all strings.Builder
	for _, m := range r.Telegram.Messages(chat) {
		if m.FromBot && !m.Deleted {
			all.WriteString(WithoutSpaces(strings.TrimPrefix(m.Text, "…")))
		}
		if m.Document != nil {
			all.WriteString(WithoutSpaces(string(m.Document.Data)))
		}
	}
	return all.String()
}

// WithoutSpaces is text without its spaces and line breaks.
func WithoutSpaces(text string) string { return strings.Join(strings.Fields(text), "") }
