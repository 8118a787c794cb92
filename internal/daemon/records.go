package daemon

import (
	"fmt"
	"log/slog"

	"hermes/internal/letters"
	"hermes/pending"
)

// logRecords tells what the start did with records that could not be read. What a record
// holds is not told: it may be anything.
func logRecords(log *slog.Logger, store *pending.Store) {
	for _, u := range store.AtOpen().SetAside {
		log.Error("a record of the database cannot be read and is set aside", "bucket", u.Bucket, "key", fmt.Sprintf("%.80q", u.Key), "reason", letters.OneLine(u.Reason))
	}
	for _, u := range store.AtOpen().Restored {
		log.Info("a record that was set aside can be read again and is back", "bucket", u.Bucket, "key", fmt.Sprintf("%.80q", u.Key))
	}
	if n, err := store.Unreadable().Count(); err == nil && n > 0 {
		log.Warn("records of the database are set aside; hermes unreadable lists them", "records", n)
	}
}
