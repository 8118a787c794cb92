package telegram

import (
	"context"
	"errors"
	"strings"
	"time"

	"hermes/question"
	"hermes/telegram/botapi"
)

// pollTimeout is how long Telegram may hold a poll: its own limit is 50 s. A
// call is given up later than that, at pollDeadline.
const (
	pollTimeout  = 50 * time.Second
	pollDeadline = 80 * time.Second
	maxBackoff   = 30 * time.Second
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
		updates, err := b.inbox.Inbox()
		if err == nil {
			b.take(updates)
			return nil
		}
		b.health.set("the inbox cannot be read")
		t.wait(ctx, &Error{Op: "inbox", Reason: Store, Detail: b.api.Redact(err.Error())})
	}
	return nil
}

// poll asks for updates for ever. Telegram forgets the updates below the offset,
// so the offset moves only after the store has them: a crash before that brings
// them again, and the inbox knows them. The first poll, and the first after a failure,
// does not wait for updates: its answer tells that Telegram is there.
func (b *Bot) poll(ctx context.Context) error {
	var offset question.UpdateID
	t := trouble{b: b}
	patience := time.Duration(0)
	for ctx.Err() == nil {
		began := time.Now()
		next, err := b.pollOnce(ctx, offset, patience)
		switch {
		case err == nil:
			t.over()
			if next <= offset && patience > 0 && time.Since(began) < time.Second {
				rest(ctx, time.Second) // whoever answers that is in no hurry
			}
			offset, patience = next, pollTimeout
		case ctx.Err() != nil:
			return nil
		case err.Reason == BadToken:
			b.health.set(sentence(err))
			return ErrToken
		default:
			b.removeHook(ctx, err)
			t.wait(ctx, err)
			patience = 0
		}
	}
	return nil
}

// pollOnce gets a batch, handles it, and returns the next offset. What an update
// means is stored by whoever handles it, so that one commit lies between a tap and
// what it leads to; what nobody stored then goes into the inbox.
func (b *Bot) pollOnce(
	ctx context.Context, offset question.UpdateID, patience time.Duration,
) (question.UpdateID, *Error) {
	batch, err := b.getUpdates(ctx, offset, patience)
	if ctx.Err() != nil && err != nil {
		return offset, err // it was cut off here
	}
	if err != nil {
		b.health.set(sentence(err))
		return offset, err
	}
	fresh, failure := b.inbox.Fresh(batch)
	if failure == nil {
		b.take(fresh)
		_, failure = b.inbox.Put(batch)
	}
	if failure != nil {
		b.health.set("updates cannot be stored")
		return offset, &Error{Op: "inbox", Reason: Store, Detail: b.api.Redact(failure.Error())}
	}
	now := time.Now()
	b.health.ok(now)
	b.polled(now)
	return offsetAfter(batch), nil
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
	ctx, cancel := context.WithTimeout(ctx, pollDeadline)
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
		in, err := read(u)
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
