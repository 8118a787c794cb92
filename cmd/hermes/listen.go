package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"hermes/opencode/link"
)

// listen opens the configured address.
func (d *daemon) listen() (net.Listener, error) {
	if d.out.listener != nil {
		return d.out.listener, nil
	}
	l, err := net.Listen("tcp", d.config.Listen)
	if err != nil {
		return nil, fmt.Errorf("HERMES_LISTEN: cannot listen there; if another program uses the port, set another one: %w", err)
	}
	return l, nil
}

// serve takes requests until the server is closed.
func (d *daemon) serve(l net.Listener) error {
	var err error
	if d.config.TLSCert != "" {
		err = d.http.ServeTLS(l, d.config.TLSCert, d.config.TLSKey)
	} else {
		err = d.http.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("HERMES_LISTEN: %w", err)
}

// newServer is the HTTP interface. Health needs no token and says nothing that is
// not for everybody; Telegram's webhook has a secret of its own.
func (d *daemon) newServer(token secret) *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", d.healthz)
	mux.HandleFunc("GET /readyz", d.readyz)
	api := http.NewServeMux()
	api.Handle("/v1/link", d.gateway.Handler())
	api.Handle("/v1/link/", d.gateway.Handler())
	api.HandleFunc("GET /v1/status", d.getStatus)
	api.HandleFunc("POST /v1/reload", d.postReload)
	api.HandleFunc("GET /v1/questions", d.listQuestions)
	api.HandleFunc("GET /v1/questions/{id}", d.getQuestion)
	api.HandleFunc("POST /v1/questions/{id}", d.answerQuestion)
	api.HandleFunc("POST /v1/ask", d.postAsk)
	api.HandleFunc("GET /v1/ask/{id}", d.getAsk)
	api.HandleFunc("DELETE /v1/ask/{id}", d.deleteAsk)
	api.HandleFunc("GET /v1/journal", d.getJournal)
	api.HandleFunc("POST /v1/pair", d.makeInvitation)
	api.HandleFunc("GET /v1/pair", d.listPairings)
	api.HandleFunc("DELETE /v1/pair/{id}", d.removePairing)
	api.HandleFunc("GET /v1/journal/verify", d.verifyJournal)
	api.Handle("GET /metrics", d.metrics.handler())
	guarded := link.Guard(token.Reveal(), api)
	mux.Handle("/v1/", guarded)
	mux.Handle("GET /metrics", guarded)
	return &http.Server{
		Handler: d.withWebhook(mux), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(d.log.Handler(), slog.LevelDebug),
	}
}

// withWebhook puts Telegram's webhook before everything else, at its path to the
// letter: in a pattern of http.ServeMux, braces and double slashes mean something.
func (d *daemon) withWebhook(others http.Handler) http.Handler {
	path := d.webhookPath()
	if path == "" {
		return others
	}
	webhook := d.bot.Webhook()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			webhook.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}
