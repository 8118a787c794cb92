package opencode

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"hermes/internal/question"
	"hermes/internal/secret"
)

// maxBody bounds an answer of OpenCode that is read at once.
const maxBody = 32 << 20

// callTimeout bounds one call, answer included. It begins when the directory does not rest.
const callTimeout = 10 * time.Second

// Client calls one OpenCode process for one directory. The directory goes into
// every call as OpenCode spelled it, as asks live in one directory's instance
// and nowhere else. It is safe for concurrent use.
type Client struct {
	Transport http.RoundTripper // for calls that change something: one attempt each
	Reads     http.RoundTripper // for GETs, which may be tried again; nil: Transport
	Base      string            // URL without a slash at the end
	Directory string            // empty: the server's own
	Username  string            // Basic auth, sent when Password is not empty
	Password  secret.Text
	V2        bool          // the server has the routes under /api (1.16 and later)
	Ahead     time.Duration // how far OpenCode's clock is ahead of this one; 0 if that is not known

	rest *rest // nil: none
}

// Version is OpenCode's version. It proves that an OpenCode answers.
func (c *Client) Version(ctx context.Context) (string, error) {
	var health struct {
		Healthy bool   `json:"healthy"`
		Version string `json:"version"`
	}
	err := c.get(ctx, "health", "/global/health", nil, &health)
	if err == nil && health.Version == "" {
		err = &Error{Op: "health", Reason: NotOpenCode}
	}
	return health.Version, err
}

// Questions lists what is pending in the directory, under all routes that this
// version has; leaks of aborted turns included: they stay listed in every version.
func (c *Client) Questions(ctx context.Context) ([]question.Request, error) {
	list, err := c.list(ctx, question.V1)
	if err != nil || !c.V2 {
		return list, err
	}
	more, err := c.list(ctx, question.V2)
	if missing(err) {
		err = nil
	}
	return append(list, more...), err
}

// Pending lists all asks that wait in the directory.
func (c *Client) Pending(ctx context.Context) ([]question.Request, error) {
	questions, err := c.Questions(ctx)
	if err != nil {
		return nil, err
	}
	permissions, err := c.Permissions(ctx)
	return append(questions, permissions...), err
}

func (c *Client) list(ctx context.Context, p question.Protocol) ([]question.Request, error) {
	const op = "list questions"
	path, query := "/question", c.query()
	if p == question.V2 {
		path, query = "/api/question/request", url.Values{"location[directory]": {c.Directory}}
	}
	body, err := c.read(ctx, op, path, query)
	if err != nil {
		return nil, err
	}
	list, err := requests(body, p)
	return list, wrongJSON(op, err)
}

// Busy lists the ordinary sessions of the directory that work.
func (c *Client) Busy(ctx context.Context) (map[question.SessionID]bool, error) {
	var sessions map[question.SessionID]struct{ Type string }
	err := c.get(ctx, "session status", "/session/status", c.query(), &sessions)
	busy := map[question.SessionID]bool{}
	for id, status := range sessions {
		busy[id] = status.Type == "busy" || status.Type == "retry"
	}
	return busy, err
}

// active reports whether a session under /api works. Versions without that route
// cannot tell, and then none does.
func (c *Client) active(ctx context.Context, id question.SessionID) (bool, error) {
	var list struct{ Data map[question.SessionID]any }
	err := c.get(ctx, "active sessions", "/api/session/active", nil, &list)
	if missing(err) {
		return false, nil
	}
	_, ok := list.Data[id]
	return ok, err
}

// missing reports whether the server does not have the route.
func missing(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Reason == NotFound || e.Reason == NotOpenCode)
}

func (c *Client) session(ctx context.Context, id question.SessionID) (wireSession, error) {
	var s wireSession
	err := c.get(ctx, "session", "/session/"+url.PathEscape(string(id)), c.query(), &s)
	return s, err
}

// Reply sends the answers, one attempt. Success is no proof: before 1.15.8
// OpenCode answers 200 to a reply that does nothing, and every version does so
// after an abort. A NotFound error says that nothing waits under this id.
func (c *Client) Reply(ctx context.Context, r question.Request, answers question.Answers) error {
	if r.Permission != nil && len(answers) == 1 && len(answers[0]) == 1 {
		return c.decide(ctx, r, answers[0][0], "")
	}
	body, err := json.Marshal(map[string]any{"answers": whole(answers, len(r.Items))})
	if err != nil {
		return err
	}
	return c.post(ctx, "reply", c.route(r)+"/reply", body)
}

// Reject dismisses the request, one attempt. The same as for Reply holds. With a
// note, which only permission asks take, the agent is told that and goes on; without,
// its turn ends.
func (c *Client) Reject(ctx context.Context, r question.Request, note string) error {
	if r.Permission != nil {
		return c.decide(ctx, r, "reject", note)
	}
	return c.post(ctx, "reject", c.route(r)+"/reject", nil)
}

// whole gives every item its list: OpenCode wants lists, not null.
func whole(answers question.Answers, n int) question.Answers {
	full := make(question.Answers, max(n, len(answers)))
	for i := range full {
		full[i] = []string{}
		if i < len(answers) && answers[i] != nil {
			full[i] = answers[i]
		}
	}
	return full
}

func (c *Client) route(r question.Request) string {
	kind := "/question/"
	if r.Permission != nil {
		kind = "/permission/"
	}
	if r.Protocol == question.V2 {
		kind = sessionPath(r) + kind
	}
	return kind + url.PathEscape(string(r.ID))
}

func (c *Client) query() url.Values {
	if c.Directory == "" {
		return nil
	}
	return url.Values{"directory": {c.Directory}}
}

func (c *Client) get(ctx context.Context, op, path string, query url.Values, into any) error {
	body, err := c.read(ctx, op, path, query)
	if err != nil {
		return err
	}
	return wrongJSON(op, json.Unmarshal(body, into))
}

func (c *Client) read(ctx context.Context, op, path string, query url.Values) ([]byte, error) {
	transport := c.Reads
	if transport == nil {
		transport = c.Transport
	}
	return c.do(ctx, transport, op, http.MethodGet, path, query, nil)
}

func (c *Client) post(ctx context.Context, op, path string, body []byte) error {
	_, err := c.do(ctx, c.Transport, op, http.MethodPost, path, c.query(), body)
	return err
}

func (c *Client) do(
	ctx context.Context, via http.RoundTripper, op, method, path string, query url.Values, body []byte,
) ([]byte, error) {
	if err := c.rest.over(ctx, directoryOf(query)); err != nil {
		return nil, &Error{Op: op, Reason: Unreachable, Err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	req, err := c.request(ctx, method, path, query, body)
	if err != nil {
		return nil, &Error{Op: op, Reason: Refused, Err: err}
	}
	res, err := via.RoundTrip(req)
	if err != nil {
		return nil, &Error{Op: op, Reason: Unreachable, Err: err}
	}
	defer res.Body.Close()
	return answer(op, res)
}

func (c *Client) request(
	ctx context.Context, method, path string, query url.Values, body []byte,
) (*http.Request, error) {
	target := c.Base + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address is not valid")
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.Password != "" {
		req.SetBasicAuth(c.Username, c.Password.Reveal())
	}
	return req, nil
}

// answer reads a response. An unknown route of OpenCode answers 200 with a web
// page, so only JSON counts; 204 has no body.
func answer(op string, res *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, &Error{Op: op, Reason: Unreachable, Status: res.StatusCode, Err: err}
	case len(body) > maxBody:
		return nil, &Error{Op: op, Reason: NotOpenCode, Status: res.StatusCode}
	case res.StatusCode >= 300:
		return nil, &Error{Op: op, Reason: reasonOf(res.StatusCode), Status: res.StatusCode}
	case res.StatusCode != http.StatusNoContent && !isJSON(res.Header):
		return nil, &Error{Op: op, Reason: NotOpenCode, Status: res.StatusCode}
	}
	return body, nil
}

func isJSON(h http.Header) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

func wrongJSON(op string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Op: op, Reason: NotOpenCode, Err: errors.New("the answer is not the JSON that was expected")}
}
