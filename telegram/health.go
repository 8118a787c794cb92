package telegram

import (
	"errors"
	"sync"
	"time"
)

// health is what is wrong with the way to Telegram, in a sentence that names no
// address, as everybody may ask for it. What is more exact is in the log.
type health struct {
	mu    sync.Mutex
	wrong string
	why   string // logged last
	good  time.Time
	hook  bool // Telegram has taken the webhook
}

// stale is how old a good poll may be: it takes at most its deadline, and the look
// after it at most its own. A webhook is looked after more often.
const stale = pollTimeout + pollSlack + lookTimeout

func (h *health) set(wrong string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong = wrong
}

// because is set with the reason, and reports whether that is new.
func (h *health) because(wrong, why string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	news := h.why != why
	h.wrong, h.why = wrong, why
	return news
}

func (h *health) ok(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong, h.why, h.good = "", "", now
}

// unset notes that Telegram does not take the webhook. Only isSet ends that.
func (h *health) unset(wrong string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong, h.hook = wrong, false
}

// isSet notes that Telegram took the webhook.
func (h *health) isSet() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hook = true
}

// arrived notes an update that came over the webhook. While Telegram does not take the
// webhook it proves nothing: it came over that of before.
func (h *health) arrived(now time.Time) {
	h.mu.Lock()
	hook := h.hook
	h.mu.Unlock()
	if hook {
		h.ok(now)
	}
}

// Health returns nil while updates come in, else what is wrong in a sentence that
// everybody may read.
func (b *Bot) Health() error {
	b.health.mu.Lock()
	defer b.health.mu.Unlock()
	switch {
	case b.health.wrong != "":
		return errors.New(b.health.wrong)
	case time.Since(b.health.good) > stale:
		return errors.New("hermes has not heard from Telegram for " + time.Since(b.health.good).Round(time.Second).String())
	}
	return nil
}

// sentence says what a failed poll means.
func (b *Bot) sentence(e *Error) string {
	switch e.Reason {
	case BadToken:
		return b.token.refusal()
	case Conflict:
		return "another program polls this bot"
	case Flood:
		return "Telegram asks to wait " + e.RetryAfter.String()
	case Server:
		return "Telegram has a fault; see the log"
	case Network:
		return "Telegram cannot be reached; see the log"
	}
	return "Telegram refuses " + e.Op + "; see the log"
}
