package rig

import (
	"net/http"
)

// Metrics is GET /metrics.
func (r *Rig) Metrics() string {
	r.T.Helper()
	code, text := r.Request("GET", "/metrics", "")
	if code != http.StatusOK {
		r.T.Errorf("GET /metrics gives %d %s", code, text)
	}
	if code, _ := r.Request("GET", "/metrics", "", "Authorization", ""); code != http.StatusUnauthorized {
		r.T.Errorf("GET /metrics without the token gives %d", code)
	}
	return text
}
