package telegram

import (
	"context"
	"errors"
	"strings"
	"time"

	"hermes/internal/question"
	"hermes/telegram/botapi"
)

// pollTimeout is how long Telegram may hold a poll: its own limit is 50 s. A poll is
// given up when it was not answered pollSlack later. Over a connection that is half open
// nothing comes and nothing breaks, so both together are how long hermes may take it for
// a quiet one.
const (
	pollTimeout = 25 * time.Second
	pollSlack   = 10 * time.Second
	maxBackoff  = 30 * time.Second
)

// kinds are the updates that hermes asks for. Telegram remembers them.
func kinds() []string { return []string{"message", "callback_query", "my_chat_member"} }

// Run brings updates in until ctx is done, and returns nil then, or ErrToken.
// It first handles what a former process left in the inbox. The updates that
// came in before ctx ended are handled to their end.
func (b *Bot) Run(ctx context.Context) error {
	if err := b.replay(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	if b.hook.set() {
		return b.serveHook(ctx)
	}
	return b.poll(ctx)
}

// replay handles what is in the inbox, when the store can be read at last.
func (b *Bot) replay(ctx context.Context) error {
	t := trouble{b: b}
	for ctx.Err() == nil {
		updates, err := b.leftOver()
		if err == nil {
			b.take(updates)
			return nil
		}
		b.health.set("the inbox cannot be read")
		t.wait(ctx, &Error{Op: "inbox", Reason: Store, Detail: b.api.Redact(err.Error())})
	}
	return nil
}

// leftOver is what is in the inbox. What came over the webhook meanwhile is in it too, and
// arrives no more: it is handled once.
func (b *Bot) leftOver() ([]question.Update, error) {
	b.arrived.storing.Lock()
	defer b.arrived.storing.Unlock()
	updates, err := b.inbox.Inbox()
	b.arrived.drop(updates)
	return updates, err
}

// poll asks for updates for ever. Telegram forgets the updates below the offset,
// so the offset moves only after the store has them: a crash before that brings
// them again, and the inbox knows them. The first poll, and the first after a failure,
// does not wait for updates: its answer tells that Telegram is there.
func (b *Bot) poll(ctx context.Context) error {
	p := polling{t: trouble{b: b}}
	for ctx.Err() == nil {
		err := b.pollOnce(ctx, &p)
		switch {
		case err == nil:
			p.t.over()
		case ctx.Err() != nil:
			return nil
		case b.token.wrong(err, time.Now()):
			return ErrToken
		default:
			b.removeHook(ctx, err)
			b.leave(err)
			p.t.wait(ctx, err)
			p.hold = afterFailure(err)
		}
	}
	return nil
}

// polling is where it stands.
type polling struct {
	offset question.UpdateID
	hold   time.Duration // how long Telegram may hold the next one
	quiet  quiet
	t      trouble
}

// afterFailure is how long the first poll after a failure may be held. Only one that has
// to wait meets another program that polls (Bot API server, Client.cpp:16386-16387), so
// one that comes back at once would not prove that it is gone.
func afterFailure(err *Error) time.Duration {
	if err.Reason == Conflict && !strings.Contains(err.Detail, "webhook") {
		return pollTimeout
	}
	return 0
}

// leave lets go of the connections when no answer came: what is sent over one that is
// half open is lost, and so would the next poll be.
func (b *Bot) leave(err *Error) {
	if err.Reason == Network {
		b.api.CloseIdleConnections()
	}
}

// pollOnce makes a poll, handles what it brings, and moves on. What an update means is
// stored by whoever handles it, so that one commit lies between a tap and what it leads
// to; what nobody stored then goes into the inbox.
func (b *Bot) pollOnce(ctx context.Context, p *polling) *Error {
	began := time.Now()
	batch, err := b.getUpdates(ctx, p.offset, p.hold)
	if err != nil {
		if ctx.Err() == nil { // else it was cut off here
			b.health.set(b.sentence(err))
		}
		return err
	}
	b.token.works()
	fresh, failure := b.inbox.Fresh(batch)
	if failure == nil {
		b.take(fresh)
		_, failure = b.inbox.Put(batch)
	}
	if failure != nil {
		b.health.set("updates cannot be stored")
		return &Error{Op: "inbox", Reason: Store, Detail: b.api.Redact(failure.Error())}
	}
	return b.pollMore(ctx, p, batch, began)
}

// pollMore decides on the next poll. What waits is looked for when one brought nothing,
// though it waited, or though something did before it.
func (b *Bot) pollMore(ctx context.Context, p *polling, batch []question.Update, began time.Time) *Error {
	waiting := 0
	if len(batch) == 0 && (p.hold > 0 || p.quiet.waits) {
		waiting = b.waiting(ctx)
	}
	if p.quiet.after(len(batch), waiting) {
		b.health.set("updates wait at Telegram and do not come in; see the log")
		b.api.CloseIdleConnections()
		return unheard()
	}
	if !p.quiet.waits { // else the next poll tells
		now := time.Now()
		b.health.ok(now)
		b.polled(now)
	}
	next := offsetAfter(batch)
	if next <= p.offset && p.hold > 0 && time.Since(began) < time.Second {
		rest(ctx, time.Second) // whoever answers that is in no hurry
	}
	p.offset, p.hold = next, pollTimeout
	if p.quiet.waits {
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
func offsetAfter(batch []question.Update) (offset question.UpdateID) {
	for _, u := range batch {
		offset = max(offset, u.ID+1)
	}
	return offset
}

// getUpdates makes one poll, which Telegram may hold for as long as patience. Each
// update stays raw: one that nobody can read must not hide the others.
func (b *Bot) getUpdates(
	ctx context.Context, offset question.UpdateID, patience time.Duration,
) ([]question.Update, *Error) {
	ctx, cancel := context.WithTimeout(ctx, patience+pollSlack)
	defer cancel()
	batch, err := b.api.GetUpdates(ctx, botapi.Poll{Offset: offset, Limit: 100, Hold: patience, Allowed: kinds()})
	if err != nil {
		return nil, b.typed("getUpdates", err)
	}
	return batch, nil
}

// take decodes and handles updates one by one, each alone.
func (b *Bot) take(updates []question.Update) {
	for _, u := range updates {
		in, err := read(u, b.id)
		if err == nil {
			if b.forAnother(in) {
				in.Command = ""
			}
			b.chats.saw(in)
			b.handle(b.work, in)
			continue
		}
		b.log.Error("an update is set aside", "update", u.ID, "err", b.api.Redact(err.Error()))
		_, err2 := b.inbox.Put([]question.Update{u})
		if err := errors.Join(err2, b.inbox.SetAside(u.ID, err.Error())); err != nil {
			b.log.Error("an update cannot be set aside", "update", u.ID, "err", b.api.Redact(err.Error()))
		}
	}
}

// removeHook takes a webhook away that stops polling (Bot API getUpdates), and
// keeps the updates that wait for it.
func (b *Bot) removeHook(ctx context.Context, err *Error) {
	if err.Reason != Conflict || !strings.Contains(err.Detail, "webhook") {
		return
	}
	if err := b.api.DeleteWebhook(ctx); err == nil {
		b.log.Warn("a webhook was set for this bot; it is removed, as hermes polls", "op", "deleteWebhook")
	}
}
