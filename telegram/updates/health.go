package updates

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"hermes/internal/retry"
	"hermes/telegram/botapi"
)

// health is what is wrong with the connection to Telegram, in a sentence that names no
// address, as everybody may ask for it. What is more exact is in the log.
type health struct {
	mu    sync.Mutex
	wrong string
	good  time.Time
}

// stale is how old a good poll may be: it takes at most its deadline. A webhook is checked as often.
const stale = pollTimeout + pollSlack + lookTimeout

// setWrong notes what is wrong.
func (h *health) setWrong(wrong string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong = wrong
}

// setGood notes that updates come in.
func (h *health) setGood(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong, h.good = "", now
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

// connection is the client with which updates are fetched, and what is known of its state. All but health belongs to one goroutine.
type connection struct {
	api     *botapi.Client
	log     *slog.Logger
	health  health
	token   tokenDoubt
	retries retries
}

// noteSuccess notes that Telegram did what it was asked for.
func (l *connection) noteSuccess() {
	l.token.accept()
	l.retries.reset()
}

// recover pauses after a failed call, before the next one. It returns ErrToken where no other will succeed.
func (l *connection) recover(ctx context.Context, err *botapi.Error) error {
	if ctx.Err() != nil {
		return nil // it was cut off here
	}
	l.health.setWrong(l.sentence(err))
	if l.token.isWrong(err, time.Now()) {
		return ErrToken
	}
	if err.Reason == botapi.Network {
		l.api.CloseIdleConnections() // they may be half open: what is sent over one is lost, and so would the next call be
	}
	l.retries.wait(ctx, err)
	return nil
}

// sentence says what a failed call means.
func (l *connection) sentence(e *botapi.Error) string {
	if e.Op == hookOp {
		return "Telegram cannot reach the webhook; see the log"
	}
	switch e.Reason {
	case botapi.BadToken:
		return l.token.refusalText()
	case botapi.LoggedOut:
		return "the bot is logged out of this Bot API server, as one that was moved to another server"
	case botapi.Frozen:
		return "Telegram has frozen the bot"
	case botapi.Conflict:
		return "another program polls this bot"
	case botapi.Flood:
		return "Telegram asks to wait " + e.RetryAfter.String()
	case botapi.Server:
		return "Telegram has a fault; see the log"
	case botapi.Network:
		return "Telegram cannot be reached; see the log"
	}
	return "Telegram refuses " + e.Op + "; see the log"
}

// maxBackoff is the longest pause between tries, but for one that Telegram asks for.
const maxBackoff = 30 * time.Second

// rarely is the pause where trying again does nothing by itself: somebody must move the bot back, or have it set free.
const rarely = 5 * time.Minute

// steady is how long updates must come in until a failure counts as over: beside another program that polls they do so every
// other second.
const steady = time.Minute

// retries paces the tries after a failure. It logs each kind once, and its end when that has lasted.
type retries struct {
	log      *slog.Logger
	failures int                    // in a row
	attempts int                    // that failed since the first one that was logged
	logged   map[botapi.Reason]bool // since then
	good     time.Time              // since when tries succeed again; zero: they do not, or none has failed
}

// wait pauses after a failure: as long as Telegram says, else doubling from a
// second, or rarely, give or take a quarter.
func (r *retries) wait(ctx context.Context, err *botapi.Error) {
	r.noteFailure(err)
	pause := retry.Backoff(r.failures, time.Second, maxBackoff)
	if err.Reason == botapi.LoggedOut || err.Reason == botapi.Frozen {
		pause = rarely
	}
	pause += rand.N(pause/2) - pause/4
	_ = retry.Wait(ctx, max(pause, err.RetryAfter)) // whoever tries again looks at ctx
}

func (r *retries) noteFailure(err *botapi.Error) {
	r.failures, r.attempts, r.good = r.failures+1, r.attempts+1, time.Time{}
	if r.logged[err.Reason] {
		return
	}
	if r.logged == nil {
		r.logged = map[botapi.Reason]bool{}
	}
	r.logged[err.Reason] = true
	r.log.Warn("updates do not come in", "op", err.Op, "reason", err.Reason, "err", err)
}

// reset is called after each success: it ends the row of failures, and logs when that has lasted.
func (r *retries) reset() {
	r.failures = 0
	switch now := time.Now(); {
	case r.logged == nil:
	case r.good.IsZero():
		r.good = now
	case now.Sub(r.good) >= steady:
		r.log.Info("updates come in again", "attempt", r.attempts)
		*r = retries{log: r.log}
	}
}

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
