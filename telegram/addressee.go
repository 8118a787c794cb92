package telegram

import (
	"strings"
	"sync"

	"hermes/internal/question"
)

// self is the bot's username, once it is known.
type self struct {
	mu     sync.Mutex
	name   string
	asking bool // Telegram is asked for it
}

// forAnother reports whether a message in a group begins with a command for another bot,
// as in /stop@other_bot: it is no command then, but text. A bot that is an administrator
// sees those too (Bot API, privacy mode). As long as the bot's own name is not known, a
// command is its own. It never waits.
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

// ownName is the bot's username, or empty, and then Telegram is asked.
func (b *Bot) ownName() string {
	b.self.mu.Lock()
	defer b.self.mu.Unlock()
	if b.self.name == "" && !b.self.asking {
		b.self.asking = b.spawn(b.learnName)
	}
	return b.self.name
}

func (b *Bot) learnName() {
	name, _ := b.Username(b.work) // else it is asked for again
	b.self.mu.Lock()
	defer b.self.mu.Unlock()
	b.self.name, b.self.asking = name, false
}
