package deploy_test

import (
	"strings"
	"testing"

	"hermes/deploy"
)

// A hermes without a file needs no folder for one: systemd would not start a unit that names one that is not there.
func TestSystemdUnit_NeedsNoFolderOfADatabase(t *testing.T) {
	for line := range strings.Lines(deploy.SystemdUnit()) {
		if paths, ok := strings.CutPrefix(line, "ReadWritePaths="); ok && !strings.HasPrefix(paths, "-") {
			t.Errorf("systemd wants %s to be there", strings.TrimSpace(paths))
		}
	}
}
