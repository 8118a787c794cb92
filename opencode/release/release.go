// Package release knows OpenCode's version numbers: which of them hermes is tested
// with, and which came after which.
package release

import (
	"cmp"
	"fmt"
	"slices"
)

// The ends of the range that hermes supports. Both are played in all tests with real
// binaries; every patch of Newest's minor version is taken to work.
const (
	Oldest = "1.1.53"
	Newest = "1.18.34"
)

// second is the minor version of OpenCode 2 that hermes' stand-in plays, from recordings of a
// preview and from the source of its releases.
var second = number{major: 2}

// between are the releases of that range with which the main scenes are played, the
// older first. What lies between the releases that are played is taken to work.
var between = [...]string{"1.2.27", "1.14.41", "1.15.13", "1.17.18"}

// Between lists the releases that are played besides Oldest and Newest, the older first.
func Between() []string { return slices.Clone(between[:]) }

// Versions lists all releases that are played, the oldest first.
func Versions() []string { return slices.Concat([]string{Oldest}, between[:], []string{Newest}) }

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
func (n number) isNightly() bool { return n == number{} }

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

// Tested reports whether the version is one that hermes is tested with: in the range of real
// binaries, or of the minor version of OpenCode 2 that the stand-in plays. What hermes says of
// versions, in the log and in hermes doctor, stands on this alone.
func Tested(version string) bool {
	n, ok := parse(version)
	oldest, newest := testedEnds()
	newest.patch = n.patch
	return ok && (n.compare(oldest) >= 0 && n.compare(newest) <= 0 || n.major == second.major && n.minor == second.minor)
}

// Outside says how a version is not in that range, to go on after "OpenCode 1.0.5": "is
// older than all that hermes is tested with, 1.1.53 to 1.18 and 2.0". It is empty for a version
// that is Tested.
func Outside(version string) string {
	n, ok := parse(version)
	oldest, newest := testedEnds()
	switch {
	case Tested(version):
		return ""
	case !ok:
		return "has a version that hermes cannot read; it is tested with " + Range()
	case n.isNightly():
		return "is a build of the day; hermes is tested with releases, " + Range()
	case n.compare(oldest) < 0:
		return "is older than all that hermes is tested with, " + Range()
	case n.major == newest.major:
		return fmt.Sprintf("is newer than all of %d.x that hermes is tested with, %s", n.major, Range())
	}
	return "is newer than all that hermes is tested with, " + Range()
}

// Range is what hermes is tested with, in words: "1.1.53 to 1.18 and 2.0".
func Range() string {
	_, newest := testedEnds()
	return fmt.Sprintf("%s to %d.%d and %d.%d", Oldest, newest.major, newest.minor, second.major, second.minor)
}

func testedEnds() (oldest, newest number) {
	oldest, _ = parse(Oldest)
	newest, _ = parse(Newest)
	return oldest, newest
}
