// Package e2e holds the tests that run real OpenCode binaries (package lab).
// They are behind the build tag e2e:
//
//	go test -tags e2e ./e2e/...
//
// Inside that step nothing is skipped.
package e2e
