//go:build e2e

package e2e_test

import (
	"net/http"
	"os"
	"syscall"
	"testing"

	"hermes/e2e/lab"
	"hermes/internal/simulate/opencode2sim/contract"
	"hermes/internal/simulate/opencodesim/model"
)

// TestContract_Opencode2 holds the contract that package opencode2sim keeps against the
// binary of OpenCode 2.x that HERMES_TEST_OPENCODE2 names; and against the stand-in over a
// socket, so that what starts the binary is known to work.
func TestContract_Opencode2(t *testing.T) {
	for name, shape := range standInShapes {
		t.Run("stand-in/"+name, func(t *testing.T) { holdContract(t, newStandIn(t, shape)) })
	}
	t.Run("real", func(t *testing.T) {
		bin := os.Getenv("HERMES_TEST_OPENCODE2")
		if bin == "" {
			t.Skip("HERMES_TEST_OPENCODE2 names no binary of OpenCode 2.x: the contract of 2.x is held against the stand-in alone")
		}
		holdContract(t, newOpencode2(t, bin))
	})
}

func holdContract(t *testing.T, oc *opencode2) {
	oc.start()
	contract.Run(t, contract.Target{
		Release: oc.release(), URL: oc.url, Transport: http.DefaultTransport, Password: opencode2Password,
		Dir: lab.NewProject(t), OtherDir: lab.NewProject(t), Agent: model.Agent,
		Restart: func() { oc.end(syscall.SIGTERM); oc.start() },
		Kill:    func() { oc.end(syscall.SIGKILL); oc.start() },
	})
}
