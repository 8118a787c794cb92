package botapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"hermes/internal/chat"
	"hermes/internal/standby"
)

// maxAnswer bounds an answer, in bytes. The Bot API cuts getUpdates at 4 MiB.
const maxAnswer = 16 << 20

// wire is the one seam to the network: every call to the Bot API goes through
// Do, every download through download, and every failure comes out of them as an
// *Error without a secret.
type wire struct {
	http    *http.Client
	root    func(method string) string
	files   func(path string) string // where a file is downloaded; the path is escaped
	folders []string                 // of a self-hosted Bot API server's files, within any path, as it may be called; none: it is Telegram's
	redact  func(string) string
	timeout time.Duration // of a call; 0: as the context says
	clock   clock
	may     standby.May // nil: always
}

func newWire(c Config) *wire {
	transport := c.Transport
	if transport == nil {
		transport = newRenewed(func() *http.Transport { return newTransport(c.Proxy.Reveal(), c.May) })
	}
	token := c.Token.Reveal()
	var folders []string
	if c.Root != PublicRoot {
		folders = []string{"/" + token + "/", "/" + strings.Replace(token, ":", "~", 1) + "/"} // the latter on Windows (Client.cpp:7931-7937)
	}
	return &wire{
		folders: folders,
		// A redirect would carry the token to wherever it leads.
		http: &http.Client{Transport: observedTransport{transport, c.Called}, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
		root:    func(method string) string { return c.Root + "/bot" + token + "/" + method },
		files:   func(path string) string { return c.Root + "/file/bot" + token + "/" + path },
		redact:  newRedactor(c.Token, c.Secrets...),
		timeout: c.Timeout,
		may:     c.May,
	}
}

// Do makes one attempt, for the library. An answer that is returned is a success
// with a JSON body, of which only what hermes reads is left.
func (w *wire) Do(req *http.Request) (*http.Response, error) {
	op := path.Base(req.URL.Path)
	if w.timeout > 0 {
		ctx, cancel := context.WithTimeout(req.Context(), w.timeout)
		defer cancel()
		req = req.WithContext(ctx)
	}
	result, err := w.exchange(req)
	if err != nil {
		return nil, err
	}
	body, err := readResult(op, result)
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), Request: req}, nil
}

// exchange makes one attempt, and returns the result of a success. The request's body
// is buffered, so that net/http can repeat a request of which nothing was written to a
// connection gone stale.
func (w *wire) exchange(req *http.Request) (result []byte, failed error) {
	op := path.Base(req.URL.Path)
	if err := w.mayCall(op); err != nil {
		return nil, err
	}
	req, seen, err := prepare(req)
	if err != nil {
		return nil, &Error{Op: op, Reason: Refused, Detail: w.redact(err.Error())}
	}
	began := time.Now()
	resp, err := w.http.Do(req)
	if err != nil {
		return nil, w.networkError(op, err, seen.maySent(err))
	}
	defer resp.Body.Close()
	w.clock.note(resp.Header.Get("Date"), began)
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, w.networkError(op, err, true)
	}
	return w.readAnswer(op, resp, body)
}

// mayCall refuses a call that nobody may make now. Nothing of it is sent.
func (w *wire) mayCall(op string) error {
	if w.may == nil {
		return nil
	}
	if err := w.may(); err != nil {
		return &Error{Op: op, Reason: Network, Detail: w.redact(err.Error())}
	}
	return nil
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
func prepare(req *http.Request) (*http.Request, *progress, error) {
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
	// Without parameters there is no body at all: one in chunks, as the library's is of a
	// length that is not known, or of multipart without a part, is "unexpected end of
	// request content" to a Bot API server (td HttpReader.cpp, read_next).
	if len(body) == 0 {
		req.Body = http.NoBody
		req.Header.Del("Content-Type")
		return req, p, nil
	}
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, err = req.GetBody()
	return req, p, err
}

// networkError describes a call that got no whole answer.
func (w *wire) networkError(op string, err error, unknown bool) error {
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
	e.Detail = w.redact(err.Error())
	if e.cause == context.DeadlineExceeded {
		e.Detail = "no answer in time"
	}
	return e
}

// newTransport makes connections that notice within half a minute that nobody is there any more, whether they are in use or wait to be.
// may agrees to each write; nil: always.
func newTransport(proxy string, may standby.May) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second}
	t.DialContext = (&net.Dialer{
		Timeout:         30 * time.Second,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3},
	}).DialContext
	if may != nil {
		t.DialContext = standby.GuardDial(t.DialContext, may)
	}
	if u, err := url.Parse(proxy); proxy != "" && err == nil {
		t.Proxy = http.ProxyURL(u)
	}
	return t
}

// renewed is a transport whose connections can be left behind: also one that is in use, which http.Transport would use again.
type renewed struct {
	make func() *http.Transport
	now  atomic.Pointer[http.Transport]
}

func newRenewed(make func() *http.Transport) *renewed {
	r := &renewed{make: make}
	r.now.Store(make())
	return r
}

func (r *renewed) RoundTrip(req *http.Request) (*http.Response, error) {
	return r.now.Load().RoundTrip(req)
}

// CloseIdleConnections has the next requests go over new connections. Those under way continue over
// theirs.
func (r *renewed) CloseIdleConnections() { r.now.Swap(r.make()).CloseIdleConnections() }

// CloseIdleConnections has the next calls go over new connections.
func (c *Client) CloseIdleConnections() { c.wire.http.CloseIdleConnections() }

// observedTransport reports every call to the Bot API, by its method alone: the path has the
// token in it. A download is reported as "file".
type observedTransport struct {
	next   http.RoundTripper
	called func(method string, status int, took time.Duration) // nil: nobody
}

func (o observedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if o.called == nil {
		return o.next.RoundTrip(req)
	}
	began, status := time.Now(), 0
	res, err := o.next.RoundTrip(req)
	if err == nil {
		status = res.StatusCode
	}
	o.called(methodOf(req.URL.Path), status, time.Since(began))
	return res, err
}

// CloseIdleConnections implements what [http.Client.CloseIdleConnections] looks for.
func (o observedTransport) CloseIdleConnections() {
	if c, ok := o.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func methodOf(where string) string {
	if strings.Contains(where, "/file/bot") {
		return "file"
	}
	return path.Base(where)
}

// answer is the Bot API's envelope.
type answer struct {
	OK          bool            `json:"ok"`
	Result      json.RawMessage `json:"result"`
	Code        int             `json:"error_code"`
	Description string          `json:"description"`
	Parameters  struct {
		RetryAfter int   `json:"retry_after"`
		MigrateTo  int64 `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

// readAnswer returns the result of a success, and an *Error for anything else. An answer
// that is not the Bot API's, such as a proxy's page, is left out of the error.
func (w *wire) readAnswer(op string, resp *http.Response, body []byte) ([]byte, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil || !a.OK && a.Code == 0 {
		return nil, &Error{
			Op: op, Reason: Server, Unknown: true,
			Detail: fmt.Sprintf("the answer (HTTP %d) is not the Bot API's", resp.StatusCode),
		}
	}
	if a.OK {
		return a.Result, nil
	}
	e := &Error{Op: op, Reason: classify(a.Code, a.Description), Code: a.Code, Detail: w.redact(a.Description)}
	e.Unknown = e.Reason == Server
	e.RetryAfter = time.Duration(a.Parameters.RetryAfter) * time.Second
	if a.Parameters.MigrateTo != 0 {
		e.Reason, e.MovedTo = Moved, chat.ID(a.Parameters.MigrateTo)
	}
	return nil, e
}

// unreadableAnswer is the error for a result that is not what the method gives.
func unreadableAnswer(op string) *Error {
	return &Error{Op: op, Reason: Server, Unknown: true, Detail: "the answer cannot be read"}
}
