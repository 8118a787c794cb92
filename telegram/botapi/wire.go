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
	called  func(method string, status int, took time.Duration) // nil: nobody asks
	timeout time.Duration                                       // of a call; 0: as the context says
	clock   clock
	may     standby.May // nil: always
}

func newWire(c Config) *wire {
	transport := c.Transport
	if transport == nil {
		transport = newTransport(c.Proxy.Reveal(), c.May)
	}
	token := c.Token.Reveal()
	var folders []string
	if c.Root != PublicRoot {
		folders = []string{"/" + token + "/", "/" + strings.Replace(token, ":", "~", 1) + "/"} // the latter on Windows (Client.cpp:7931-7937)
	}
	return &wire{
		folders: folders,
		// A redirect would carry the token to wherever it leads.
		http: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
		root:    func(method string) string { return c.Root + "/bot" + token + "/" + method },
		files:   func(path string) string { return c.Root + "/file/bot" + token + "/" + path },
		redact:  newRedactor(c.Token, c.Secrets...),
		called:  c.Called,
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
	body := fmt.Appendf(nil, `{"ok":true,"result":%s}`, trimResult(op, result))
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
	if err := bufferBody(req); err != nil {
		return nil, &Error{Op: op, Reason: Refused, Detail: w.redact(err.Error())}
	}
	var dialing atomic.Bool // as long as there is no connection, nothing is sent
	req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GetConn: func(string) { dialing.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { dialing.Store(false) },
	}))
	began := time.Now()
	resp, err := w.roundTrip(op, req)
	if err != nil {
		return nil, w.networkError(op, err, !dialing.Load())
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

// roundTrip makes one attempt and reports it, by its method alone: the path has the token in it.
func (w *wire) roundTrip(op string, req *http.Request) (*http.Response, error) {
	began, status := time.Now(), 0
	resp, err := w.http.Do(req)
	if err == nil {
		status = resp.StatusCode
	}
	if w.called != nil {
		w.called(op, status, time.Since(began))
	}
	return resp, err
}

// bufferBody reads the body of a request, which the library writes piece by piece.
func bufferBody(req *http.Request) error {
	if req.Body == nil {
		return nil
	}
	body, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return err
	}
	// Without parameters there is no body at all: one in chunks, as the library's is of a
	// length that is not known, or of multipart without a part, is "unexpected end of
	// request content" to a Bot API server (td HttpReader.cpp, read_next).
	if len(body) == 0 {
		req.Body = http.NoBody
		req.Header.Del("Content-Type")
		return nil
	}
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, err = req.GetBody()
	return err
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

// CloseIdleConnections has the next calls go over new connections. One that is in use and half open ends by itself.
func (c *Client) CloseIdleConnections() { c.wire.http.CloseIdleConnections() }

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
