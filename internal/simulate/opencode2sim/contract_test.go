package opencode2sim_test

import (
	"testing"

	"hermes/internal/simulate/opencode2sim"
	"hermes/internal/simulate/opencode2sim/contract"
	"hermes/internal/simulate/opencodesim/model"
)

// TestContract holds both shapes to the contract.
func TestContract(t *testing.T) {
	for name, shape := range map[string]opencode2sim.Shape{"preview": opencode2sim.Preview, "release": opencode2sim.Release} {
		t.Run(name, func(t *testing.T) {
			s := opencode2sim.New(opencode2sim.Options{Shape: shape, Password: "secret"})
			defer s.Stop()
			contract.Run(t, contract.Target{
				Release: shape == opencode2sim.Release, URL: "http://opencode", Transport: s.Transport(), Password: "secret",
				Dir: "/home/ada/a", OtherDir: "/home/ada/b", Agent: model.Agent,
				Restart: s.Restart, Kill: func() { s.Kill(); s.Start() },
			})
		})
	}
}
