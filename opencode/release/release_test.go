package release_test

import (
	"fmt"
	"testing"

	"hermes/opencode/release"
)

func TestSince(t *testing.T) {
	for version, want := range map[string]bool{
		"1.1.53": false, "1.15.13": false, "1.16.0": true, "1.18.33": true, "0.0.0-dev-202609212252": true,
		"2.0.1": true, "": false, "1": false, "local": false,
	} {
		if got := release.Since(version, 1, 16, 0); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
	if release.Since("1.15.7", 1, 15, 8) || !release.Since("1.15.8", 1, 15, 8) {
		t.Error("patches are not compared")
	}
}

func TestIsSecond(t *testing.T) {
	for version, want := range map[string]bool{
		"2.0.0-v2.44b6938b2": true, "2.0.17": true, "3.1.0": true, "1.18.33": false, "0.0.0-dev-202609212252": false, "": false, "local": false,
	} {
		if got := release.IsSecond(version); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
}

func TestTested(t *testing.T) {
	for version, want := range map[string]bool{
		release.Oldest: true, release.Newest: true,
		"1.1.52": false, "1.2.0": true, "1.18.99": true, "1.19.0": false, "2.0.1": true, "2.0.0-v2.44b6938b2": true, "2.1.0": false, "3.0.0": false,
		"0.0.0-dev-202609212252": false, "": false, "1.18": false,
	} {
		if got := release.Tested(version); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
	for version, want := range map[string]string{
		"1.1.53": "", "1.18.99": "",
		"1.1.52":  "is older than all that hermes is tested with, 1.1.53 to 1.18 and 2.0",
		"0.15.31": "is older than all that hermes is tested with, 1.1.53 to 1.18 and 2.0",
		"1.19.0":  "is newer than all of 1.x that hermes is tested with, 1.1.53 to 1.18 and 2.0",
		"2.0.22":  "",
		"2.1.0":   "is newer than all that hermes is tested with, 1.1.53 to 1.18 and 2.0",
		"local":   "has a version that hermes cannot read; it is tested with 1.1.53 to 1.18 and 2.0",

		"0.0.0-dev-202609212252": "is a build of the day; hermes is tested with releases, 1.1.53 to 1.18 and 2.0",
	} {
		if got := release.Outside(version); got != want {
			t.Errorf("%q %s, want %q", version, got, want)
		}
	}
	if got := release.Range(); got != "1.1.53 to 1.18 and 2.0" {
		t.Errorf("the range is %q", got)
	}
}

func TestVersions_AreInOrder(t *testing.T) {
	all := release.Versions()
	if all[0] != release.Oldest || all[len(all)-1] != release.Newest || len(all) != len(release.Between())+2 {
		t.Errorf("the versions are %q", all)
	}
	for n, v := range all {
		var major, minor, patch int
		if _, err := fmt.Sscanf(v, "%d.%d.%d", &major, &minor, &patch); err != nil || !release.Tested(v) {
			t.Errorf("%q is no tested release: %v", v, err)
		}
		if n > 0 && release.Since(all[n-1], major, minor, patch) {
			t.Errorf("%s is not after %s", v, all[n-1])
		}
	}
}
