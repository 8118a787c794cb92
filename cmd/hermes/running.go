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

// toHermes reaches the hermes of this configuration on this machine, without a
// proxy. Its certificate is for the name that others know it by, so it is held
// against the configured file.
func (c config) toHermes() http.RoundTripper {
	t := &http.Transport{DisableKeepAlives: true, ResponseHeaderTimeout: 30 * time.Second}
	if c.TLSCert != "" {
		t.TLSClientConfig = &tls.Config{InsecureSkipVerify: true, VerifyConnection: c.sameCertificate}
	}
	return t
}

var errCertificate = errors.New("the certificate is not the one in HERMES_TLS_CERT")

func (c config) sameCertificate(state tls.ConnectionState) error {
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
		r.way = c.toHermes()
	}
	r.token, r.tokenErr = keptHookToken(c)
	return r
}

// errNotRunning means that nothing listens where hermes would.
var errNotRunning = errors.New("no hermes runs")

// call makes one call of hermes' HTTP interface; a body of nil sends none. It
// returns an answer of 200 alone, whose body the caller closes.
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
	case res.StatusCode == http.StatusOK:
		return res, nil
	}
	defer res.Body.Close()
	return nil, r.refused(res)
}

// refused words an answer that is none.
func (r running) refused(res *http.Response) error {
	at := r.config.ownURL()
	var said struct {
		Error    string   `json:"error"`
		Mistakes mistakes `json:"mistakes"`
	}
	_ = json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&said)
	switch {
	case res.StatusCode == http.StatusUnauthorized && r.tokenErr != nil && !errors.Is(r.tokenErr, fs.ErrNotExist):
		return r.tokenErr
	case res.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("the hermes at %s has another token than the one here; give this command the same HERMES_DB or HERMES_HOOK_TOKEN as hermes serve has", at)
	case len(said.Mistakes) > 0:
		return said.Mistakes.legible()
	case said.Error != "":
		return errors.New(legible(said.Error))
	}
	return fmt.Errorf("what listens at %s is no hermes of this version (HTTP %d); restart hermes if it was updated; if another program uses the port, set HERMES_LISTEN",
		at, res.StatusCode)
}
