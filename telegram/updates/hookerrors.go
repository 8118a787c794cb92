package updates

import (
	"sync"
	"time"
)

// hookErrors tells an error of the webhook that is there now from one of before. The Bot
// API server keeps the last error for as long as the webhook is set, also when updates
// come in again, and over a setWebhook with the same parameters (Client.cpp:15758-15770);
// and of the updates that it counts as pending, some are on their way. So an error is
// there if it is new, no update has come in since, and some wait. The two clocks are
// never held against each other.
type hookErrors struct {
	mu     sync.Mutex
	date   int       // last_error_date, as Telegram reported it last
	looked time.Time // when that was
	since  time.Time // the error came after this; zero: it was there before hermes set the webhook
	came   time.Time // when the last update came in
}

// updateArrived notes an update.
func (h *hookErrors) updateArrived(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.came = now
}

// webhookSet notes the error that is there when the webhook is set.
func (h *hookErrors) webhookSet(date int, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.date, h.looked, h.since = date, now, time.Time{}
}

// isUnreachable takes in what Telegram tells of the webhook, and reports whether it cannot
// reach it.
func (h *hookErrors) isUnreachable(pending, date int, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if date != h.date {
		h.date, h.since = date, h.looked
	}
	h.looked = now
	return pending > 0 && date != 0 && !h.since.IsZero() && !h.came.After(h.since)
}
