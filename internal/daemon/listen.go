package daemon

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"hermes/internal/secret"
	"hermes/opencode/link"
)

// listen opens the configured address.
func (d *Daemon) listen() (net.Listener, error) {
	if d.out.Listener != nil {
		return d.out.Listener, nil
	}
	l, err := net.Listen("tcp", d.config.Listen)
	if err != nil {
		return nil, fmt.Errorf("HERMES_LISTEN: cannot listen there; if another program uses the port, set another one: %w", err)
	}
	return l, nil
}

// serve takes requests until the server is closed.
func (d *Daemon) serve(l net.Listener) error {
	l = d.connections.bound(l)
	var err error
	if d.config.TLSCert != "" {
		err = d.HTTP.ServeTLS(l, d.config.TLSCert, d.config.TLSKey)
	} else {
		err = d.HTTP.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("HERMES_LISTEN: %w", err)
}

// Routes are the paths of the HTTP interface that need the API's token.
func (d *Daemon) Routes() map[string]http.Handler {
	return map[string]http.Handler{
		"GET /v1/status":          http.HandlerFunc(d.getStatus),
		"POST /v1/reload":         http.HandlerFunc(d.postReload),
		"GET /v1/questions":       http.HandlerFunc(d.listQuestions),
		"GET /v1/questions/{id}":  http.HandlerFunc(d.getQuestion),
		"POST /v1/questions/{id}": http.HandlerFunc(d.answerQuestion),
		"POST /v1/ask":            http.HandlerFunc(d.postAsk),
		"GET /v1/ask/{id}":        http.HandlerFunc(d.getAsk),
		"DELETE /v1/ask/{id}":     http.HandlerFunc(d.deleteAsk),
		"GET /v1/journal":         http.HandlerFunc(d.getJournal),
		"GET /v1/journal/verify":  http.HandlerFunc(d.verifyJournal),
		"POST /v1/pair":           http.HandlerFunc(d.makeInvitation),
		"GET /v1/pair":            http.HandlerFunc(d.listPairings),
		"DELETE /v1/pair/{id}":    http.HandlerFunc(d.removePairing),
		"POST /v1/links":          http.HandlerFunc(d.postLink),
		"GET /v1/links":           http.HandlerFunc(d.listLinks),
		"DELETE /v1/links/{name}": http.HandlerFunc(d.deleteLink),
		"GET /metrics":            d.metrics.handler(),
	}
}

// newServer is the HTTP interface. Health needs no token and says nothing that is
// not for everybody; the token of a link opens the paths of links alone; Telegram's webhook
// has a secret of its own.
func (d *Daemon) newServer(token secret.Text) *http.Server {
	access := link.Access{API: token, Link: d.links.name}
	mux, api := http.NewServeMux(), http.NewServeMux()
	mux.HandleFunc("GET /healthz", d.healthz)
	mux.HandleFunc("GET /readyz", d.readyz)
	for pattern, handler := range d.Routes() {
		api.Handle(pattern, handler)
	}
	links, guarded := access.GuardLinks(d.Gateway.Handler()), access.Guard(api)
	mux.Handle("/v1/link", links)
	mux.Handle("/v1/link/", links)
	mux.Handle("/v1/", guarded)
	mux.Handle("GET /metrics", guarded)
	return &http.Server{
		Handler: d.connections.watched(d.withWebhook(mux)), ConnContext: d.connections.context, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(d.log.Handler(), slog.LevelDebug),
	}
}

// withWebhook puts Telegram's webhook before everything else, at its path to the
// letter: in a pattern of http.ServeMux, braces and double slashes mean something.
func (d *Daemon) withWebhook(others http.Handler) http.Handler {
	path := d.webhookPath()
	if path == "" {
		return others
	}
	webhook := d.Bot.Webhook()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			webhook.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}
