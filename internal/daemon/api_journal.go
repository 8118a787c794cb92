package daemon

import (
	"encoding/json"
	"errors"
	"net/http"

	"hermes/internal/api"
	"hermes/pending"
)

// getJournal answers GET /v1/journal, with one JSON object a line: with ?wait=30s as
// soon as there is one, or the time is over. What it cannot read is reported in a last
// line, {"error":"a sentence"}. An answer that was cut off is one whose last chunk is
// missing.
func (d *Daemon) getJournal(w http.ResponseWriter, r *http.Request) {
	pick, wait, fault := api.ReadEntryFilter(r.URL.Query())
	if fault != "" {
		api.Refuse(w, http.StatusBadRequest, fault)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	lines := json.NewEncoder(w)
	err := d.counted.grown.Await(r.Context(), wait, func() (found bool, err error) {
		err = api.EachEntry(r.Context(), d.Store, &pick, func(e api.Entry) error {
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
		d.log.Error("the journal could not be told", "err", err)
		panic(http.ErrAbortHandler)
	}
}

// verifyJournal answers GET /v1/journal/verify.
func (d *Daemon) verifyJournal(*http.Request) (any, error) { return api.CheckChain(d.Store) }
