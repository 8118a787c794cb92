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
	"hermes/internal/event"
	"hermes/internal/question"
)

// postAsk takes an ask. 202 says that it is stored, and will be shown.
func (d *Daemon) postAsk(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, api.MaxAsk))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		api.Refuse(w, http.StatusRequestEntityTooLarge, "the body is larger than 1 MiB")
		return
	case err != nil:
		api.Refuse(w, http.StatusBadRequest, "the body could not be read to its end")
		return
	}
	a, err := ask.Parse(body)
	if err == nil {
		err = d.mayUse(r.Context(), a.Terms.Cards)
	}
	if err != nil {
		api.Refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	d.submit(w, r, a)
}

// submit stores the ask, unless its key says that it is stored already.
func (d *Daemon) submit(w http.ResponseWriter, r *http.Request, a event.Ask) {
	id := d.asks.Submit(a)
	switch t, err := d.Bridge.Request(r.Context(), ask.Origin(""), id); {
	case err != nil:
		d.log.Error("an ask could not be kept", "err", err)
		api.Refuse(w, http.StatusInternalServerError, "hermes could not keep that; its log says why")
	case t.Request.Digest != a.Request.Digest:
		api.Refuse(w, http.StatusConflict, "idempotency_key: another ask has it already")
	default:
		api.Reply(w, http.StatusAccepted, map[string]question.RequestID{"id": id})
	}
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
func (d *Daemon) getAsk(w http.ResponseWriter, r *http.Request) {
	wait, fault := api.ReadWait(r.URL.Query())
	if fault != "" {
		api.Refuse(w, http.StatusBadRequest, fault)
		return
	}
	d.tellAsk(w, r, wait)
}

func (d *Daemon) tellAsk(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	t, err := d.ask(r)
	if err == nil && wait > 0 && !t.Settled() {
		d.asks.Wait(r.Context(), wait, func() bool {
			t, err = d.ask(r)
			return err != nil || t.Settled()
		})
	}
	if err != nil {
		d.failAsk(w, err)
		return
	}
	api.Reply(w, http.StatusOK, ask.ResultOf(t))
}

// deleteAsk withdraws an ask: it is dismissed by the asker, which is stored, shown and
// journalled like any answer over the API. What was answered before stays answered.
func (d *Daemon) deleteAsk(w http.ResponseWriter, r *http.Request) {
	t, err := d.ask(r)
	if err == nil {
		err = d.Bridge.Withdraw(context.WithoutCancel(r.Context()), t.ID)
	}
	if errors.Is(err, bridge.ErrSettled) {
		if now, lost := d.ask(r); lost == nil && withdrawn(now) {
			err = nil // once more is no mistake
		}
	}
	if err != nil {
		d.failAsk(w, err)
		return
	}
	d.tellAsk(w, r, api.Withdraw)
}

// withdrawn reports whether the ask was, or is being, ended without an answer.
func withdrawn(t question.Thread) bool {
	return t.Decision != nil && t.Decision.Reject || t.Outcome != nil && ask.ResultOf(t).Status == ask.Aborted
}

// ask is the thread of the ask that the path names.
func (d *Daemon) ask(r *http.Request) (question.Thread, error) {
	t, err := d.Bridge.Request(r.Context(), ask.Origin(""), question.RequestID(r.PathValue("id")))
	if err == nil && !ask.Owns(t) {
		err = bridge.ErrUnknown
	}
	return t, err
}

func (d *Daemon) failAsk(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, bridge.ErrUnknown):
		api.Refuse(w, http.StatusNotFound, "no such ask; one that has ended is kept for seven days")
	case errors.Is(err, bridge.ErrSettled):
		api.Refuse(w, http.StatusConflict, "it was answered before; GET tells how")
	default:
		d.fail(w, err)
	}
}
