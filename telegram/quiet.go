package telegram

import (
	"context"
	"time"
)

// quiet tells polls that bring nothing because nothing waits from those that bring
// nothing although something does: whatever answers in Telegram's place, or takes the
// updates away on their way.
type quiet struct {
	waits  bool // Telegram said after the last poll that updates wait
	missed int  // polls in a row that began when updates waited, and brought none
}

// missedPolls is how many such polls prove it. One does not: what waited may have been
// taken by another program meanwhile, and something else come.
const missedPolls = 2

// after takes in how many updates a poll brought, and how many wait after it. It reports
// whether the polls are proven not to bring what waits.
func (q *quiet) after(brought, waiting int) bool {
	switch {
	case brought > 0:
		*q = quiet{}
		return false
	case q.waits:
		q.missed++
	}
	if q.waits = waiting > 0; !q.waits {
		q.missed = 0
	}
	return q.missed >= missedPolls
}

// lookTimeout bounds a look at what waits, which polling waits for.
const lookTimeout = 10 * time.Second

// waiting is how many updates wait at Telegram (Bot API getWebhookInfo). Where that does
// not tell, it is 0: the next poll shows what is wrong.
func (b *Bot) waiting(ctx context.Context) int {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	info, err := b.api.GetWebhookInfo(ctx)
	if err != nil {
		return 0
	}
	return info.PendingUpdateCount
}

// unheard is the failure of polls that bring nothing of what waits.
func unheard() *Error {
	return &Error{Op: "getUpdates", Reason: Server, Detail: "updates wait at Telegram, and polls bring none; does something between answer in its place?"}
}
