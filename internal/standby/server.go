package standby

import (
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hermes/internal/api"
	"hermes/internal/daemon"
	"hermes/internal/database"
	"hermes/internal/failover"
	"hermes/opencode/link"
)

// server is what a standby answers with.
type server struct {
	http *http.Server
	tls  bool
}

// newServer answers GET /healthz with 200, /readyz with 503 and why, /metrics with how this hermes stands, and all else with 503 and who acts.
// It keeps no connection: at the next request of a client this hermes may act.
func (p *Process) newServer() (*server, error) {
	pair, err := daemon.LoadCertificate(p.Config)
	if err != nil {
		return nil, err
	}
	s := &server{http: &http.Server{
		Handler: p.routes(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(p.Log.Handler(), slog.LevelDebug),
	}}
	s.http.SetKeepAlivesEnabled(false)
	if pair != nil {
		s.tls, s.http.TLSConfig = true, &tls.Config{GetCertificate: pair.ForHandshake}
	}
	return s, nil
}

func (p *Process) routes() http.Handler {
	registry := prometheus.NewRegistry()
	database.AddMetrics(registry, func() database.Standing { return p.seen.standing(time.Now()) })
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "not ready: "+p.seen.reason(), http.StatusServiceUnavailable)
	})
	mux.Handle("GET /metrics", link.Access{API: p.Token}.Guard(promhttp.HandlerFor(registry, promhttp.HandlerOpts{})))
	mux.HandleFunc("/", p.refuse)
	return mux
}

// refuse sends a client on, which knows the addresses of all hermes itself.
func (p *Process) refuse(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Retry-After", "1")
	api.Reply(w, http.StatusServiceUnavailable, failover.Reply{Error: p.seen.reason(), Standby: true, Acting: p.seen.address()})
}

// serve takes requests until the server is closed.
func (s *server) serve(l net.Listener) error {
	if s.tls {
		return s.http.ServeTLS(l, "", "")
	}
	return s.http.Serve(l)
}

func (s *server) close() { _ = s.http.Close() }
