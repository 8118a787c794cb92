package telegram

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"path"
	"strings"
	"sync/atomic"
	"time"
)

// maxAnswer bounds an answer. The Bot API cuts getUpdates at 4 MiB.
const maxAnswer = 16 << 20

// client is the one seam to the network: every call to the Bot API goes through
// Do, every download through download, and every failure comes out of them as an
// *Error without the token.
type client struct {
	http   *http.Client
	root   func(method string) string
	files  func(path string) string // where a file is downloaded; the path is escaped
	folder string                   // of a local Bot API server's files, within any path; empty: it is Telegram's
	redact func(string) string
}

func newClient(c Config) *client {
	transport := c.Transport
	if transport == nil {
		transport = newTransport(c.Proxy.Reveal())
	}
	token := c.Token.Reveal()
	folder := ""
	if c.APIURL != publicRoot {
		folder = "/" + token + "/"
	}
	return &client{
		folder: folder,
		// A redirect would carry the token to wherever it leads.
		http: &http.Client{Transport: observed{transport, c.Called}, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
		root:   func(method string) string { return c.APIURL + "/bot" + token + "/" + method },
		files:  func(path string) string { return c.APIURL + "/file/bot" + token + "/" + path },
		redact: redactor(token, c.Webhook.Secret.Reveal()),
	}
}

func newTransport(proxy string) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	// A connection that died silently would stall the poll and every send.
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second}
	if proxy != "" {
		u, _ := url.Parse(proxy) // checked by Config.complete
		t.Proxy = http.ProxyURL(u)
	}
	return t
}

// redactor returns a function that takes the secrets out of a text, as they are
// and as URLs spell them.
func redactor(secrets ...string) func(string) string {
	var pairs []string
	for _, s := range secrets {
		if s == "" {
			continue
		}
		for _, form := range []string{s, url.PathEscape(s), url.QueryEscape(s)} {
			pairs = append(pairs, form, "***")
		}
		if _, key, ok := strings.Cut(s, ":"); ok {
			pairs = append(pairs, key, "***")
		}
	}
	return strings.NewReplacer(pairs...).Replace
}

// Do makes one attempt. An answer that is returned is a success with a JSON
// body, read to its end. The request's body is buffered, so that net/http can
// repeat a request of which nothing was written to a connection gone stale.
func (c *client) Do(req *http.Request) (*http.Response, error) {
	op := path.Base(req.URL.Path)
	req, seen, err := c.prepare(req)
	if err != nil {
		return nil, &Error{Op: op, Reason: Refused, Detail: c.redact(err.Error())}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.failed(op, err, seen.maySent(err))
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, c.failed(op, err, true)
	}
	if err := c.judge(op, resp, body); err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// progress is how far a request came, as the transport tells.
type progress struct{ traced, wrote atomic.Bool }

// maySent reports whether the server may have got the request. A transport that
// tells nothing leaves only the error: one in reaching the server proves not.
func (p *progress) maySent(err error) bool {
	if p.traced.Load() {
		return p.wrote.Load()
	}
	var op *net.OpError
	var dns *net.DNSError
	return !errors.As(err, &dns) && !(errors.As(err, &op) && op.Op == "dial")
}

// prepare buffers the body and watches whether anything of it is written.
func (c *client) prepare(req *http.Request) (*http.Request, *progress, error) {
	p := new(progress)
	trace := &httptrace.ClientTrace{
		GetConn:              func(string) { p.traced.Store(true) },
		WroteHeaders:         func() { p.wrote.Store(true) },
		GotFirstResponseByte: func() { p.wrote.Store(true) },
	}
	req = req.WithContext(httptrace.WithClientTrace(req.Context(), trace))
	if req.Body == nil {
		return req, p, nil
	}
	body, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return nil, nil, err
	}
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, err = req.GetBody()
	return req, p, err
}

// failed describes a call that got no whole answer.
func (c *client) failed(op string, err error, unknown bool) error {
	e := &Error{Op: op, Reason: Network, Unknown: unknown}
	for _, cause := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, cause) {
			e.cause = cause
		}
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // leaves out the URL
	}
	e.Detail = c.redact(err.Error())
	return e
}
