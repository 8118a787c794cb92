package daemon

import (
	"fmt"
	"log/slog"

	"hermes/internal/letters"
	"hermes/pending"
)

// logRecords names the records that cannot be read. What a record holds is not logged: it may be anything.
func logRecords(log *slog.Logger, store *pending.Store) {
	for _, s := range store.AtOpen().Skipped {
		log.Error("a record of the database cannot be read; hermes leaves it as it is and works without it", "bucket", s.Bucket, "key", fmt.Sprintf("%.80q", s.Key), "reason", letters.OneLine(s.Reason))
	}
}
