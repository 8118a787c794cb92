package config

import (
	"fmt"
	"strconv"
)

// Text is the chat as HERMES_TELEGRAM_CHATS has it.
func (c Chat) Text() string {
	if c.Topic != 0 {
		return fmt.Sprintf("%d/%d", c.ID, c.Topic)
	}
	return strconv.FormatInt(int64(c.ID), 10)
}
