package daemon

import (
	"context"
	"net/http"
	"runtime/pprof"
	"time"

	"hermes/internal/api"
)

// cpuProfileFor is how long GET /v1/profile/cpu looks.
const cpuProfileFor = 10 * time.Second

// profileAPI serves profiles until ending is closed.
type profileAPI struct{ ending <-chan struct{} }

// getProfile answers GET /v1/profile/{name} with what go tool pprof reads: cpu, or one of the runtime's
// profiles. Like a backup it is for this machine alone. It holds names of functions, and no values.
func (a profileAPI) getProfile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	known := pprof.Lookup(name)
	switch {
	case !isLocal(r):
		api.Refuse(w, http.StatusForbidden, "profiles are given to this machine alone")
	case name == "cpu":
		a.profileCPU(r.Context(), w)
	case known == nil:
		api.Refuse(w, http.StatusNotFound, "there is no such profile; there are cpu, heap, allocs, goroutine, mutex, block and threadcreate")
	default:
		w.Header().Set("Content-Type", "application/octet-stream")
		_ = known.WriteTo(w, 0) // who asked has gone
	}
}

// profileCPU looks for as long as that takes. A stop ends it, with what it has until then.
func (a profileAPI) profileCPU(ctx context.Context, w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/octet-stream")
	if err := pprof.StartCPUProfile(w); err != nil {
		api.Refuse(w, http.StatusConflict, "another one is being made; try again in ten seconds")
		return
	}
	defer pprof.StopCPUProfile()
	select {
	case <-time.After(cpuProfileFor):
	case <-ctx.Done():
	case <-a.ending:
	}
}
