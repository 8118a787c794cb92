package main

import (
	"maps"
	"os"
	"strings"
	"testing"
)

func TestReadResults(t *testing.T) {
	tests := map[string]struct {
		in   string
		want results // nil: an error
	}{
		"the best of several": {
			"goos: linux\nBenchmarkA/open=0-2 \t 1\t 0 ns/op\t 20.5 MB-x\nBenchmarkA/open=0-2 \t 1\t 0 ns/op\t 19.5 MB-x\t 3 B/op\nPASS\nok \thermes/a\t1s\n",
			results{"A/open=0 ns/op": 0, "A/open=0 MB-x": 19.5, "A/open=0 B/op": 3},
		},
		"one processor":     {"BenchmarkA 1 7 MB-x\n", results{"A MB-x": 7}},
		"a failure":         {"BenchmarkA-2 1 7 MB-x\n--- FAIL: BenchmarkB\n", nil},
		"nothing is built":  {"BenchmarkA-2 1 7 MB-x\nFAIL\thermes/b [build failed]\n", nil},
		"a panic":           {"BenchmarkA-2 1 7 MB-x\npanic: no\n", nil},
		"nothing":           {"PASS\n", nil},
		"what is no number": {"BenchmarkA-2 1 x MB-x\n", nil},
	}
	for name, test := range tests {
		got, err := readResults(strings.NewReader(test.in))
		if (err != nil) != (test.want == nil) || !maps.Equal(got, test.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, test.want)
		}
	}
}

// allMeasured has a figure for each row.
func allMeasured() results {
	all := results{}
	for _, t := range tables() {
		for _, r := range t.rows {
			switch r := r.(type) {
			case row:
				all[r.measured] = r.target
			case wide:
				for _, c := range r.cells {
					all[c.measured] = max(all[c.measured], 1)
				}
			}
		}
	}
	return all
}

func TestWithFigures(t *testing.T) {
	page := "above\n"
	for _, t := range tables() {
		page += t.begin + end + "\n"
	}
	page += "below\n"
	written, err := withFigures(page, allMeasured())
	if err != nil || !strings.HasPrefix(written, "above\n") || !strings.HasSuffix(written, end+"\nbelow\n") {
		t.Fatalf("%v:\n%s", err, written)
	}
	if want := "| binary | under 20 MB | 20.0 MB | met |\n"; !strings.Contains(written, want) {
		t.Errorf("the page lacks %q:\n%s", want, written)
	}
	changed, err := withFigures(written, results{"Process/open=0 MB-binary": 20.2})
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(written, "20.0 MB | met", "20.2 MB | missed", 1); changed != want {
		t.Errorf("one new figure makes\n%s\nwant\n%s", changed, want)
	}
	if _, err := withFigures(page, results{"Process/open=0 MB-binary": 20}); err == nil {
		t.Error("a page with rows without a figure is written")
	}
	if _, err := withFigures("no marks", allMeasured()); err == nil {
		t.Error("a page without marks is written")
	}
}

// The page has all rows, each as the program writes it.
func TestPage(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	written, err := withFigures(string(raw), nil)
	if err != nil || written != string(raw) {
		t.Errorf("docs/benchmarks.md has not the rows that make figures writes: %v", err)
	}
}
