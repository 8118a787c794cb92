package opencodesim_test

import (
	"testing"

	"hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/opencodesim/contract"
)

// TestContract holds the simulator to what the real binaries do.
func TestContract(t *testing.T) {
	for _, version := range []string{opencodesim.VersionOld, opencodesim.VersionNew} {
		t.Run(version, func(t *testing.T) {
			s := opencodesim.New(opencodesim.Options{Version: version, Password: "secret"})
			contract.Run(t, contract.Target{
				Version: version, URL: "http://opencode", Transport: s.Transport(),
				Password: "secret",
				Dir:      s.Directory(), OtherDir: "/home/ada/other", Agent: "asker",
				Restart: s.Restart, Exists: s.Exists,
			})
		})
	}
}
