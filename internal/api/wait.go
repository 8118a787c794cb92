package api

import (
	"net/url"
	"time"
)

const (
	MaxAsk   = 1 << 20          // bytes of the body of an ask
	maxWait  = 50 * time.Second // how long a poll is held at most; the server reads for a minute
	Withdraw = 5 * time.Second  // how long a withdrawal waits for its end to be stored
)

// ReadWait is how long to hold a poll, at most maxWait; 0 for not at all.
func ReadWait(q url.Values) (wait time.Duration, fault string) {
	if given := q.Get("wait"); given != "" {
		var err error
		if wait, err = time.ParseDuration(given); err != nil || wait < 0 {
			return 0, "wait: must be a duration like 30s"
		}
	}
	return min(wait, maxWait), ""
}
