package standby

import (
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"
)

// mostConns is how many connections a standby has at once. None is long: one more waits until another one ends.
const mostConns = 128

// newServer answers GET /healthz with 200, /readyz with 503 and why, /metrics with how this hermes stands, and all else with 503 and who acts.
// It keeps no connection: at the next request of a client this hermes may act.
func (p *Process) newServer() *http.Server {
	s := &http.Server{
		Handler: p.routes(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10,
		TLSConfig: p.TLS, ErrorLog: slog.NewLogLogger(p.Log.Handler(), slog.LevelDebug),
	}
	s.SetKeepAlivesEnabled(false)
	return s
}

// serve takes requests until the server is closed.
func serve(s *http.Server, l net.Listener) {
	l = netutil.LimitListener(l, mostConns)
	if s.TLSConfig != nil {
		_ = s.ServeTLS(l, "", "")
		return
	}
	_ = s.Serve(l)
}

func (p *Process) routes() http.Handler {
	registry := prometheus.NewRegistry()
	AddMetrics(registry, func() Standing { return p.seen.standing(time.Now()) })
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "not ready: "+p.seen.reason(), http.StatusServiceUnavailable)
	})
	mux.Handle("GET /metrics", p.Guard(promhttp.HandlerFor(registry, promhttp.HandlerOpts{})))
	mux.HandleFunc("/", p.refuse)
	return mux
}

// refuse sends a client on, which knows the addresses of all hermes itself.
func (p *Process) refuse(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
	_ = json.NewEncoder(w).Encode(Reply{Error: p.seen.reason(), Standby: true, Acting: p.seen.address()}) // the caller is gone if this fails
}
