package release_test

import (
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
		"1.1.52": false, "1.2.0": true, "1.18.99": true, "1.19.0": false, "2.0.1": false,
		"0.0.0-dev-202609212252": false, "": false, "1.18": false,
	} {
		if got := release.Tested(version); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
	if got := release.Range(); got != "1.1.53 to 1.18" {
		t.Errorf("the range is %q", got)
	}
}
