package link_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hermes/internal/secret"
	"hermes/opencode/link"
)

// laptop is the token of a link with the name "laptop"; a revoked one has the form of a token as well.
var laptop, revoked = link.NewToken(), link.NewToken()

func access() link.Access {
	return link.Access{API: "secret", Link: func(h link.Hash) (string, bool) { return "laptop", h == link.HashOf(laptop) }}
}

func TestAccess_Tokens(t *testing.T) {
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			w.WriteHeader(599)
		}
	})
	for _, c := range []struct {
		name, authorization, origin string
		size                        int
		length                      int64
		api, links                  int
	}{
		{"API's", "Bearer secret", "", 10, 10, 200, 200},
		{"scheme in lower case", "bearer secret", "", 0, 0, 200, 200},
		{"link's", "Bearer " + laptop.Reveal(), "", 10, 10, 403, 200},
		{"revoked", "Bearer " + revoked.Reveal(), "", 10, 10, 401, 401},
		{"link's with more", "Bearer " + laptop.Reveal() + "x", "", 0, 0, 401, 401},
		{"link's cut short", "Bearer " + laptop.Reveal()[:50], "", 0, 0, 401, 401},
		{"name of a link", "Bearer laptop", "", 0, 0, 401, 401},
		{"none", "", "", 0, 0, 401, 401},
		{"wrong", "Bearer secre", "", 0, 0, 401, 401},
		{"longer", "Bearer secretx", "", 0, 0, 401, 401},
		{"no scheme", "secret", "", 0, 0, 401, 401},
		{"other scheme", "Basic secret", "", 0, 0, 401, 401},
		{"web page", "Bearer secret", "http://evil.example", 0, 0, 403, 403},
		{"web page without origin", "Bearer " + laptop.Reveal(), "null", 0, 0, 403, 403},
		{"announced too large", "Bearer secret", "", 10, link.MaxBody + 1, 413, 413},
		{"too large unannounced", "Bearer secret", "", link.MaxBody + 1, -1, 599, 599},
	} {
		for _, guarded := range []struct {
			path    string
			handler http.Handler
			want    int
		}{{"/v1/questions", access().Guard(next), c.api}, {"/v1/link", access().GuardLinks(next), c.links}} {
			t.Run(c.name+guarded.path, func(t *testing.T) {
				r := httptest.NewRequest("POST", guarded.path, bytes.NewReader(make([]byte, c.size)))
				r.ContentLength = c.length
				r.Header.Set("Authorization", c.authorization)
				if c.origin != "" {
					r.Header.Set("Origin", c.origin)
				}
				w := httptest.NewRecorder()
				guarded.handler.ServeHTTP(w, r)
				if body := w.Body.String(); w.Code != guarded.want || strings.Contains(body, "secret") || strings.Contains(body, laptop.Reveal()) {
					t.Errorf("got %d %s, want %d", w.Code, body, guarded.want)
				}
			})
		}
	}
}

func TestAccess_WithoutAPIToken(t *testing.T) {
	for _, authorization := range []string{"", "Bearer", "Bearer ", "Bearer  "} {
		r := httptest.NewRequest("GET", "/v1/link", nil)
		r.Header.Set("Authorization", authorization)
		for _, h := range []http.Handler{link.Access{}.Guard(http.NotFoundHandler()), link.Access{}.GuardLinks(http.NotFoundHandler())} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != 401 {
				t.Errorf("%q was let through where no token is set: %d", authorization, w.Code)
			}
		}
	}
}

func TestToken_Form(t *testing.T) {
	if laptop == revoked || !link.IsToken(laptop) || link.HashOf(laptop) == link.HashOf(revoked) {
		t.Error("a new token is not new, or has no token's form")
	}
	for _, other := range []secret.Text{"", "hermes_link_", "hermes_link_short", laptop + "x", laptop + "\n", "x" + laptop, secret.Text(strings.Repeat("A", 43))} {
		if link.IsToken(other) {
			t.Errorf("a text of %d characters passes for a link's token", len(other))
		}
	}
}
