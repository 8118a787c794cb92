// Package e2e holds the tests that run real OpenCode binaries (package lab).
// They are behind the build tag e2e:
//
//	go test -tags e2e ./e2e/...
//
// That plays the spine, with the newest version by one way each, and what only a real
// OpenCode can tell. With TESTS=full every scene in which OpenCode has a part is played
// with the oldest and the newest version by every way in (entries_test.go says which scenes
// are not), and the main scenes with those between them (versions_test.go). A full run
// holds README.md's table of versions to what was played; with -update it writes it.
//
// Inside either step nothing that it needs may be missing: a missing program fails.
package e2e
