package contract

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hermes/internal/simulate/probe"
)

// prober is one check's view of the target.
type prober struct {
	*probe.Probe
	Target
}

func newProber(t *testing.T, target Target) *prober {
	return &prober{probe.New(t, target.URL, target.Transport, target.Username, target.Password), target}
}

// decode reads a JSON answer of status 200.
func (p *prober) decode(a probe.Answer, into any) {
	p.Helper()
	if a.Status != http.StatusOK || !a.IsJSON() {
		p.Fatalf("want 200 with JSON, got %d %s: %s", a.Status, a.Kind, a.Body)
	}
	if err := json.Unmarshal([]byte(a.Body), into); err != nil {
		p.Fatalf("%v in %s", err, a.Body)
	}
}

func (p *prober) get(path string) probe.Answer {
	p.Helper()
	return p.send(http.MethodGet, path, p.Dir, "", "")
}

// post sends a JSON body, or none if it is nil, to directory Dir.
func (p *prober) post(path string, body any) probe.Answer {
	p.Helper()
	return p.postIn(p.Dir, path, body)
}

func (p *prober) postIn(dir, path string, body any) probe.Answer {
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

func (p *prober) send(method, path, dir, kind, body string) probe.Answer {
	p.Helper()
	return p.Send(method, path+query(path, dir), kind, body)
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

func (p *prober) wantTrue(what string, a probe.Answer) {
	p.Helper()
	p.WantJSON(what, a, http.StatusOK, "true")
}
