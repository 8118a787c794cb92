package daemon

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"hermes/internal/api"
	"hermes/internal/broadcast"
	"hermes/pending"
)

// journalAPI serves the audit journal: /v1/journal.
type journalAPI struct {
	store *pending.Store
	grown *broadcast.Broadcast // rung when the journal has grown
	log   *slog.Logger
}

func (a journalAPI) addTo(routes map[string]http.Handler) {
	routes["GET /v1/journal"] = http.HandlerFunc(a.getJournal)
	routes["GET /v1/journal/verify"] = http.HandlerFunc(a.verifyJournal)
}

// getJournal answers GET /v1/journal, with one JSON object a line: with ?wait=30s as
// soon as there is one, or the time is over. What it cannot read is reported in a last
// line, {"error":"a sentence"}. An answer that was cut off is one whose last chunk is
// missing.
func (a journalAPI) getJournal(w http.ResponseWriter, r *http.Request) {
	pick, wait, fault := api.ReadEntryFilter(r.URL.Query())
	if fault != "" {
		api.Refuse(w, http.StatusBadRequest, fault)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	lines := json.NewEncoder(w)
	err := a.grown.Await(r.Context(), wait, func() (found bool, err error) {
		err = api.EachEntry(r.Context(), a.store, &pick, func(e api.Entry) error {
			found = true
			return lines.Encode(e)
		})
		return found, err
	})
	var broken *pending.Broken
	switch {
	case err == nil || r.Context().Err() != nil:
	case errors.As(err, &broken):
		_ = lines.Encode(map[string]string{"error": broken.Error()})
	default:
		a.log.Error("the journal could not be told", "err", err)
		panic(http.ErrAbortHandler)
	}
}

// verifyJournal answers GET /v1/journal/verify.
func (a journalAPI) verifyJournal(w http.ResponseWriter, _ *http.Request) {
	chain, err := api.CheckChain(a.store)
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	api.Reply(w, http.StatusOK, chain)
}
