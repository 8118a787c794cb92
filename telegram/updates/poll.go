package updates

import (
	"context"
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
	conn   *connection
	intake *intake
	polled func(time.Time)
	offset chat.UpdateID
	hold   time.Duration // how long Telegram may hold the next poll
}

// run asks for updates until ctx is done, or the inbox does not take them. Telegram forgets the updates below the offset,
// so the offset moves only after the store has them: a crash before that brings
// them again, and the inbox knows them. The first poll, and the first after a failure,
// does not wait for updates: its answer tells that Telegram is there.
func (p *poller) run(ctx context.Context) error {
	for ctx.Err() == nil {
		failed, err := p.pollOnce(ctx)
		if failed != nil {
			p.removeWebhook(ctx, failed)
			err = p.conn.recover(ctx, failed)
			p.hold = holdAfterFailure(failed)
		}
		if err != nil {
			return err
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
	batch, failed := p.getUpdates(ctx)
	if failed != nil {
		return failed, nil
	}
	if err := p.intake.takeBatch(batch); err != nil {
		return nil, err
	}
	p.conn.noteSuccess()
	p.conn.health.setGood(time.Now())
	p.polled(time.Now())
	next := offsetAfter(batch)
	if next <= p.offset && p.hold > 0 && time.Since(began) < time.Second {
		_ = retry.Wait(ctx, time.Second) // whoever answers that is in no hurry
	}
	p.offset, p.hold = next, pollTimeout
	return nil, nil
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
