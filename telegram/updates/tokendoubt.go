package updates

import (
	"time"

	"hermes/telegram/botapi"
)

// believeAfter is how long Telegram must refuse a token that it has taken before hermes
// believes that it is wrong. The Bot API server answers 401 also of a good one, for as
// long as it takes to make itself a new session (Client.cpp:16271-16298).
const believeAfter = 5 * time.Minute

// tokenDoubt tells a wrong token from one that Telegram refuses for a while. It belongs
// to the goroutine of Run.
type tokenDoubt struct {
	worked  bool      // Telegram has taken this token once
	refused time.Time // since when it refuses it; zero: it does not
}

// accept notes that Telegram took the token.
func (d *tokenDoubt) accept() { d.worked, d.refused = true, time.Time{} }

// isWrong reports whether a failed call shows that the token is wrong: it never worked, or
// it has been refused for long, with no other failure between, which would say nothing of
// the token.
func (d *tokenDoubt) isWrong(err *botapi.Error, now time.Time) bool {
	switch {
	case err.Reason != botapi.BadToken:
		d.refused = time.Time{}
		return false
	case !d.worked:
		return true
	case d.refused.IsZero():
		d.refused = now
	}
	return now.Sub(d.refused) >= believeAfter
}

// refusalText is what health says of a token that is refused.
func (d *tokenDoubt) refusalText() string {
	if d.worked {
		return "Telegram refuses the token, which it took before; hermes goes on trying"
	}
	return "Telegram refuses the token"
}
