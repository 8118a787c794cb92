package updates

import (
	"context"
	"strings"
	"sync"

	"hermes/internal/inbound"
)

// ownName is the bot's username, once it is known.
type ownName struct {
	ask    func(context.Context) (string, error)
	calls  context.Context
	beside func(func()) bool

	mu     sync.Mutex
	name   string
	asking bool // Telegram is asked for it
}

// isForAnother reports whether a message in a group begins with a command for another bot,
// as in /stop@other_bot: it is no command then, but text. A bot that is an administrator
// sees those too (Bot API, privacy mode). As long as the bot's own name is not known, a
// command is its own. It never waits.
func (n *ownName) isForAnother(in inbound.Input) bool {
	if in.Private || in.Command == "" {
		return false
	}
	_, name, addressed := strings.Cut(strings.Fields(in.Text)[0], "@")
	own := ""
	if addressed {
		own = n.get()
	}
	return own != "" && !strings.EqualFold(name, own)
}

// get is the bot's username, or empty, and then Telegram is asked.
func (n *ownName) get() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.name == "" && !n.asking {
		n.asking = n.beside(n.learn)
	}
	return n.name
}

func (n *ownName) learn() {
	name, _ := n.ask(n.calls) // else it is asked for again
	n.mu.Lock()
	defer n.mu.Unlock()
	n.name, n.asking = name, false
}
