package telegram

import (
	"context"
	"time"

	"hermes/internal/chat"
	"hermes/telegram/botapi"
)

// fetchTimeout bounds both calls of Fetch together: the Bot API server itself gets the
// file before it answers.
const fetchTimeout = 2 * time.Minute

// Fetch gets a file that a person sent (Bot API getFile, which gives out up to 20 MB; a
// local server gives out more). It makes one attempt, beside the chats' queues. The
// error is an *Error: TooLarge, also session.ErrTooLarge, for a file of more than limit
// bytes; FileGone for one that cannot be got; Temporary tells whether a later try may
// succeed.
func (b *Bot) Fetch(ctx context.Context, id chat.FileID, limit int64) ([]byte, error) {
	if b.out.Closed() {
		return nil, &Error{Op: "getFile", Reason: botapi.Stopping}
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	defer context.AfterFunc(b.out.Calls(), cancel)()
	return b.api.Fetch(ctx, id, limit)
}
