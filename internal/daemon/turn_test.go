package daemon_test

import (
	"encoding/json"
	"testing"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/simulate/rig"
)

// A hermes that has a lease tells how it stands; one that is alone tells nothing of one.
func TestStatus_Lease(t *testing.T) {
	lease := func(r *rig.Rig) *api.Lease {
		var s api.Status
		if code, body := r.Request("GET", "/v1/status", ""); json.Unmarshal([]byte(body), &s) != nil || code != 200 {
			t.Fatalf("%d %s", code, body)
		}
		return s.Lease
	}
	rig.Play(t, nil, func(r *rig.Rig) {
		if got := lease(r); got != nil {
			t.Errorf("without HERMES_STORE: %+v", got)
		}
	})
	rig.PlayWrapped(t, rig.WithLease, func(c *config.Config) { c.PublicURL = "https://one.test" }, func(r *rig.Rig) {
		if got := lease(r); got == nil || got.Address != "https://one.test" || got.Epoch != 7 || got.Age != 1.5 || got.Delay != 0.004 {
			t.Errorf("with it: %+v", got)
		}
	})
}
