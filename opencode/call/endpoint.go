package call

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"time"

	"hermes/internal/secret"
)

// maxBody bounds an answer of OpenCode that is read at once.
const maxBody = 32 << 20

// Timeout bounds one call, answer included. It begins when the directory is not paused.
const Timeout = 10 * time.Second

// Endpoint is one OpenCode process, called for one directory. The directory goes into
// every call as OpenCode spelled it, as asks live in one directory's instance
// and nowhere else. It is safe for concurrent use.
type Endpoint struct {
	Transport http.RoundTripper // for calls that change something: one attempt each
	Reads     http.RoundTripper // for GETs, which may be tried again; nil: Transport
	Base      string            // URL without a slash at the end
	Directory string            // empty: the server's own
	Username  string            // Basic auth, sent when Password is not empty
	Password  secret.Text
	Pauses    *Pauses // of the process; nil: none
	Routes    *Routes // of the process; nil: nothing is remembered
}

// Format keeps the password out of every print of what holds an endpoint: a field that is
// not exported is printed without asking its type.
func (e Endpoint) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "the OpenCode endpoint of %q", e.Directory) // the one who prints sees errors
}

// Call is one call, without what the endpoint adds to it.
type Call struct {
	Op     string // for errors, such as "list questions"
	Method string
	Path   string
	Query  url.Values
	Body   any // JSON; nil: none

	// Else is called in its place where the server does not have the route, or not with such a
	// body; nil: nothing is.
	// Both have the same Op, by which an endpoint remembers which of them the server has.
	Else *Call
}

// Or is the call with another one to make in its place where the server does not have the
// route.
func (c Call) Or(other Call) Call {
	other.Op = c.Op
	c.Else = &other
	return c
}

// Get is a call that reads.
func Get(op, path string, query url.Values) Call {
	return Call{Op: op, Method: http.MethodGet, Path: path, Query: query}
}

// Post is a call that changes something; body nil: it has none.
func Post(op, path string, query url.Values, body any) Call {
	return Call{Op: op, Method: http.MethodPost, Path: path, Query: query, Body: body}
}

// Delete is a call that takes something away.
func Delete(op, path string, query url.Values) Call {
	return Call{Op: op, Method: http.MethodDelete, Path: path, Query: query}
}

// Query names the endpoint's directory; nothing for none.
func (e *Endpoint) Query() url.Values {
	if e.Directory == "" {
		return nil
	}
	return url.Values{"directory": {e.Directory}}
}

// With is the endpoint's query and one value more.
func (e *Endpoint) With(name, value string) url.Values {
	query := url.Values{name: {value}}
	maps.Copy(query, e.Query())
	return query
}

// Get reads JSON.
func (e *Endpoint) Get(ctx context.Context, op, path string, query url.Values, into any) error {
	return e.Decode(ctx, Get(op, path, query), func(body []byte) error { return json.Unmarshal(body, into) })
}

// Post posts a JSON body, nil for none, for the endpoint's directory, and reads the answer
// unless into is nil.
func (e *Endpoint) Post(ctx context.Context, op, path string, body, into any) error {
	c := Post(op, path, e.Query(), body)
	if into == nil {
		return e.Do(ctx, c)
	}
	return e.Decode(ctx, c, func(body []byte) error { return json.Unmarshal(body, into) })
}

// Do makes a call of which only the success counts.
func (e *Endpoint) Do(ctx context.Context, c Call) error {
	_, err := e.answerTo(ctx, c)
	return err
}

// Decode makes a call and has its answer read.
func (e *Endpoint) Decode(ctx context.Context, c Call, read func(body []byte) error) error {
	body, err := e.answerTo(ctx, c)
	if err != nil {
		return err
	}
	return wrongJSON(c.Op, read(body))
}

// answerTo makes a call, or the one in its place.
func (e *Endpoint) answerTo(ctx context.Context, c Call) ([]byte, error) {
	if c.Else == nil {
		return e.answerToOne(ctx, c)
	}
	first, second := c, *c.Else
	other := e.Routes.prefersOther(c.Op)
	if other {
		first, second = second, first
	}
	body, err := e.answerToOne(ctx, first)
	if !lacksRoute(err) {
		return body, err
	}
	instead, insteadErr := e.answerToOne(ctx, second)
	if lacksRoute(insteadErr) {
		return body, err
	}
	if answered(insteadErr) {
		e.Routes.prefer(c.Op, !other)
	}
	return instead, insteadErr
}

func (e *Endpoint) answerToOne(ctx context.Context, c Call) ([]byte, error) {
	var body []byte
	if c.Body != nil {
		var err error
		if body, err = json.Marshal(c.Body); err != nil {
			return nil, err
		}
	}
	if err := e.Pauses.Wait(ctx, directoryOf(c.Query)); err != nil {
		return nil, &Error{Op: c.Op, Reason: Unreachable, Err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	req, err := e.newRequest(ctx, c, body)
	if err != nil {
		return nil, &Error{Op: c.Op, Reason: Refused, Err: err}
	}
	res, err := e.transportFor(c.Method).RoundTrip(req)
	if err != nil {
		return nil, &Error{Op: c.Op, Reason: Unreachable, Err: err}
	}
	defer res.Body.Close()
	return readAnswer(c.Op, res)
}

func (e *Endpoint) transportFor(method string) http.RoundTripper {
	if method == http.MethodGet && e.Reads != nil {
		return e.Reads
	}
	return e.Transport
}

// Open makes a GET whose answer is read while it comes. It has one attempt and no
// timeout. The caller closes the body.
func (e *Endpoint) Open(ctx context.Context, op, path, accept string) (io.ReadCloser, error) {
	req, err := e.newRequest(ctx, Get(op, path, nil), nil)
	if err != nil {
		return nil, &Error{Op: op, Reason: Refused, Err: err}
	}
	req.Header.Set("Accept", accept)
	res, err := e.Transport.RoundTrip(req)
	if err != nil {
		return nil, &Error{Op: op, Reason: Unreachable, Err: err}
	}
	if res.StatusCode >= 300 {
		_ = res.Body.Close()
		return nil, &Error{Op: op, Reason: reasonOf(res.StatusCode), Status: res.StatusCode}
	}
	return res.Body, nil
}

func (e *Endpoint) newRequest(ctx context.Context, c Call, body []byte) (*http.Request, error) {
	target := e.Base + c.Path
	if len(c.Query) > 0 {
		target += "?" + c.Query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, c.Method, target, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address is not valid")
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if e.Password != "" {
		req.SetBasicAuth(e.Username, e.Password.Reveal())
	}
	return req, nil
}

// readAnswer reads a response. An unknown route of OpenCode answers 200 with a web
// page, so only JSON counts; 204 has no body.
func readAnswer(op string, res *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, &Error{Op: op, Reason: Unreachable, Status: res.StatusCode, Err: err}
	case len(body) > maxBody:
		return nil, &Error{Op: op, Reason: NotOpenCode, Status: res.StatusCode}
	case res.StatusCode >= 300:
		return nil, &Error{Op: op, Reason: reasonOf(res.StatusCode), Status: res.StatusCode, Tag: tagOf(body), Said: refusalIn(body)}
	case res.StatusCode != http.StatusNoContent && !isJSON(res.Header):
		return nil, &Error{Op: op, Reason: NotOpenCode, Status: res.StatusCode}
	}
	return body, nil
}

func isJSON(h http.Header) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && kind == "application/json"
}
