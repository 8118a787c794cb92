// Command figures writes what benchmarks measured into docs/benchmarks.md. It reads the
// output of go test -bench from standard input, takes the best of several runs, and writes
// the table between two marks of the page. What was not measured now stays as it was. It
// fails, and writes nothing, if a benchmark has failed or nothing was measured.
//
//	go test -run '^$' -bench Process ./cmd/hermes | go run ./internal/tools/figures docs/benchmarks.md
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader) error {
	if len(args) != 1 {
		return fmt.Errorf("want the page as the only argument, got %q", args)
	}
	measured, err := readResults(io.TeeReader(in, os.Stderr))
	if err != nil {
		return err
	}
	page, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	written, err := withFigures(string(page), measured)
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], []byte(written), 0o644)
}
