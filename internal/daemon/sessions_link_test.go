package daemon_test

import (
	"net/http"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
)

// The plugin lets people drive only where it is told so.
func TestSessions_LinksAreToldWhetherPeopleDrive(t *testing.T) {
	for _, on := range []bool{true, false} {
		rig.Play(t, func(c *config.Config) { c.Remote = on }, func(r *rig.Rig) {
			code, text := r.Request("POST", "/v1/link", `{"protocol":1,"instance":"i","process":"p","directory":"/d"}`)
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
