package rig

import (
	"strings"

	telegram "hermes/internal/simulate/telegramsim"
)

// LiveIn is the live message of a chat.
func (c Talk) LiveIn(chat int64) telegram.Message {
	c.T.Helper()
	for _, m := range c.Telegram.Messages(chat) {
		if m.FromBot && m.Silent && strings.HasPrefix(m.Text, "⚙️") {
			return m
		}
	}
	c.T.Fatalf("no live message in %d:\n%s", chat, c.Telegram.Transcript(chat))
	return telegram.Message{}
}
