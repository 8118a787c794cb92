package telegram

import (
	"errors"
	"sync"
	"time"
)

// health is what is wrong with the way to Telegram, in a sentence.
type health struct {
	mu    sync.Mutex
	wrong string
	good  time.Time
}

// stale is how old a good poll may be: a poll takes at most its deadline.
const stale = 2 * pollDeadline

func (h *health) set(wrong string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong = wrong
}

func (h *health) ok(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong, h.good = "", now
}

// Health returns nil while updates come in, else what is wrong in a sentence.
func (b *Bot) Health() error {
	b.health.mu.Lock()
	defer b.health.mu.Unlock()
	switch {
	case b.health.wrong != "":
		return errors.New(b.health.wrong)
	case !b.hook.set() && time.Since(b.health.good) > stale:
		return errors.New("Telegram has not answered for " + time.Since(b.health.good).Round(time.Second).String())
	}
	return nil
}

// sentence says what a failed poll means.
func (e *Error) sentence() string {
	switch e.Reason {
	case BadToken:
		return "Telegram refuses the token"
	case Conflict:
		return "another program polls this bot"
	case Flood:
		return "Telegram asks to wait " + e.RetryAfter.String()
	case Server:
		return "Telegram has a fault: " + e.Detail
	case Network:
		return "Telegram cannot be reached: " + e.Detail
	}
	return "Telegram refuses to be polled: " + e.Detail
}
