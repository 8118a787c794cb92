package updates

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"hermes/telegram/botapi"
)

// health is what is wrong with the connection to Telegram, in a sentence that names no
// address, as everybody may ask for it. What is more exact is in the log.
type health struct {
	mu    sync.Mutex
	wrong string
	why   string // logged last
	good  time.Time
	hook  bool // Telegram has taken the webhook
}

// stale is how old a good poll may be: it takes at most its deadline, and the look
// after it at most its own. A webhook is checked more often.
const stale = pollTimeout + pollSlack + lookTimeout

// setWrong notes what is wrong.
func (h *health) setWrong(wrong string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong = wrong
}

// setWithReason is setWrong with the reason, and reports whether that is new.
func (h *health) setWithReason(wrong, why string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	news := h.why != why
	h.wrong, h.why = wrong, why
	return news
}

// setGood notes that updates come in.
func (h *health) setGood(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong, h.why, h.good = "", "", now
}

// webhookRefused notes that Telegram does not take the webhook. Only webhookSet ends that.
func (h *health) webhookRefused(wrong string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong, h.hook = wrong, false
}

// webhookSet notes that Telegram took the webhook.
func (h *health) webhookSet() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hook = true
}

// updateArrived notes an update that came over the webhook. While Telegram does not take the
// webhook it proves nothing: it came over that of before.
func (h *health) updateArrived(now time.Time) {
	h.mu.Lock()
	hook := h.hook
	h.mu.Unlock()
	if hook {
		h.setGood(now)
	}
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

// connection is the client with which updates are fetched, and what is known of its state.
type connection struct {
	api    *botapi.Client
	log    *slog.Logger
	health health
	token  tokenDoubt
}

// renewConnections has the next calls use new connections if a call got no answer: what is sent
// over a connection that is half open is lost, and so would the next poll be.
func (l *connection) renewConnections(err *botapi.Error) {
	if err.Reason == botapi.Network {
		l.api.CloseIdleConnections()
	}
}

// sentence says what a failed call means.
func (l *connection) sentence(e *botapi.Error) string {
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
