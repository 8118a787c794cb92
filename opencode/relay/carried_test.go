package relay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"hermes/internal/secret"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode/link"
	"hermes/opencode/service"
)

// carried is the way to a service through what hermes link run allows and hands over, without the link itself.
type carried struct{ carrier }

// newCarried reaches the simulator; driven: people may drive its sessions.
func newCarried(s *opencode2sim.Simulator, driven bool) carried {
	c := &connected{Registration: service.Registration{URL: "http://opencode", Password: secret.Text("secret")}, transport: s.Transport(), ctx: context.Background()}
	return carried{carrier{c, new(directories), driven}}
}

// RoundTrip implements http.RoundTripper.
func (c carried) RoundTrip(r *http.Request) (*http.Response, error) {
	one := link.Call{ID: "1", Method: r.Method, Path: r.URL.Path, Query: map[string]string{}}
	for name, values := range r.URL.Query() {
		one.Query[name] = strings.Join(values, "\x00")
	}
	if r.Body != nil {
		one.Body, _ = io.ReadAll(r.Body)
	}
	got := c.carryOut(r.Context(), one)
	if got.Error != "" {
		return nil, &link.CallError{Sent: !got.Refused && !got.Unsent, Refused: got.Refused, Err: errors.New(got.Error)}
	}
	return &http.Response{
		StatusCode: got.Status, Header: http.Header{"Content-Type": {got.Type}}, Body: io.NopCloser(bytes.NewReader([]byte(got.Body))), Request: r,
	}, nil
}
