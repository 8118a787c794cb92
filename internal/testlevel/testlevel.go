// Package testlevel says how much of a long test is played. Tests are quick, so that one
// package's take half a minute: a table that is played a thousand ways gives a fixed
// sample. With TESTS=full in the environment everything is played; `make matrix` sets it, and .ci/run for the scenes with OpenCode alone.
//
// The race detector, which makes a program ten times as slow, is for quick tests.
package testlevel

import (
	"fmt"
	"os"
	"testing"
)

// Full reports whether to play everything.
func Full() bool {
	switch level := os.Getenv("TESTS"); level {
	case "", "quick":
		return false
	case "full":
		return true
	default:
		panic(fmt.Sprintf("TESTS is %q; it may be quick, which is the default, or full", level))
	}
}

// Choose returns one of two sizes of a test: how many seeds, steps or seconds.
func Choose[T any](quick, full T) T {
	if Full() {
		return full
	}
	return quick
}

// FullOnly skips a test that has no quick form.
func FullOnly(t testing.TB) {
	t.Helper()
	if !Full() {
		t.Skip("played with TESTS=full")
	}
}
