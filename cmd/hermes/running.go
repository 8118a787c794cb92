package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"syscall"
	"time"
)

// localTransport reaches the hermes of this configuration on this machine, without a
// proxy. Its certificate is for the name that others know it by, so it is held
// against the configured file.
func localTransport(c config) http.RoundTripper {
	t := &http.Transport{DisableKeepAlives: true, ResponseHeaderTimeout: 30 * time.Second}
	if c.TLSCert != "" {
		t.TLSClientConfig = &tls.Config{InsecureSkipVerify: true, VerifyConnection: func(s tls.ConnectionState) error { return checkCertificate(c, s) }}
	}
	return t
}

var errCertificate = errors.New("the certificate is not the one in HERMES_TLS_CERT")

func checkCertificate(c config, state tls.ConnectionState) error {
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil || len(state.PeerCertificates) == 0 || !bytes.Equal(pair.Certificate[0], state.PeerCertificates[0].Raw) {
		return errCertificate
	}
	return nil
}

// running is the hermes that runs with this configuration, for commands that need
// it.
type running struct {
	config   config
	way      http.RoundTripper
	token    secret
	tokenErr error
}

// toRunning makes a running; a way of nil is the network.
func toRunning(c config, way http.RoundTripper) running {
	r := running{config: c, way: way}
	if r.way == nil {
		r.way = localTransport(c)
	}
	r.token, r.tokenErr = keptHookToken(c)
	return r
}

// errNotRunning means that nothing listens where hermes would.
var errNotRunning = errors.New("no hermes runs")

// call makes one call of hermes' HTTP interface; a body of nil sends none. It
// returns an answer of 200 or 202 alone, whose body the caller closes. What hermes
// refuses is a *refusal.
func (r running) call(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, r.config.ownURL()+path, content)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+r.token.Reveal())
	res, err := r.way.RoundTrip(req)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil, fmt.Errorf("%w at %s (HERMES_LISTEN)", errNotRunning, r.config.ownURL())
	case err != nil:
		return nil, fmt.Errorf("what listens at %s does not answer: %w", r.config.ownURL(), cause(err))
	case res.StatusCode == http.StatusOK || res.StatusCode == http.StatusAccepted:
		return res, nil
	}
	defer res.Body.Close()
	return nil, r.refused(res)
}

// refusal is hermes' no to a call.
type refusal struct {
	code int // HTTP status
	text string
}

func (r *refusal) Error() string { return r.text }

// refusedWith reports whether the error is hermes' no with this HTTP status.
func refusedWith(err error, code int) bool {
	var r *refusal
	return errors.As(err, &r) && r.code == code
}

// refused words an answer that is none.
func (r running) refused(res *http.Response) error {
	at := r.config.ownURL()
	var said struct {
		Error    string   `json:"error"`
		Mistakes mistakes `json:"mistakes"`
	}
	_ = json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&said)
	no := &refusal{code: res.StatusCode}
	switch {
	case res.StatusCode == http.StatusUnauthorized && r.tokenErr != nil && !errors.Is(r.tokenErr, fs.ErrNotExist):
		no.text = r.tokenErr.Error()
	case res.StatusCode == http.StatusUnauthorized:
		no.text = fmt.Sprintf("the hermes at %s has another token than the one here; give this command the same HERMES_DB or HERMES_HOOK_TOKEN as hermes serve has", at)
	case len(said.Mistakes) > 0:
		return said.Mistakes.legible()
	case said.Error != "":
		no.text = legible(said.Error)
	default:
		no.text = fmt.Sprintf("what listens at %s is no hermes of this version (HTTP %d); restart hermes if it was updated; if another program uses the port, set HERMES_LISTEN",
			at, res.StatusCode)
	}
	return no
}
