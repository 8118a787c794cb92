package opencode

import "fmt"

// hasV2 reports whether this version has the routes under /api: 1.16 and later,
// and the nightly builds, which are all called 0.0.0-dev-….
func hasV2(version string) bool {
	major, minor, ok := parseVersion(version)
	return ok && (major == 0 || major > 1 || major == 1 && minor >= 16)
}

func parseVersion(version string) (major, minor int, ok bool) {
	n, err := fmt.Sscanf(version, "%d.%d.", &major, &minor)
	return major, minor, err == nil && n == 2
}
