package main

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hermes/internal/simulate/rig"
)

// pair is two hermes that share a store: this machine's and b.example. One of the two acts, which is the rig's daemon.
type pair struct {
	r       *rig.Rig
	mu      sync.Mutex
	acts    string // which one: "a" or "b"; else nobody
	gone    bool   // nothing listens at a
	strange []string
}

func (p *pair) set(acts string, gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acts, p.gone = acts, gone
}

// RoundTrip implements http.RoundTripper.
func (p *pair) RoundTrip(req *http.Request) (*http.Response, error) {
	at := map[string]string{"127.0.0.1:4097": "a", "a.example": "a", "b.example": "b"}[req.URL.Host]
	p.mu.Lock()
	acts, gone := p.acts, p.gone
	if at == "" {
		p.strange = append(p.strange, req.URL.Host)
	}
	p.mu.Unlock()
	switch {
	case at == "a" && gone:
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	case at != acts:
		return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(
			`{"error":"a standby","standby":true,"acting":"https://elsewhere.example"}`))}, nil
	}
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host = "http", "127.0.0.1:4097"
	return p.r.RoundTrip(req)
}

// A takeover while hermes ask waits: it asks once, and gets the answer from the hermes that took over.
func TestAsk_ATakeover(t *testing.T) {
	for name, takeover := range map[string]func(*rig.Rig, *pair){
		"released": func(r *rig.Rig, p *pair) { p.set("b", false) },
		"killed": func(r *rig.Rig, p *pair) {
			p.set("", true)
			r.Wait(8 * time.Second)
			p.set("b", true)
		},
		"the database is away for a minute": func(r *rig.Rig, p *pair) {
			p.set("", false)
			r.Wait(time.Minute)
			p.set("b", false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				p := &pair{r: r, acts: "a"}
				r.Config.PublicURL, r.Config.PeerURLs = "https://a.example", []string{"https://b.example"}
				a := askThrough(r, p.RoundTrip, deployOrNot()...)
				takeover(r, p)
				r.Wait(30 * time.Second) // the poll that is held ends
				shown := r.Last().ID
				r.Tap("1.")
				r.Wait(30 * time.Second)
				a.ended(0, "yes\n", "")
				if r.Last().ID != shown || len(p.strange) > 0 {
					t.Errorf("another question came (%d after %d), or requests went to %q", r.Last().ID, shown, p.strange)
				}
			})
		})
	}
}
