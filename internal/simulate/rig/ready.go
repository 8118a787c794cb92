package rig

import (
	"net/http"
	"net/http/httptest"
	"strings"
)

// GetFrom puts a GET to a handler without a server.
func GetFrom(handler http.Handler, path string) (int, string) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Code, w.Body.String()
}

// WantReady fails the test unless /readyz gives all of these reasons, or says that
// it is ready if there is none. It needs no token.
func (r *Rig) WantReady(reasons ...string) {
	r.T.Helper()
	code, text := r.Request("GET", "/readyz", "", "Authorization", "")
	want := http.StatusOK
	if len(reasons) > 0 {
		want = http.StatusServiceUnavailable
	}
	for _, reason := range reasons {
		if !strings.Contains(text, reason) {
			r.T.Errorf("/readyz lacks %q: %s", reason, text)
		}
	}
	if code != want {
		r.T.Errorf("/readyz is %d %s", code, text)
	}
}
