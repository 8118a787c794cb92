package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// probe is one check's view of the target.
type probe struct {
	*testing.T
	Target
	http http.Client
}

func newProbe(t *testing.T, target Target) *probe {
	return &probe{t, target, http.Client{Transport: target.Transport}}
}

// answer is an HTTP answer, its body read.
type answer struct {
	status int
	kind   string // content type
	body   string
}

func (a answer) isJSON() bool { return strings.HasPrefix(a.kind, "application/json") }

// decode reads a JSON answer of status 200.
func (p *probe) decode(a answer, into any) {
	p.Helper()
	if a.status != http.StatusOK || !a.isJSON() {
		p.Fatalf("want 200 with JSON, got %d %s: %s", a.status, a.kind, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), into); err != nil {
		p.Fatalf("%v in %s", err, a.body)
	}
}

func (p *probe) get(path string) answer {
	p.Helper()
	return p.send(http.MethodGet, path, p.Dir, "", "")
}

// post sends a JSON body, or none if it is nil, to directory Dir.
func (p *probe) post(path string, body any) answer {
	p.Helper()
	return p.postIn(p.Dir, path, body)
}

func (p *probe) postIn(dir, path string, body any) answer {
	p.Helper()
	if body == nil {
		return p.send(http.MethodPost, path, dir, "", "")
	}
	raw, err := json.Marshal(body)
	if err != nil {
		p.Fatal(err)
	}
	return p.send(http.MethodPost, path, dir, "application/json", string(raw))
}

func (p *probe) send(method, path, dir, kind, body string) answer {
	p.Helper()
	req := p.request(method, path+query(path, dir), kind, body)
	req.SetBasicAuth(p.Username, p.Password)
	return p.do(req)
}

func query(path, dir string) string {
	switch {
	case dir == "":
		return ""
	case strings.Contains(path, "?"):
		return "&directory=" + url.QueryEscape(dir)
	}
	return "?directory=" + url.QueryEscape(dir)
}

func (p *probe) request(method, path, kind, body string) *http.Request {
	p.Helper()
	var r io.Reader
	if body != "" {
		r = bytes.NewReader([]byte(body))
	}
	ctx, cancel := context.WithTimeout(p.Context(), patience)
	p.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, method, p.URL+path, r)
	if err != nil {
		p.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	return req
}

func (p *probe) do(req *http.Request) answer {
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
	return answer{resp.StatusCode, resp.Header.Get("Content-Type"), string(raw)}
}

// eventually asks until cond holds: what a real server does after its answer
// shows only later.
func (p *probe) eventually(what string, cond func() bool) {
	p.Helper()
	for end := time.Now().Add(patience); !cond(); {
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

func (p *probe) wantStatus(what string, a answer, status int) {
	p.Helper()
	if a.status != status {
		p.Errorf("%s: status %d, want %d: %s", what, a.status, status, a.body)
	}
}

// wantJSON compares an answer with a status and a JSON text.
func (p *probe) wantJSON(what string, a answer, status int, want string) {
	p.Helper()
	p.wantStatus(what, a, status)
	if !a.isJSON() || canonical(a.body) != canonical(want) {
		p.Errorf("%s: got %s %s\nwant %s", what, a.kind, a.body, want)
	}
}

func (p *probe) wantTrue(what string, a answer) {
	p.Helper()
	p.wantJSON(what, a, http.StatusOK, "true")
}

// canonical is JSON with sorted keys.
func canonical(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	raw, _ := json.Marshal(v)
	return string(raw)
}
