// Package release knows OpenCode's version numbers: which of them hermes is tested
// with, and which came after which.
package release

import (
	"cmp"
	"fmt"
)

// The releases that hermes is tested with: the oldest that it supports and a current
// one. Everything between them is taken to work, and every patch of Newest's minor version.
const (
	Oldest = "1.1.53"
	Newest = "1.18.33"
)

// number is a version's three numbers.
type number struct{ major, minor, patch int }

func parse(version string) (n number, ok bool) {
	read, _ := fmt.Sscanf(version, "%d.%d.%d", &n.major, &n.minor, &n.patch)
	return n, read == 3
}

func (n number) compare(m number) int {
	return cmp.Or(cmp.Compare(n.major, m.major), cmp.Compare(n.minor, m.minor), cmp.Compare(n.patch, m.patch))
}

// isNightly reports whether it is a build of the day, which are all called 0.0.0-dev-….
func (n number) isNightly() bool { return n.major == 0 }

// Since reports whether the version is the given one or a later one, as a nightly build
// is. It reports false for a text that is no version.
func Since(version string, major, minor, patch int) bool {
	n, ok := parse(version)
	return ok && (n.isNightly() || n.compare(number{major, minor, patch}) >= 0)
}

// IsSecond reports whether the version is of OpenCode 2, or of a later one. A build that is
// called 0.0.0-… does not say.
func IsSecond(version string) bool {
	n, ok := parse(version)
	return ok && n.major >= 2
}

// Tested reports whether the version is in the range that hermes is tested with.
func Tested(version string) bool {
	n, ok := parse(version)
	oldest, newest := testedEnds()
	newest.patch = n.patch
	return ok && n.compare(oldest) >= 0 && n.compare(newest) <= 0
}

// Range is that range in words: "1.1.53 to 1.18".
func Range() string {
	_, newest := testedEnds()
	return fmt.Sprintf("%s to %d.%d", Oldest, newest.major, newest.minor)
}

func testedEnds() (oldest, newest number) {
	oldest, _ = parse(Oldest)
	newest, _ = parse(Newest)
	return oldest, newest
}
