// Package probe is what contract tests of HTTP servers have in common: a client
// that sends a request and reads the answer to its end, one that waits for what a
// real server does only after its answer, and a reader of event streams.
package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Patience is how long a real server may take to do what it will do.
const Patience = 2 * time.Minute

// Probe is one check's client of a server. Its methods fail the test; they are for
// the test's goroutine, but for Do.
type Probe struct {
	*testing.T
	url                string
	username, password string
	http               http.Client
}

// New makes a client of the server with this root, reached by this transport.
func New(t *testing.T, url string, transport http.RoundTripper, username, password string) *Probe {
	return &Probe{t, url, username, password, http.Client{Transport: transport}}
}

// Answer is an HTTP answer, its body read.
type Answer struct {
	Status int
	Kind   string // content type
	Body   string
	Header http.Header
}

// IsJSON tells whether the answer says that it is JSON.
func (a Answer) IsJSON() bool { return strings.HasPrefix(a.Kind, "application/json") }

// Request is a request without credentials; an empty kind and body are left out.
func (p *Probe) Request(method, path, kind, body string) *http.Request {
	p.Helper()
	var r io.Reader
	if body != "" {
		r = bytes.NewReader([]byte(body))
	}
	ctx, cancel := context.WithTimeout(p.Context(), Patience)
	p.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, method, p.url+path, r)
	if err != nil {
		p.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	return req
}

// Send sends a request with the credentials.
func (p *Probe) Send(method, path, kind, body string) Answer {
	p.Helper()
	req := p.Request(method, path, kind, body)
	req.SetBasicAuth(p.username, p.password)
	return p.Do(req)
}

// Post sends a JSON body, or none if it is nil.
func (p *Probe) Post(path string, body any) Answer {
	p.Helper()
	if body == nil {
		return p.Send(http.MethodPost, path, "", "")
	}
	raw, err := json.Marshal(body)
	if err != nil {
		p.Fatal(err)
	}
	return p.Send(http.MethodPost, path, "application/json", string(raw))
}

// Decode reads a JSON answer of status 200.
func (p *Probe) Decode(a Answer, into any) {
	p.Helper()
	if a.Status != http.StatusOK || !a.IsJSON() {
		p.Fatalf("want 200 with JSON, got %d %s: %s", a.Status, a.Kind, a.Body)
	}
	if err := json.Unmarshal([]byte(a.Body), into); err != nil {
		p.Fatalf("%v in %s", err, a.Body)
	}
}

// Do sends a request as it is.
func (p *Probe) Do(req *http.Request) Answer {
	p.Helper()
	resp, err := p.http.Do(req)
	if err != nil {
		p.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		p.Fatal(err)
	}
	return Answer{resp.StatusCode, resp.Header.Get("Content-Type"), string(raw), resp.Header}
}

// Eventually asks until cond holds: what a real server does after its answer shows
// only later.
func (p *Probe) Eventually(what string, cond func() bool) {
	p.Helper()
	for end := time.Now().Add(Patience); !cond(); {
		if time.Now().After(end) {
			p.Fatalf("this did not happen: %s", what)
		}
		select {
		case <-p.Context().Done():
			p.Fatal(p.Context().Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// WantStatus fails the test unless the answer has a status.
func (p *Probe) WantStatus(what string, a Answer, status int) {
	p.Helper()
	if a.Status != status {
		p.Errorf("%s: status %d, want %d: %s", what, a.Status, status, a.Body)
	}
}

// WantJSON compares an answer with a status and a JSON text.
func (p *Probe) WantJSON(what string, a Answer, status int, want string) {
	p.Helper()
	p.WantStatus(what, a, status)
	if !a.IsJSON() || Canonical(a.Body) != Canonical(want) {
		p.Errorf("%s: got %s %s\nwant %s", what, a.Kind, a.Body, want)
	}
}

// Canonical is JSON with sorted keys; other texts stay as they are.
func Canonical(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	raw, _ := json.Marshal(v)
	return string(raw)
}
