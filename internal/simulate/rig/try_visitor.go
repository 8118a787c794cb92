package rig

import (
	"regexp"
	"testing"
	"time"

	"hermes/internal/simulate/testenv"
)

// VisitorPatience is how long anything that the page shows may take: the whole of the tests may run beside it.
const VisitorPatience = 3 * time.Minute

var addressForm = regexp.MustCompile(`http://\S+/\?token=\S+`)

func PrintedAddress(t *testing.T, out *testenv.LockedBuffer, ended <-chan error) string {
	t.Helper()
	late := time.After(VisitorPatience)
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
