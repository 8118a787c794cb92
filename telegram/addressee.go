package telegram

import (
	"strings"
	"sync"

	"hermes/question"
)

// self is the bot's username, once it is known.
type self struct {
	mu   sync.Mutex
	name string
}

// forAnother reports whether a message in a group begins with a command for another bot:
// /stop@other_bot. A bot that is an administrator sees those too (Bot API, privacy mode).
// As long as Telegram does not tell the bot's own name, a command is its own.
func (b *Bot) forAnother(in question.Input) bool {
	if in.Private || in.Command == "" {
		return false
	}
	_, name, addressed := strings.Cut(strings.Fields(in.Text)[0], "@")
	own := ""
	if addressed {
		own = b.ownName()
	}
	return own != "" && !strings.EqualFold(name, own)
}

func (b *Bot) ownName() string {
	b.self.mu.Lock()
	defer b.self.mu.Unlock()
	if b.self.name == "" {
		name, err := b.Username(b.work)
		if err != nil {
			b.log.Warn("the bot's own name is not known: a command for another bot would be taken for its own", "err", err)
		}
		b.self.name = name
	}
	return b.self.name
}
