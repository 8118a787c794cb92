package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"hermes/bridge"
	"hermes/internal/api"
	"hermes/internal/ask"
	"hermes/internal/question"
)

// postAsk takes an ask of another program: it is stored, unless its key says that it is stored already, and will be shown.
func (d *Daemon) postAsk(r *http.Request) (any, error) {
	body, err := io.ReadAll(r.Body)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, refused(http.StatusRequestEntityTooLarge, "the body is larger than 1 MiB")
	case err != nil:
		return nil, refused(http.StatusBadRequest, "the body could not be read to its end")
	}
	wanted, err := ask.Parse(body)
	if err == nil {
		err = d.mayUse(r.Context(), wanted.Terms.Cards)
	}
	if err != nil {
		return nil, refused(http.StatusBadRequest, err.Error())
	}
	id := d.asks.Submit(wanted)
	switch t, err := d.Bridge.Request(r.Context(), ask.Origin(""), id); {
	case err != nil:
		d.log.Error("an ask could not be kept", "err", err)
		return nil, refused(http.StatusInternalServerError, "hermes could not keep that; its log says why")
	case t.Request.Digest != wanted.Request.Digest:
		return nil, refused(http.StatusConflict, "idempotency_key: another ask has it already")
	}
	return map[string]question.RequestID{"id": id}, nil
}

// mayUse fails with a *ask.Fault for the first chat that hermes does not use.
func (d *Daemon) mayUse(ctx context.Context, chats []question.Card) error {
	for n, c := range chats {
		if ok, err := d.Bridge.Reaches(ctx, c); err != nil || !ok {
			return &ask.Fault{Path: fmt.Sprintf("chats[%d]", n), Reason: "is none of the chats that hermes asks in"}
		}
	}
	return nil
}

// getAsk tells what became of an ask, at once or, with ?wait=30s, when it has ended or
// the time is over.
func (d *Daemon) getAsk(r *http.Request) (any, error) {
	wait, fault := api.ReadWait(r.URL.Query())
	if fault != "" {
		return nil, refused(http.StatusBadRequest, fault)
	}
	return d.askResult(r, wait)
}

// askResult is the state of an ask, as soon as it has ended or wait is over.
func (d *Daemon) askResult(r *http.Request, wait time.Duration) (any, error) {
	t, err := d.askThread(r)
	if err == nil && wait > 0 && !t.Settled() {
		d.asks.Wait(r.Context(), wait, func() bool {
			t, err = d.askThread(r)
			return err != nil || t.Settled()
		})
	}
	if err != nil {
		return nil, err
	}
	return ask.ResultOf(t), nil
}

// deleteAsk withdraws an ask: it is dismissed by the asker, which is stored, shown and
// journalled like any answer over the API. What was answered before stays answered.
func (d *Daemon) deleteAsk(r *http.Request) (any, error) {
	t, err := d.askThread(r)
	if err == nil {
		err = d.Bridge.Withdraw(context.WithoutCancel(r.Context()), t.ID)
	}
	if errors.Is(err, bridge.ErrSettled) {
		now, lost := d.askThread(r)
		if lost != nil || !wasWithdrawn(now) {
			return nil, refused(http.StatusConflict, "it was answered before; GET tells how")
		}
		err = nil // once more is no mistake
	}
	if err != nil {
		return nil, err
	}
	return d.askResult(r, api.Withdraw)
}

// wasWithdrawn reports whether the ask was, or is being, ended without an answer.
func wasWithdrawn(t question.Thread) bool {
	return t.Decision != nil && t.Decision.Reject || t.Outcome != nil && ask.ResultOf(t).Status == ask.Aborted
}

// askThread is the thread of the ask that the path names.
func (d *Daemon) askThread(r *http.Request) (question.Thread, error) {
	t, err := d.Bridge.Request(r.Context(), ask.Origin(""), question.RequestID(r.PathValue("id")))
	if errors.Is(err, bridge.ErrUnknown) || err == nil && !ask.Owns(t) {
		err = refused(http.StatusNotFound, "no such ask; one that has ended is kept for seven days")
	}
	return t, err
}
