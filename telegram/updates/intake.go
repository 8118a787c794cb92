package updates

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"

	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// intake decodes updates and hands them on.
type intake struct {
	inbox  Inbox
	bot    chat.UserID
	name   atomic.Pointer[string] // the bot's username; nil: not known yet
	handle func(context.Context, inbound.Input)
	calls  context.Context
	log    *slog.Logger
	redact func(string) string
}

// take decodes and handles updates one by one, each alone. The error is the inbox's.
func (t *intake) take(updates []chat.Update) error {
	for _, u := range updates {
		in, err := Decode(u, t.bot)
		if err != nil {
			if err := t.setAside(u, err); err != nil {
				return err
			}
			continue
		}
		if t.isForAnother(in) {
			in.Command = ""
		}
		t.handle(t.calls, in)
	}
	return nil
}

// isForAnother reports whether a message in a group begins with a command for another bot,
// as in /stop@other_bot: it is no command then, but text. A bot that is an administrator
// sees those too (Bot API, privacy mode). As long as the bot's own name is not known, a
// command is its own.
func (t *intake) isForAnother(in inbound.Input) bool {
	own := t.name.Load()
	if in.Private || in.Command == "" || own == nil {
		return false
	}
	_, name, addressed := strings.Cut(strings.Fields(in.Text)[0], "@")
	return addressed && !strings.EqualFold(name, *own)
}

// setAside moves an update that cannot be read out of the way.
func (t *intake) setAside(u chat.Update, why error) error {
	t.log.Error("an update is set aside", "update", u.ID, "err", t.redact(why.Error()))
	_, err := t.inbox.Put([]chat.Update{u})
	return errors.Join(err, t.inbox.SetAside(u.ID, why.Error()))
}

// takeBatch handles those of a batch that are new. What an update means is stored by whoever
// handles it, so that one commit lies between a tap and what it leads to; what nobody stored
// then goes into the inbox. With an error, which is the inbox's, the batch must not be confirmed.
func (t *intake) takeBatch(batch []chat.Update) error {
	fresh, err := t.inbox.Fresh(batch)
	if err == nil {
		err = t.take(fresh)
	}
	if err == nil {
		_, err = t.inbox.Put(batch)
	}
	return err
}
