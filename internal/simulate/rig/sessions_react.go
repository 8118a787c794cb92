package rig

import (
	"slices"

	telegram "hermes/internal/simulate/telegramsim"
)

// OwnMessage is Ada's message with that text.
func (r *Rig) OwnMessage(text string) int {
	r.T.Helper()
	all := r.Telegram.Messages(Ada)
	at := slices.IndexFunc(all, func(m telegram.Message) bool { return m.Text == text })
	if at < 0 {
		r.T.Fatalf("nobody wrote %q", text)
	}
	return all[at].ID
}
