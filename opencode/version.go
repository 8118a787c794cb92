package opencode

import "hermes/opencode/release"

// hasV2 reports whether this version has the routes under /api.
func hasV2(version string) bool { return release.Since(version, 1, 16, 0) }
