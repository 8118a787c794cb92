package daemon

import (
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"hermes/internal/api"
	"hermes/opencode/link"
	"hermes/pending"
)

// backupWithin is how long a backup may take over HTTP. Meanwhile the database reuses no pages.
const backupWithin = 10 * time.Minute

// backupAPI serves a copy of the database: GET /v1/backup.
type backupAPI struct {
	store *pending.Store
	log   *slog.Logger
	busy  *sync.Mutex // one at a time
}

// getBackup answers GET /v1/backup with the file as of one moment. It is for this machine alone:
// whoever has the copy has all questions and answers, beyond what the API's token tells. A copy that
// was cut off is shorter than its Content-Length.
func (a backupAPI) getBackup(w http.ResponseWriter, r *http.Request) {
	if !link.IsLocal(r) {
		api.Refuse(w, http.StatusForbidden, "a backup is given to this machine alone: run hermes backup where hermes runs")
		return
	}
	if !a.busy.TryLock() {
		api.Refuse(w, http.StatusConflict, "another backup is being made; try again when it is done")
		return
	}
	defer a.busy.Unlock()
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(backupWithin))
	err := a.store.Backup(w, func(size int64) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	})
	if err != nil {
		a.log.Error("a backup could not be sent", "err", err)
		panic(http.ErrAbortHandler)
	}
}
