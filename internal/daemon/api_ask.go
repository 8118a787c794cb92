package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"hermes/bridge"
	"hermes/internal/api"
	"hermes/internal/ask"
	"hermes/internal/event"
	"hermes/internal/question"
)

// askAPI serves the asks of other programs: /v1/ask.
type askAPI struct {
	bridge *bridge.Bridge
	asks   *ask.Service
	log    *slog.Logger
}

func (a askAPI) addTo(routes map[string]http.Handler) {
	routes["POST /v1/ask"] = http.HandlerFunc(a.postAsk)
	routes["GET /v1/ask/{id}"] = http.HandlerFunc(a.getAsk)
	routes["DELETE /v1/ask/{id}"] = http.HandlerFunc(a.deleteAsk)
}

// postAsk takes an ask. 202 says that it is stored, and will be shown.
func (a askAPI) postAsk(w http.ResponseWriter, r *http.Request) {
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
	wanted, err := ask.Parse(body)
	if err == nil {
		err = a.mayUse(r.Context(), wanted.Terms.Cards)
	}
	if err != nil {
		api.Refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	a.submitOnce(w, r, wanted)
}

// submitOnce stores the ask, unless its key says that it is stored already.
func (a askAPI) submitOnce(w http.ResponseWriter, r *http.Request, wanted event.Ask) {
	id := a.asks.Submit(wanted)
	switch t, err := a.bridge.Request(r.Context(), ask.Origin(""), id); {
	case err != nil:
		a.log.Error("an ask could not be kept", "err", err)
		api.Refuse(w, http.StatusInternalServerError, "hermes could not keep that; its log says why")
	case t.Request.Digest != wanted.Request.Digest:
		api.Refuse(w, http.StatusConflict, "idempotency_key: another ask has it already")
	default:
		api.Reply(w, http.StatusAccepted, map[string]question.RequestID{"id": id})
	}
}

// mayUse fails with a *ask.Fault for the first chat that hermes does not use.
func (a askAPI) mayUse(ctx context.Context, chats []question.Card) error {
	for n, c := range chats {
		if ok, err := a.bridge.Reaches(ctx, c); err != nil || !ok {
			return &ask.Fault{Path: fmt.Sprintf("chats[%d]", n), Reason: "is none of the chats that hermes asks in"}
		}
	}
	return nil
}

// getAsk tells what became of an ask, at once or, with ?wait=30s, when it has ended or
// the time is over.
func (a askAPI) getAsk(w http.ResponseWriter, r *http.Request) {
	wait, fault := api.ReadWait(r.URL.Query())
	if fault != "" {
		api.Refuse(w, http.StatusBadRequest, fault)
		return
	}
	a.tellAsk(w, r, wait)
}

// tellAsk answers with the state of an ask, as soon as it has ended or wait is over.
func (a askAPI) tellAsk(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	t, err := a.thread(r)
	if err == nil && wait > 0 && !t.Settled() {
		a.asks.Wait(r.Context(), wait, func() bool {
			t, err = a.thread(r)
			return err != nil || t.Settled()
		})
	}
	if err != nil {
		a.failAsk(w, err)
		return
	}
	api.Reply(w, http.StatusOK, ask.ResultOf(t))
}

// deleteAsk withdraws an ask: it is dismissed by the asker, which is stored, shown and
// journalled like any answer over the API. What was answered before stays answered.
func (a askAPI) deleteAsk(w http.ResponseWriter, r *http.Request) {
	t, err := a.thread(r)
	if err == nil {
		err = a.bridge.Withdraw(context.WithoutCancel(r.Context()), t.ID)
	}
	if errors.Is(err, bridge.ErrSettled) {
		if now, lost := a.thread(r); lost == nil && wasWithdrawn(now) {
			err = nil // once more is no mistake
		}
	}
	if err != nil {
		a.failAsk(w, err)
		return
	}
	a.tellAsk(w, r, api.Withdraw)
}

// wasWithdrawn reports whether the ask was, or is being, ended without an answer.
func wasWithdrawn(t question.Thread) bool {
	return t.Decision != nil && t.Decision.Reject || t.Outcome != nil && ask.ResultOf(t).Status == ask.Aborted
}

// thread is the thread of the ask that the path names.
func (a askAPI) thread(r *http.Request) (question.Thread, error) {
	t, err := a.bridge.Request(r.Context(), ask.Origin(""), question.RequestID(r.PathValue("id")))
	if err == nil && !ask.Owns(t) {
		err = bridge.ErrUnknown
	}
	return t, err
}

// failAsk is refuseError in the words of asks.
func (a askAPI) failAsk(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, bridge.ErrUnknown):
		api.Refuse(w, http.StatusNotFound, "no such ask; one that has ended is kept for seven days")
	case errors.Is(err, bridge.ErrSettled):
		api.Refuse(w, http.StatusConflict, "it was answered before; GET tells how")
	default:
		refuseError(w, a.log, err)
	}
}
