package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// results are the figures of benchmarks by name and unit, as "Process/open=0 MB-resident".
type results map[string]float64

var processors = regexp.MustCompile(`-\d+$`)

// readResults reads the output of go test -bench, to its end also where a benchmark has failed, so that all of it is shown. Of several runs the lowest
// figure counts.
func readResults(in io.Reader) (results, error) {
	all, lines := results{}, bufio.NewScanner(in)
	var failed error
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL") || strings.HasPrefix(line, "panic:") {
			failed = cmp.Or(failed, fmt.Errorf("a benchmark has failed: %s", line))
		}
		if err := all.add(strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("%w: %s", err, line)
		}
	}
	if err := cmp.Or(failed, lines.Err()); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("nothing was measured")
	}
	return all, nil
}

// add takes a line such as "BenchmarkProcess/open=0-2  1  0 ns/op  20.9 MB-binary"; other lines are none of a benchmark.
func (r results) add(words []string) error {
	if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") || len(words)%2 != 0 {
		return nil
	}
	name := processors.ReplaceAllString(strings.TrimPrefix(words[0], "Benchmark"), "")
	for i := 2; i < len(words); i += 2 {
		n, err := strconv.ParseFloat(words[i], 64)
		if err != nil {
			return err
		}
		key := name + " " + words[i+1]
		if was, known := r[key]; !known || n < was {
			r[key] = n
		}
	}
	return nil
}
