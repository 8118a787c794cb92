package relay

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// several are hermes that share a store, at a.test and b.test: the one that acts is the hub.
type several struct {
	hub     *hub
	mu      sync.Mutex
	is      map[string]string // "acts", "standby", "hangs", "dead"
	strange []string
}

func (s *several) set(host, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.is[host] = what
}

// RoundTrip implements http.RoundTripper.
func (s *several) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	what, known := s.is[r.URL.Host]
	if !known {
		s.strange = append(s.strange, r.URL.Host)
	}
	s.mu.Unlock()
	switch {
	case what == "standby":
		return says(503, `{"error":"a standby","standby":true,"acting":"https://elsewhere.test"}`), nil
	case what == "hangs":
		<-r.Context().Done()
		return nil, r.Context().Err()
	case what != "acts":
		return nil, errors.New("connection refused")
	case r.Method == http.MethodGet && r.URL.Path == "/v1/link":
		return says(200, `{"name":"laptop"}`), nil
	}
	r = r.Clone(r.Context())
	r.URL.Host = "hermes.test"
	return s.hub.RoundTrip(r)
}

func TestFailover_TheLinkIsOpenedWhereHermesActs(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*several)
		most time.Duration // until the other one has the link, which acts seven seconds after the end
	}{
		"released": {func(s *several) { s.set("a.test", "standby"); s.set("b.test", "acts") }, 7 * time.Second},
		"killed":   {func(s *several) { s.set("a.test", "dead") }, 9 * time.Second},
		"deposed":  {func(s *several) { s.set("a.test", "standby") }, 9 * time.Second},
		"paused":   {func(s *several) { s.set("a.test", "hangs") }, 9 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			h := &hub{}
			s := &several{hub: h, is: map[string]string{"a.test": "acts", "b.test": "standby"}}
			playAt(t, h, s, func(w world) {
				w.wait(time.Minute)
				h.do(func() {
					if len(h.hellos) != 1 {
						t.Errorf("a link that stands was opened %d times", len(h.hellos))
					}
				})
				c.end(s)
				w.wait(7 * time.Second)
				s.set("b.test", "acts")
				w.wait(c.most - 7*time.Second)
				h.do(func() {
					if len(h.hellos) != 2 {
						t.Errorf("%d hellos\n%s", len(h.hellos), w.log)
					}
				})
				if len(s.strange) > 0 {
					t.Errorf("requests went to %q", s.strange)
				}
			}, "https://a.test", "https://b.test/")
		})
	}
}

func TestFailover_StandbysAlone(t *testing.T) {
	h := &hub{}
	s := &several{hub: h, is: map[string]string{"a.test": "standby"}}
	playAt(t, h, s, func(w world) {
		w.wait(time.Minute)
		if got := w.log.String(); strings.Count(got, "no hermes acts at the URLs of the link") != 1 {
			t.Errorf("it says\n%s", got)
		}
		s.set("a.test", "acts")
		w.wait(1100 * time.Millisecond)
		h.do(func() {
			if len(h.hellos) != 1 {
				t.Errorf("%d hellos", len(h.hellos))
			}
		})
	}, "https://a.test")
}
