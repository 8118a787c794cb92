package updates

import (
	"context"
	"time"

	"hermes/telegram/botapi"
)

// silence tells polls that bring nothing because nothing waits from those that bring
// nothing although something does: whatever answers in Telegram's place, or takes the
// updates away on their way.
type silence struct {
	waits  bool // Telegram said after the last poll that updates wait
	missed int  // polls in a row that began when updates waited, and brought none
}

// missedPolls is how many such polls prove it. One does not: what waited may have been
// taken by another program meanwhile, and something else come.
const missedPolls = 2

// afterPoll takes in how many updates a poll brought, and how many wait after it. It reports
// whether the polls are proven not to bring what waits.
func (s *silence) afterPoll(brought, waiting int) bool {
	switch {
	case brought > 0:
		*s = silence{}
		return false
	case s.waits:
		s.missed++
	}
	if s.waits = waiting > 0; !s.waits {
		s.missed = 0
	}
	return s.missed >= missedPolls
}

// lookTimeout bounds a look at what waits, which polling waits for.
const lookTimeout = 10 * time.Second

// waitingUpdates is how many updates wait at Telegram (Bot API getWebhookInfo). Where that does
// not tell, it is 0: the next poll shows what is wrong.
func (p *poller) waitingUpdates(ctx context.Context) int {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	info, err := p.conn.api.GetWebhookInfo(ctx)
	if err != nil {
		return 0
	}
	return info.PendingUpdateCount
}

// silenceError is the failure of polls that bring nothing of what waits.
func silenceError() *botapi.Error {
	return &botapi.Error{Op: "getUpdates", Reason: botapi.Server, Detail: "updates wait at Telegram, and polls bring none; does something between answer in its place?"}
}
