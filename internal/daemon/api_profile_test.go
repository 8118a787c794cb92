package daemon_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"hermes/internal/secret"
	"hermes/internal/simulate/rig"
)

// Profiles are for this machine, with the API's token; nothing else leads to one.
func TestProfile_WhoMayFetchIt(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		get := func(path, from string) *httptest.ResponseRecorder {
			req := httptest.NewRequest(http.MethodGet, path, nil)
			req.RemoteAddr = from
			w, mux := httptest.NewRecorder(), http.NewServeMux()
			mux.Handle("GET /v1/profile/{name}", r.Daemon.Routes()["GET /v1/profile/{name}"])
			mux.ServeHTTP(w, req)
			return w
		}
		gzip := []byte{0x1f, 0x8b}
		for _, name := range []string{"heap", "goroutine", "allocs"} {
			if w := get("/v1/profile/"+name, "127.0.0.1:5000"); w.Code != http.StatusOK || !bytes.HasPrefix(w.Body.Bytes(), gzip) {
				t.Errorf("%s: %d, %d bytes", name, w.Code, w.Body.Len())
			}
		}
		for path, code := range map[string]int{"/v1/profile/heap": http.StatusForbidden, "/v1/profile/cpu": http.StatusForbidden} {
			if w := get(path, "192.0.2.7:5000"); w.Code != code {
				t.Errorf("%s from elsewhere: %d", path, w.Code)
			}
		}
		if w := get("/v1/profile/secrets", "127.0.0.1:5000"); w.Code != http.StatusNotFound {
			t.Errorf("of no such profile: %d", w.Code)
		}
		for _, token := range []secret.Text{"", "hermes_link_wrong"} {
			if code, _ := r.RequestAs(token, http.MethodGet, "/v1/profile/heap", ""); code != http.StatusUnauthorized {
				t.Errorf("with the token %q: %d", token, code)
			}
		}
		if code, _ := r.Request(http.MethodGet, "/debug/pprof/", ""); code != http.StatusNotFound {
			t.Errorf("/debug/pprof/: %d", code)
		}
	})
}
