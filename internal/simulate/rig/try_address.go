package rig

import (
	"regexp"
	"testing"
	"time"

	"hermes/internal/simulate/testenv"
)

var addressForm = regexp.MustCompile(`http://\S+/\?token=\S+`)

// PrintedAddress waits for the address of the page in the output of hermes try.
func PrintedAddress(t *testing.T, out *testenv.LockedBuffer, ended <-chan error) string {
	t.Helper()
	late := time.After(3 * time.Minute)
	for {
		if address := addressForm.FindString(out.String()); address != "" {
			return address
		}
		select {
		case err := <-ended:
			t.Fatalf("hermes try ended: %v\n%s", err, out.String())
		case <-late:
			t.Fatalf("hermes try prints no address:\n%s", out.String())
		case <-time.After(10 * time.Millisecond): // a process on the other side: there is nothing to wait on
		}
	}
}
