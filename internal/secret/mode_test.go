package secret_test

import (
	"io/fs"
	"testing"

	"hermes/internal/secret"
)

func TestModes_OfOthers(t *testing.T) {
	for _, c := range []struct {
		mode              fs.FileMode
		exposed, writable bool
	}{
		{0o600, false, false},
		{0o700, false, false},
		{0o640, true, false},
		{0o604, true, false},
		{0o620, true, true},
		{0o602, true, true},
		{0o611, true, false},
	} {
		// Where no modes are kept, nothing may be said of anybody.
		if got := secret.IsExposed(c.mode); got != (c.exposed && secret.ModesKept) {
			t.Errorf("others can use a file of mode %04o: %t", c.mode, got)
		}
		if got := secret.IsWritable(c.mode); got != (c.writable && secret.ModesKept) {
			t.Errorf("others can write a file of mode %04o: %t", c.mode, got)
		}
	}
}
