package updates

import (
	"errors"
	"sync"
	"time"
)

// health is what is wrong with the connection to Telegram, in a sentence that names no
// address, as everybody may ask for it. What is more exact is in the log.
type health struct {
	mu    sync.Mutex
	wrong string
	why   string // logged last
	good  time.Time
	hook  bool // Telegram has taken the webhook
}

// stale is how old a good poll may be: it takes at most its deadline, and the look
// after it at most its own. A webhook is checked more often.
const stale = pollTimeout + pollSlack + lookTimeout

// setWrong notes what is wrong.
func (h *health) setWrong(wrong string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong = wrong
}

// setWithReason is setWrong with the reason, and reports whether that is new.
func (h *health) setWithReason(wrong, why string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	news := h.why != why
	h.wrong, h.why = wrong, why
	return news
}

// setGood notes that updates come in.
func (h *health) setGood(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong, h.why, h.good = "", "", now
}

// webhookRefused notes that Telegram does not take the webhook. Only webhookSet ends that.
func (h *health) webhookRefused(wrong string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong, h.hook = wrong, false
}

// webhookSet notes that Telegram took the webhook.
func (h *health) webhookSet() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hook = true
}

// updateArrived notes an update that came over the webhook. While Telegram does not take the
// webhook it proves nothing: it came over that of before.
func (h *health) updateArrived(now time.Time) {
	h.mu.Lock()
	hook := h.hook
	h.mu.Unlock()
	if hook {
		h.setGood(now)
	}
}

// check returns nil while updates come in, else what is wrong.
func (h *health) check(now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	silence := now.Sub(h.good)
	switch {
	case h.wrong != "":
		return errors.New(h.wrong)
	case silence > stale:
		return errors.New("hermes has not heard from Telegram for " + silence.Round(time.Second).String())
	}
	return nil
}
