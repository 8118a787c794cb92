package apiclient_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/standby"
)

// Where nobody acts, people read the reason of a standby, and each address once.
func TestClient_SaysWhyNobodyActs(t *testing.T) {
	const own, other, away = "http://127.0.0.1:4097", "http://127.0.0.2:4097", "the database of HERMES_STORE does not answer"
	synctest.Test(t, func(t *testing.T) {
		c := config.Config{Listen: "127.0.0.1:4097", HookToken: "0123456789abcdef", PublicURL: own, PeerURLs: []string{other}}
		hermes := apiclient.New(c, roundTripper(func(*http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			api.Reply(w, http.StatusServiceUnavailable, standby.Reply{Error: away, Standby: true})
			return w.Result(), nil
		}))
		_, err := hermes.Questions(t.Context())
		const begin, end = "none of the hermes at " + own + ", " + other + " acts now; the one at ", " says: " + away
		if err == nil || (err.Error() != begin+own+end && err.Error() != begin+other+end) {
			t.Errorf("got %v", err)
		}
		if why := hermes.WhyNotActing(t.Context()); why != away {
			t.Errorf("of this machine: %q", why)
		}
	})
}

// The hermes of this machine that acts, or refuses the token, is not said to stand by; one that does not run is missed.
func TestClient_WhyNotActing(t *testing.T) {
	for status, want := range map[int]string{http.StatusOK: "", http.StatusUnauthorized: ""} {
		c := config.Config{Listen: "127.0.0.1:4097", HookToken: "0123456789abcdef"}
		hermes := apiclient.New(c, roundTripper(func(*http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			w.WriteHeader(status)
			return w.Result(), nil
		}))
		if why := hermes.WhyNotActing(t.Context()); why != want {
			t.Errorf("HTTP %d: %q", status, why)
		}
	}
	c := config.Config{Listen: closedPort(t), HookToken: "0123456789abcdef"}
	if why := apiclient.New(c, nil).WhyNotActing(t.Context()); why != "none runs at http://"+c.Listen {
		t.Errorf("where nothing listens: %q", why)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
