package updates

import (
	"context"
	"errors"
	"log/slog"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/telegram/botapi"
)

// intake decodes updates and hands them on.
type intake struct {
	inbox  Inbox
	bot    chat.UserID
	name   *ownName
	handle func(context.Context, inbound.Input)
	calls  context.Context
	log    *slog.Logger
	redact func(string) string
}

// take decodes and handles updates one by one, each alone.
func (t *intake) take(updates []chat.Update) {
	for _, u := range updates {
		in, err := Decode(u, t.bot)
		if err != nil {
			t.setAside(u, err)
			continue
		}
		if t.name.isForAnother(in) {
			in.Command = ""
		}
		t.handle(t.calls, in)
	}
}

// setAside moves an update that cannot be read out of the way.
func (t *intake) setAside(u chat.Update, why error) {
	t.log.Error("an update is set aside", "update", u.ID, "err", t.redact(why.Error()))
	_, err := t.inbox.Put([]chat.Update{u})
	if err := errors.Join(err, t.inbox.SetAside(u.ID, why.Error())); err != nil {
		t.log.Error("an update cannot be set aside", "update", u.ID, "err", t.redact(err.Error()))
	}
}

// takeBatch handles those of a batch that are new. What an update means is stored by whoever
// handles it, so that one commit lies between a tap and what it leads to; what nobody stored
// then goes into the inbox.
func (t *intake) takeBatch(batch []chat.Update) error {
	fresh, err := t.inbox.Fresh(batch)
	if err != nil {
		return err
	}
	t.take(fresh)
	_, err = t.inbox.Put(batch)
	return err
}

// storeError is a failure of the inbox.
func (t *intake) storeError(err error) *botapi.Error {
	return &botapi.Error{Op: "inbox", Reason: botapi.Store, Detail: t.redact(err.Error())}
}
