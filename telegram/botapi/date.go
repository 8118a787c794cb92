package botapi

import (
	"context"
	"net/http"
	"time"
)

type dateKey struct{}

// WithDate returns a context under which a call puts the time by Telegram's clock, in whole
// seconds, where date points: as its answer gave it, also one that refuses. Without one
// the time is left as it was.
func WithDate(ctx context.Context, date *time.Time) context.Context {
	return context.WithValue(ctx, dateKey{}, date)
}

func tellDate(ctx context.Context, header string) {
	date, ok := ctx.Value(dateKey{}).(*time.Time)
	if at, err := http.ParseTime(header); ok && err == nil {
		*date = at
	}
}
