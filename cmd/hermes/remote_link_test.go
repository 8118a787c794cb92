package main

import (
	"net/http"
	"strings"
	"testing"
)

// The plugin lets people drive only where it is told so.
func TestLinksAreToldWhetherPeopleDrive(t *testing.T) {
	for _, on := range []bool{true, false} {
		play(t, func(c *config) { c.Remote = on }, func(r *rig) {
			code, text := r.request("POST", "/v1/link", `{"protocol":1,"instance":"i","process":"p","directory":"/d"}`)
			want := `"remote":false`
			if on {
				want = `"remote":true`
			}
			if code != http.StatusOK || !strings.Contains(text, want) {
				t.Errorf("HERMES_REMOTE=%v: the link was answered with %d %s", on, code, text)
			}
		})
	}
}
