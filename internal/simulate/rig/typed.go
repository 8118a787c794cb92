package rig

import (
	"strings"
)

// Shown is all that hermes has in a chat, without space, and without the marks
// where a text goes on in another message.
func (r *Rig) Shown(chat int64) string {
	var all strings.Builder
	for _, m := range r.Telegram.Messages(chat) {
		if m.FromBot && !m.Deleted {
			all.WriteString(Flat(strings.TrimPrefix(m.Text, "…")))
		}
		if m.Document != nil {
			all.WriteString(Flat(string(m.Document.Data)))
		}
	}
	return all.String()
}

func Flat(text string) string { return strings.Join(strings.Fields(text), "") }
