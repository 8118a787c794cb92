package daemon

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/net/netutil"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/opencode/link"
)

// listen opens the configured address.
func (d *Daemon) listen() (net.Listener, error) {
	if d.out.Listener != nil {
		return d.out.Listener, nil
	}
	return Listen(d.config)
}

// Listen opens the address of HERMES_LISTEN.
func Listen(c config.Config) (net.Listener, error) {
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, fmt.Errorf("HERMES_LISTEN: cannot listen there; if another program uses the port, set another one: %w", err)
	}
	return l, nil
}

// serve takes requests until the server is closed.
func (d *Daemon) serve(l net.Listener) error {
	l = netutil.LimitListener(l, d.connections.most)
	var err error
	if d.certificate != nil {
		d.HTTP.TLSConfig = &tls.Config{GetCertificate: d.certificate.ForHandshake}
		err = d.HTTP.ServeTLS(l, "", "")
	} else {
		err = d.HTTP.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("HERMES_LISTEN: %w", err)
}

// Endpoints are all methods and paths of the HTTP interface, each with who may call it. Telegram's webhook is none of them: its path is
// that of a URL in the configuration.
func (d *Daemon) Endpoints() map[string]api.Caller {
	all := map[string]api.Caller{}
	for pattern := range d.public() {
		all[pattern] = api.Anybody
	}
	for _, pattern := range link.Patterns() {
		all[pattern] = api.LinkHolder
	}
	for pattern := range d.Routes() {
		all[pattern] = api.TokenHolder
	}
	return all
}

// public are the paths that need no token.
func (d *Daemon) public() map[string]http.Handler {
	return map[string]http.Handler{
		"GET /healthz":             http.HandlerFunc(d.health().serveHealthz),
		"GET /readyz":              http.HandlerFunc(d.health().serveReadyz),
		"POST " + api.ExchangePath: link.FromPrograms(newExchangeAPI(d)),
	}
}

// Routes are the paths of the HTTP interface that need the API's token.
func (d *Daemon) Routes() map[string]http.Handler {
	routes := map[string]http.Handler{
		"GET /v1/status": http.HandlerFunc(statusAPI{
			health: d.health(), store: d.Store, token: d.token, heartbeat: &d.heartbeat, links: d.links, servers: d.config.OpenCodeURLs,
			running:  runningState{d.started, d.Rules, d.backups, d.Bridge.Open, d.Bot.Held},
			linksMax: maxLinks(d.connections.most), lease: d.leaseStatus,
		}.getStatus),
		"POST /v1/reload": http.HandlerFunc(d.reloader.postReload),
		"GET /v1/backup":  http.HandlerFunc(backupAPI{d.Store, d.log, &d.copying}.getBackup),
		"GET /metrics":    d.metrics.handler(),

		"GET /v1/openapi.json": http.HandlerFunc(api.ServeOpenAPI),
	}
	questionAPI{d.Bridge, d.Store, d.links, d.log}.addTo(routes)
	askAPI{d.Bridge, d.asks, d.log}.addTo(routes)
	journalAPI{d.Store, d.counted.grown, d.log}.addTo(routes)
	pairingAPI{d.Bridge, d.Bot, d.log}.addTo(routes)
	linkAPI{d.links, d.Bridge, d.Gateway, d.Rules, d.counted, d.log}.addTo(routes)
	return routes
}

func (d *Daemon) health() health { return health{d.Bridge, d.Bot, d.Gateway, d.out.Turn} }

// Alive reports whether the bridge's loop answers within two seconds.
func (d *Daemon) Alive(ctx context.Context) bool { return d.health().isAlive(ctx) }

// newServer is the HTTP interface. Health needs no token and says nothing that is
// not for everybody; the token of a link opens the paths of links alone; Telegram's webhook
// has a secret of its own.
func (d *Daemon) newServer(token secret.Text) *http.Server {
	access := link.Access{API: token, Link: d.links.find}
	mux, private := http.NewServeMux(), http.NewServeMux()
	for pattern, handler := range d.public() {
		mux.Handle(pattern, handler)
	}
	for pattern, handler := range d.Routes() {
		private.Handle(pattern, handler)
	}
	links, guarded := access.GuardLinks(d.Gateway.Handler()), access.Guard(private)
	mux.Handle("/v1/link", links)
	mux.Handle("/v1/link/", links)
	mux.Handle("/v1/", guarded)
	mux.Handle("GET /metrics", guarded)
	return &http.Server{
		Handler: d.withWebhook(mux), ConnState: d.connections.note, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(d.log.Handler(), slog.LevelDebug),
	}
}

// withWebhook puts Telegram's webhook before everything else, at its path to the
// letter: in a pattern of http.ServeMux, braces and double slashes mean something.
func (d *Daemon) withWebhook(others http.Handler) http.Handler {
	path := webhookPath(d.config.TelegramWebhookURL)
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

// webhookPath is where Telegram's updates come in: the path of the public URL.
func webhookPath(webhook string) string {
	u, err := url.Parse(webhook)
	if err != nil || webhook == "" {
		return ""
	}
	if u.Path == "" {
		return "/"
	}
	return u.Path
}
