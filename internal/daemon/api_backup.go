package daemon

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"hermes/internal/api"
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
	if !isLocal(r) {
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

// isLocal reports whether a request comes from this machine, and not by way of a proxy on it.
func isLocal(r *http.Request) bool {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	addr := from.Addr().Unmap()
	return addr.IsLoopback() || addr == reachedAt(r)
}

// reachedAt is the address of this machine at which a request came in. Only this machine has it, so one that also comes from there is
// of this machine: of hermes backup, where HERMES_LISTEN is one address.
func reachedAt(r *http.Request) netip.Addr {
	if to, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		return to.AddrPort().Addr().Unmap()
	}
	return netip.Addr{}
}
