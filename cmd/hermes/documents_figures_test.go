//go:build linux

package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"hermes/internal/testlevel"
)

// docs/benchmarks.md tells the size of the binary as it is, within three per cent. The table has another time of writing than
// the code; make figures writes it anew.
func TestDocuments_BinarySize(t *testing.T) {
	testlevel.FullOnly(t) // the binary is built without debug information, which compiles most packages again
	page, err := os.ReadFile("../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "\n| binary | under 20 MB | ")
	var told float64
	if _, err := fmt.Sscanf(rest, "%f MB", &told); !found || err != nil {
		t.Fatalf("docs/benchmarks.md does not tell the size of the binary: %v", err)
	}
	info, err := os.Stat(buildHermes(t))
	if err != nil {
		t.Fatal(err)
	}
	if is := float64(info.Size()) / 1e6; math.Abs(is-told) > 0.03*is {
		t.Errorf("docs/benchmarks.md says that the binary has %.1f MB, and it has %.1f; make figures writes what is", told, is)
	}
}
