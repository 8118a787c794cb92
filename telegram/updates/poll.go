package updates

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/retry"
	"hermes/telegram/botapi"
)

// pollTimeout is how long Telegram may hold a poll: its own limit is 50 s. A poll is
// given up when it was not answered pollSlack later. Over a connection that is half open
// nothing comes and nothing breaks, so both together are how long hermes may take it for
// a quiet one.
const (
	pollTimeout = 25 * time.Second
	pollSlack   = 10 * time.Second
)

// allowedKinds are the updates that hermes asks for. Telegram remembers them.
func allowedKinds() []string { return []string{"message", "callback_query", "my_chat_member"} }

// poller brings updates in by long polling.
type poller struct {
	conn    *connection
	intake  *intake
	polled  func(time.Time)
	offset  chat.UpdateID
	hold    time.Duration // how long Telegram may hold the next poll
	silence silence
	retries retries
}

// run asks for updates until ctx is done, or the inbox does not take them. Telegram forgets the updates below the offset,
// so the offset moves only after the store has them: a crash before that brings
// them again, and the inbox knows them. The first poll, and the first after a failure,
// does not wait for updates: its answer tells that Telegram is there.
func (p *poller) run(ctx context.Context) error {
	for ctx.Err() == nil {
		err, unstored := p.pollOnce(ctx)
		switch {
		case unstored != nil:
			return unstored
		case err == nil:
			p.retries.reset()
		case ctx.Err() != nil:
			return nil
		case p.conn.token.isWrong(err, time.Now()):
			return ErrToken
		default:
			p.removeWebhook(ctx, err)
			p.conn.renewConnections(err)
			p.retries.wait(ctx, err)
			p.hold = holdAfterFailure(err)
		}
	}
	return nil
}

// holdAfterFailure is how long the first poll after a failure may be held. Only one that has
// to wait meets another program that polls (Bot API server, Client.cpp:16386-16387), so
// one that comes back at once would not prove that it is gone.
func holdAfterFailure(err *botapi.Error) time.Duration {
	if err.Reason == botapi.Conflict && !strings.Contains(err.Detail, "webhook") {
		return pollTimeout
	}
	return 0
}

// pollOnce makes a poll, handles what it brings, and moves on. unstored is why that could not be stored.
func (p *poller) pollOnce(ctx context.Context) (failed *botapi.Error, unstored error) {
	began := time.Now()
	batch, err := p.getUpdates(ctx)
	if err != nil {
		if ctx.Err() == nil { // else it was cut off here
			p.conn.health.setWrong(p.conn.sentence(err))
		}
		return err, nil
	}
	p.conn.token.accept()
	if err := p.intake.takeBatch(batch); err != nil {
		return nil, err
	}
	return p.moveOn(ctx, batch, began), nil
}

// moveOn decides on the next poll. What waits is looked for when one brought nothing,
// though it waited, or though something did before it.
func (p *poller) moveOn(ctx context.Context, batch []chat.Update, began time.Time) *botapi.Error {
	waiting := 0
	if len(batch) == 0 && (p.hold > 0 || p.silence.waits) {
		waiting = p.waitingUpdates(ctx)
	}
	if p.silence.afterPoll(len(batch), waiting) {
		p.conn.health.setWrong("updates wait at Telegram and do not come in; see the log")
		p.conn.api.CloseIdleConnections()
		return silenceError()
	}
	if !p.silence.waits { // else the next poll tells
		now := time.Now()
		p.conn.health.setGood(now)
		p.polled(now)
	}
	next := offsetAfter(batch)
	if next <= p.offset && p.hold > 0 && time.Since(began) < time.Second {
		_ = retry.Wait(ctx, time.Second) // whoever answers that is in no hurry
	}
	p.offset, p.hold = next, pollTimeout
	if p.silence.waits {
		p.hold = 0
	}
	return nil
}

// offsetAfter is the offset that confirms a batch. An empty one leaves nothing to be
// confirmed, as the offset that brought it has confirmed what came before: then it is
// 0, which is the first update that Telegram has. It may be lower than the one before:
// after a week without updates the next one has any id (Bot API, Update), and an
// offset of before would confirm nothing, or what nobody has seen. The Bot API server
// keeps the ids of a queue in order (TQueue.cpp, do_push), so no batch holds ids of
// before and after a jump; should one do so, the highest confirms both.
func offsetAfter(batch []chat.Update) (offset chat.UpdateID) {
	for _, u := range batch {
		offset = max(offset, u.ID+1)
	}
	return offset
}

// getUpdates makes one poll, which Telegram may hold. Each update stays raw: one that nobody
// can read must not hide the others.
func (p *poller) getUpdates(ctx context.Context) ([]chat.Update, *botapi.Error) {
	ctx, cancel := context.WithTimeout(ctx, p.hold+pollSlack)
	defer cancel()
	batch, err := p.conn.api.GetUpdates(ctx, botapi.Poll{Offset: p.offset, Limit: 100, Hold: p.hold, Allowed: allowedKinds()})
	if err != nil {
		return nil, p.conn.api.AsError("getUpdates", err)
	}
	return batch, nil
}

// removeWebhook takes a webhook away that stops polling (Bot API getUpdates), and
// keeps the updates that wait for it.
func (p *poller) removeWebhook(ctx context.Context, err *botapi.Error) {
	if err.Reason != botapi.Conflict || !strings.Contains(err.Detail, "webhook") {
		return
	}
	if err := p.conn.api.DeleteWebhook(ctx); err == nil {
		p.conn.log.Warn("a webhook was set for this bot; it is removed, as hermes polls", "op", "deleteWebhook")
	}
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
