package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"hermes/bridge"
	"hermes/internal/ask"
	"hermes/internal/question"
)

const (
	maxAsk   = 1 << 20          // bytes of the body of an ask
	maxWait  = 50 * time.Second // how long a poll is held at most; the server reads for a minute
	withdraw = 5 * time.Second  // how long a withdrawal waits for its end to be stored
)

// postAsk takes an ask. 202 says that it is stored, and will be shown.
func (d *daemon) postAsk(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxAsk))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(w, http.StatusRequestEntityTooLarge, "the body is larger than 1 MiB")
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body could not be read to its end")
		return
	}
	a, err := ask.Parse(body)
	if err == nil {
		err = d.mayUse(r.Context(), a.Terms.Cards)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	d.submit(w, r, a)
}

// submit stores the ask, unless its key says that it is stored already.
func (d *daemon) submit(w http.ResponseWriter, r *http.Request, a question.Ask) {
	id := d.asks.Submit(a)
	switch t, err := d.bridge.Request(r.Context(), ask.Origin(""), id); {
	case err != nil:
		d.log.Error("an ask could not be kept", "err", err)
		refuse(w, http.StatusInternalServerError, "hermes could not keep that; its log says why")
	case t.Request.Digest != a.Request.Digest:
		refuse(w, http.StatusConflict, "idempotency_key: another ask has it already")
	default:
		reply(w, http.StatusAccepted, map[string]question.RequestID{"id": id})
	}
}

// mayUse fails with a *ask.Fault for the first chat that hermes does not use.
func (d *daemon) mayUse(ctx context.Context, chats []question.Card) error {
	for n, c := range chats {
		if ok, err := d.bridge.Reaches(ctx, c); err != nil || !ok {
			return &ask.Fault{Path: fmt.Sprintf("chats[%d]", n), Reason: "is none of the chats that hermes asks in"}
		}
	}
	return nil
}

// getAsk tells what became of an ask, at once or, with ?wait=30s, when it has ended or
// the time is over.
func (d *daemon) getAsk(w http.ResponseWriter, r *http.Request) {
	wait, fault := readWait(r.URL.Query())
	if fault != "" {
		refuse(w, http.StatusBadRequest, fault)
		return
	}
	d.tellAsk(w, r, wait)
}

// readWait is how long a poll is to be held, at most maxWait; 0 for not at all.
func readWait(q url.Values) (wait time.Duration, fault string) {
	if given := q.Get("wait"); given != "" {
		var err error
		if wait, err = time.ParseDuration(given); err != nil || wait < 0 {
			return 0, "wait: must be a duration like 30s"
		}
	}
	return min(wait, maxWait), ""
}

func (d *daemon) tellAsk(w http.ResponseWriter, r *http.Request, wait time.Duration) {
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
	reply(w, http.StatusOK, ask.ResultOf(t))
}

// deleteAsk withdraws an ask: it is dismissed by the asker, which is stored, shown and
// journalled like any answer over the API. What was answered before stays answered.
func (d *daemon) deleteAsk(w http.ResponseWriter, r *http.Request) {
	t, err := d.ask(r)
	if err == nil {
		err = d.bridge.Withdraw(context.WithoutCancel(r.Context()), t.ID)
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
	d.tellAsk(w, r, withdraw)
}

// withdrawn reports whether the ask was, or is being, ended without an answer.
func withdrawn(t question.Thread) bool {
	return t.Decision != nil && t.Decision.Reject || t.Outcome != nil && ask.ResultOf(t).Status == ask.Aborted
}

// ask is the thread of the ask that the path names.
func (d *daemon) ask(r *http.Request) (question.Thread, error) {
	t, err := d.bridge.Request(r.Context(), ask.Origin(""), question.RequestID(r.PathValue("id")))
	if err == nil && !ask.Owns(t) {
		err = bridge.ErrUnknown
	}
	return t, err
}

func (d *daemon) failAsk(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, bridge.ErrUnknown):
		refuse(w, http.StatusNotFound, "no such ask; one that has ended is kept for seven days")
	case errors.Is(err, bridge.ErrSettled):
		refuse(w, http.StatusConflict, "it was answered before; GET tells how")
	default:
		d.fail(w, err)
	}
}
