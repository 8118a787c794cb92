package daemon

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"golang.org/x/net/netutil"

	"hermes/bridge"
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
		"GET /healthz":             http.HandlerFunc(d.serveHealthz),
		"GET /readyz":              http.HandlerFunc(d.serveReadyz),
		"POST " + api.ExchangePath: link.FromPrograms(http.MaxBytesHandler(d.reply(http.StatusOK, d.postExchange), maxExchange)),
	}
}

// Routes are the paths of the HTTP interface that need the API's token.
func (d *Daemon) Routes() map[string]http.Handler {
	routes := map[string]http.Handler{
		"POST /v1/ask":         d.reply(http.StatusAccepted, d.postAsk),
		"POST /v1/reload":      http.HandlerFunc(d.postReload),
		"GET /v1/backup":       http.HandlerFunc(d.getBackup),
		"GET /v1/journal":      http.HandlerFunc(d.getJournal),
		"GET /v1/openapi.json": http.HandlerFunc(api.ServeOpenAPI),
		"GET /metrics":         d.metrics.handler(),
	}
	for pattern, answer := range map[string]func(*http.Request) (any, error){
		"GET /v1/status":             d.getStatus,
		"GET /v1/questions":          d.listQuestions,
		"GET /v1/questions/{id}":     d.getQuestion,
		"POST /v1/questions/{id}":    d.answerQuestion,
		"GET /v1/ask/{id}":           d.getAsk,
		"DELETE /v1/ask/{id}":        d.deleteAsk,
		"GET /v1/journal/verify":     d.verifyJournal,
		"POST /v1/pair":              d.postInvitation,
		"GET /v1/pair":               d.listPairings,
		"DELETE /v1/pair/{id}":       d.deletePairing,
		"POST /v1/links":             d.postLink,
		"GET /v1/links":              d.listLinks,
		"DELETE /v1/links/{name}":    d.deleteLink,
		"PUT /v1/links/{name}/owner": d.putOwner,
		"PUT /v1/links/{name}/name":  d.putName,
	} {
		routes[pattern] = d.reply(http.StatusOK, answer)
	}
	return routes
}

// reply serves a JSON value, or the error that there is in its place.
func (d *Daemon) reply(status int, answer func(*http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		value, err := answer(r)
		if err != nil {
			d.refuse(w, err)
			return
		}
		api.Reply(w, status, value)
	})
}

// refusal is why a request is not served, in words for its caller.
type refusal struct {
	status   int
	sentence string
	after    time.Duration // when it may be tried again; 0: that is not said
}

func (r *refusal) Error() string { return r.sentence }

func refused(status int, sentence string) error { return &refusal{status: status, sentence: sentence} }

// decode reads a JSON value from the body, or says what that must be.
func decode(r *http.Request, into any, form string) error {
	if err := api.Decode(r.Body, into); err != nil {
		return refused(http.StatusBadRequest, "the body must be "+form)
	}
	return nil
}

// refuse answers with what is for callers: a refusal, or what the bridge said. The store's failures are not: they are in the log.
func (d *Daemon) refuse(w http.ResponseWriter, err error) {
	var r *refusal
	var invalid *bridge.Invalid
	switch {
	case errors.As(err, &r):
		if r.after > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(r.after.Seconds())))
		}
		api.Refuse(w, r.status, r.sentence)
		return
	case errors.As(err, &invalid):
		api.Refuse(w, http.StatusBadRequest, invalid.Error())
		return
	}
	for known, status := range map[error]int{
		bridge.ErrUnknown: http.StatusNotFound, bridge.ErrNotPaired: http.StatusNotFound,
		bridge.ErrSettled: http.StatusConflict, bridge.ErrLastPerson: http.StatusConflict,
		bridge.ErrPeople: http.StatusForbidden, bridge.ErrAdmission: http.StatusForbidden, bridge.ErrChat: http.StatusForbidden,
	} {
		if errors.Is(err, known) {
			api.Refuse(w, status, known.Error())
			return
		}
	}
	d.log.Error("a request failed", "err", err)
	api.Refuse(w, http.StatusInternalServerError, "hermes could not do that; its log says why")
}

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
	links, guarded := access.GuardLinks(d.Gateway.Handler()), access.Guard(http.MaxBytesHandler(private, api.MaxAsk))
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
