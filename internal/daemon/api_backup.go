package daemon

import (
	"net/http"
	"strconv"
	"time"

	"hermes/internal/api"
	"hermes/opencode/link"
)

// backupWithin is how long a backup may take over HTTP. Meanwhile the database reuses no pages.
const backupWithin = 10 * time.Minute

// getBackup answers GET /v1/backup with the file as of one moment. It is for this machine alone:
// whoever has the copy has all questions and answers, beyond what the API's token tells. A copy that
// was cut off is shorter than its Content-Length.
func (d *Daemon) getBackup(w http.ResponseWriter, r *http.Request) {
	if !link.IsLocal(r) {
		api.Refuse(w, http.StatusForbidden, "a backup is given to this machine alone: run hermes backup where hermes runs")
		return
	}
	if !d.copying.TryLock() {
		api.Refuse(w, http.StatusConflict, "another backup is being made; try again when it is done")
		return
	}
	defer d.copying.Unlock()
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(backupWithin))
	err := d.Store.Backup(w, func(size int64) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	})
	if err != nil {
		d.log.Error("a backup could not be sent", "err", err)
		panic(http.ErrAbortHandler)
	}
}
