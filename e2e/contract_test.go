//go:build e2e

package e2e_test

import (
	"net/http"
	"testing"

	"hermes/e2e/lab"
	"hermes/internal/simulate/opencodesim/contract"
	"hermes/internal/testlevel"
)

// TestContract holds the contract that the simulator keeps against the real
// servers. What fails here is a fact that changed, or one that was never true.
func TestContract(t *testing.T) {
	testlevel.FullOnly(t)
	eachVersion(t, func(t *testing.T, version string) {
		oc := lab.Start(t, version, lab.Serve, lab.Options{Password: "secret", Config: lab.AskForAll})
		contract.Run(t, contract.Target{
			Version: version, URL: oc.URL, Transport: http.DefaultTransport,
			Password: "secret",
			Dir:      oc.Dir, OtherDir: lab.NewProject(t), Agent: lab.Agent,
			Restart: oc.Restart, Exists: lab.Exists,
		})
	})
}
