package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"hermes/internal/secret"
	"hermes/internal/standby"
	"hermes/opencode/link"
)

// Address is where hermes is, and the token of a link.
type Address struct {
	URLs  []string // http or https, without a query: one, or those of several hermes that share a store
	Token secret.Text
}

const (
	sendTimeout = 10 * time.Second // a request to hermes, other than the long poll
	maxPolled   = 32 << 20         // bytes of one answer: a prompt's files are in its call
)

// statusError is an answer of hermes that ends the link.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("hermes answered %d", int(e)) }

// hubClient makes requests to hermes. It follows no redirect. hermes takes every request of a
// link twice, so that one of which the answer is lost may be made again. No error of it has the
// token: that is in a header only.
type hubClient struct {
	url       string // one of those that the token is for
	token     secret.Text
	transport http.RoundTripper
	all       *standby.Addresses // among which url acts
	opened    link.Opened        // the link; nothing before it is open
}

// get makes a request that has no body, and post one with JSON.
func (h hubClient) get(ctx context.Context, timeout time.Duration, path string) ([]byte, error) {
	return h.do(ctx, timeout, http.MethodGet, path, nil)
}

func (h hubClient) post(ctx context.Context, path string, body any) ([]byte, error) {
	text, err := encode(body)
	if err != nil {
		return nil, err
	}
	return h.do(ctx, sendTimeout, http.MethodPost, path, text)
}

// do makes one request. It gives the body of an answer 200; none of 204.
func (h hubClient) do(ctx context.Context, timeout time.Duration, method, path string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(h.url, "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the URL of hermes is not valid")
	}
	req.Header.Set("Authorization", "Bearer "+h.token.Reveal())
	req.Header.Set("Accept", "application/json")
	req.Header["Idempotency-Key"] = nil // net/http: it may be sent again if a kept connection breaks; nothing is added to it
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := h.transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if reply, ok := standby.ReplyOf(res); ok {
		return nil, &standby.NotActing{Address: h.url, Acting: reply.Acting}
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxPolled+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxPolled:
		return nil, errors.New("hermes answered too much")
	case res.StatusCode == http.StatusUpgradeRequired:
		return nil, otherVersion(text)
	case res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNoContent:
		return nil, statusError(res.StatusCode)
	}
	return text, nil
}

// errVersion says that the two hermes are of versions that do not fit.
var errVersion = errors.New("the two hermes do not fit")

// otherVersion says what has to be updated. A hermes from before there were links of services does not tell its number.
func otherVersion(text []byte) error {
	var refused link.WrongProtocol
	_ = json.Unmarshal(text, &refused)
	if refused.Protocol > link.ServiceProtocol {
		return fmt.Errorf("%w: this one is older than the one that it is to link to; update hermes on this machine", errVersion)
	}
	return fmt.Errorf("%w: the one at the URL of the link is older and does not take OpenCode 2 over a link; update hermes there", errVersion)
}

// ping asks for what a hermes that acts answers at once.
func (h hubClient) ping(ctx context.Context, url string) error {
	h.url = url
	var status statusError
	_, err := h.get(ctx, sendTimeout, "/v1/link")
	if errors.As(err, &status) && status < http.StatusInternalServerError {
		return &standby.Refused{Address: url, Status: int(status)}
	}
	return err
}

// explain says what an answer to a hello means.
func explain(err error) error {
	var status statusError
	var idle *standby.NotActing
	if errors.As(err, &idle) {
		return fmt.Errorf("no hermes acts at the URLs of the link: %w", err)
	}
	if errors.Is(err, errVersion) {
		return err
	}
	if !errors.As(err, &status) {
		return fmt.Errorf("hermes cannot be reached: %w", err)
	}
	switch int(status) {
	case http.StatusUnauthorized:
		return errors.New("hermes does not take the token of this link: it was revoked or is wrong; hermes link add makes one where hermes runs")
	case http.StatusForbidden:
		return errors.New("hermes does not take this token: it is none of a link; hermes link add makes one where hermes runs")
	case http.StatusTooManyRequests:
		return errors.New("hermes takes no more links with this token now; give each machine a token of its own")
	case http.StatusNotFound:
		return errors.New("there is no hermes at the URL of the link")
	}
	return err
}

// open opens a link.
func (h *hubClient) open(ctx context.Context, hello link.Hello) error {
	text, err := h.post(ctx, "/v1/link", hello)
	if err != nil {
		return explain(err)
	}
	if json.Unmarshal(text, &h.opened) != nil || !linkForm.MatchString(h.opened.Link) {
		return errors.New("there is no hermes at the URL of the link")
	}
	h.opened.Poll = min(max(h.opened.Poll, 1), 60)
	return nil
}

// linkForm is the form of the names that hermes gives to links.
var linkForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// poll waits for calls. after is the last call that came: an answer that was lost is given again.
func (h hubClient) poll(ctx context.Context, after, followed int) (link.Handed, error) {
	path := fmt.Sprintf("/v1/link/%s/calls?after=%d&follow=%d", h.opened.Link, after, followed)
	text, err := h.get(ctx, time.Duration(h.opened.Poll+10)*time.Second, path)
	var handed link.Handed
	if err == nil && len(text) > 0 && json.Unmarshal(text, &handed) != nil {
		err = statusError(http.StatusOK) // it is no hermes
	}
	return handed, err
}

func (h hubClient) tell(ctx context.Context, events []frame) error {
	_, err := h.post(ctx, "/v1/link/"+h.opened.Link+"/events", map[string]any{"events": events})
	return err
}

func (h hubClient) result(ctx context.Context, result link.Result) error {
	_, err := h.post(ctx, "/v1/link/"+h.opened.Link+"/results", result)
	return err
}
