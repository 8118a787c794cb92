package link

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// maxCallBody is the most bytes of the body of a call: a prompt with files. The plugin takes twice that.
const maxCallBody = 16 << 20

// CallError is the error of a call that got no answer from OpenCode.
type CallError struct {
	// Sent says that the plugin may have had the call: whether OpenCode carried it out is not known. If false, it was not.
	Sent bool
	// Refused says that the plugin does not allow the call.
	Refused bool
	Err     error // why
}

func (e *CallError) Error() string {
	if e.Sent {
		return "the outcome of a call over the link is unknown: " + e.Err.Error()
	}
	return "a call was not sent over the link: " + e.Err.Error()
}

func (e *CallError) Unwrap() error { return e.Err }

// OutcomeUnknown is Sent, for those who do not import this package.
func (e *CallError) OutcomeUnknown() bool { return e.Sent }

// EndedError is the cause in a CallError if the link ended.
type EndedError struct{ Reason Reason }

func (e EndedError) Error() string {
	return "the link to OpenCode has ended (" + e.Reason.String() + ")"
}

// RoundTripper makes requests over the link. Of a request it takes the method, the path, the query (one value a name) and the
// body, which must be JSON or empty; the plugin adds the directory and the password, and refuses what is not on its list. Scheme,
// host and headers are ignored. The context ends the wait. Its errors are of type *CallError, within the *url.Error of http.Client.
// It needs no closing; after the end of the link every request fails.
func (l *Link) RoundTripper() http.RoundTripper { return roundTripper{l} }

type roundTripper struct{ link *Link }

// RoundTrip implements http.RoundTripper.
func (rt roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	wire, err := toWire(r)
	if err != nil {
		return nil, &CallError{Err: err}
	}
	c, err := rt.link.enqueueCall(wire)
	if err != nil {
		return nil, &CallError{Err: err}
	}
	got, err := rt.link.waitForResult(r.Context(), c)
	if err != nil {
		return nil, err
	}
	return got.response(r), nil
}

func toWire(r *http.Request) (Call, error) {
	wire := Call{Method: r.Method, Path: r.URL.Path, Query: make(map[string]string)}
	for name, values := range r.URL.Query() {
		if len(values) != 1 {
			return Call{}, fmt.Errorf("the query has %q %d times", name, len(values))
		}
		wire.Query[name] = values[0]
	}
	if r.Body == nil {
		return wire, nil
	}
	defer r.Body.Close()
	body, err := io.ReadAll(io.LimitReader(r.Body, maxCallBody+1))
	if err != nil {
		return Call{}, fmt.Errorf("read the body: %w", err)
	}
	if len(body) > maxCallBody || len(body) > 0 && !json.Valid(body) {
		return Call{}, fmt.Errorf("the body is not JSON of at most %d MiB", maxCallBody>>20)
	}
	wire.Body = body
	return wire, nil
}

// pendingCall is one request on its way. Its number and wire form do not change.
type pendingCall struct {
	number int
	wire   Call
	result chan Result // has room for the one result
}

func (l *Link) enqueueCall(wire Call) (*pendingCall, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reason != Open {
		return nil, EndedError{l.reason}
	}
	if len(l.queue)+len(l.handed) >= maxCalls {
		return nil, fmt.Errorf("%d calls are waiting already", maxCalls)
	}
	l.last++
	wire.ID = strconv.Itoa(l.last)
	c := &pendingCall{number: l.last, wire: wire, result: make(chan Result, 1)}
	l.queue = append(l.queue, c)
	l.wakePoll()
	return c, nil
}

// waitForResult returns the result of c. A result that has come wins over an end that came too.
func (l *Link) waitForResult(ctx context.Context, c *pendingCall) (Result, error) {
	var why error
	select {
	case got := <-c.result:
		return got, got.err()
	case <-ctx.Done():
		why = context.Cause(ctx)
	case <-l.done:
		why = EndedError{l.Reason()}
	}
	sent := l.removeCall(c)
	select {
	case got := <-c.result:
		return got, got.err()
	default:
		return Result{}, &CallError{Sent: sent, Err: why}
	}
}

// removeCall drops c and says whether it was handed out.
func (l *Link) removeCall(c *pendingCall) (sent bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queued := slices.Index(l.queue, c)
	if queued >= 0 {
		l.queue = slices.Delete(l.queue, queued, queued+1)
	}
	delete(l.handed, c.number)
	return queued < 0
}

// Result is what the plugin says of a call: OpenCode's answer, or an error.
type Result struct {
	ID     string `json:"id"`
	Status int    `json:"status"`
	Type   string `json:"type"` // Content-Type
	Body   string `json:"body"`
	Error  string `json:"error"`
	// Refused says, with an error, that the plugin did not ask OpenCode, and never will.
	Refused bool `json:"refused"`
	// Unsent says, with an error, that the plugin did not ask OpenCode now.
	Unsent bool `json:"unsent"`
}

func (r Result) err() error {
	if r.Error == "" {
		return nil
	}
	return &CallError{Sent: !r.Refused && !r.Unsent, Refused: r.Refused, Err: errors.New(r.Error)}
}

func (r Result) response(request *http.Request) *http.Response {
	return &http.Response{
		Status:        strconv.Itoa(r.Status) + " " + http.StatusText(r.Status),
		StatusCode:    r.Status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header{"Content-Type": {r.Type}},
		Body:          io.NopCloser(strings.NewReader(r.Body)),
		ContentLength: int64(len(r.Body)),
		Request:       request,
	}
}
