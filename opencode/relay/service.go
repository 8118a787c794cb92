package relay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"hermes/opencode"
	"hermes/opencode/call"
	"hermes/opencode/service"
)

const (
	callTimeout = 30 * time.Second // a call to the service
	maxAnswer   = 64 << 20         // bytes of an answer of the service before it is reduced
	maxResult   = 4<<20 - 4<<10    // the same, as hermes gets it: as a text in JSON it has twice that at most, and link.MaxBody is for all
)

var errProcess = errors.New("the server there is not the process that the file of the OpenCode service names")

// connected is a service that was found and is what its file names. Its password is added to each request, which follows no redirect.
type connected struct {
	service.Registration
	*call.Endpoint
	cancel context.CancelCauseFunc // ends its event stream
	ctx    context.Context         // ends with that
}

// connect finds the service. The file is read each time, so that the password is sent to no address that it does not name now.
func connect(ctx context.Context, s opencode.Service) (*connected, error) {
	r, err := s.File.Find()
	if err != nil {
		return nil, err
	}
	who, err := s.Server(r).IdentifyV2(ctx)
	switch {
	case err != nil:
		return nil, err
	case who.PID != r.PID || who.Version != r.Version:
		return nil, errProcess
	}
	return newConnected(ctx, r, s.Transport), nil
}

func newConnected(ctx context.Context, r service.Registration, transport http.RoundTripper) *connected {
	c := &connected{Registration: r, Endpoint: &call.Endpoint{Transport: transport, Base: r.URL, Username: service.Username, Password: r.Password}}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	return c
}

// answer is what the service answers to a call.
type answer struct {
	status int
	kind   string // Content-Type
	body   []byte
}

// ask makes a call of hermes and reads its answer.
func (c *connected) ask(ctx context.Context, method, path string, query url.Values, body map[string]any) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var sent []byte
	if body != nil {
		sent, _ = encode(body) // of what was decoded: it never fails
	}
	target := c.Base + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(sent))
	if err != nil {
		return answer{}, errors.New("the address is not valid")
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.SetBasicAuth(c.Username, c.Endpoint.Password.Reveal())
	res, err := c.Transport.RoundTrip(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err == nil && len(text) > maxAnswer {
		err = errors.New("the answer of OpenCode is too large")
	}
	return answer{res.StatusCode, res.Header.Get("Content-Type"), text}, err
}
