package rig

import (
	"slices"

	telegram "hermes/internal/simulate/telegramsim"
)

// ReplyBoxes are the messages that hold somebody's reply box open.
func (r *Rig) ReplyBoxes(chat int64) []telegram.Message {
	return slices.DeleteFunc(r.Telegram.Messages(chat), func(m telegram.Message) bool { return !m.FromBot || !m.ForceReply || m.Deleted })
}
