package opencode2sim_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// exchange is one request of a capture, and what a real server answered.
type exchange struct {
	section string // the heading above it
	n       int    // its place below that heading, from 0
	method  string
	path    string
	sent    *string // body
	status  string
	got     string // body; it may be cut off
}

var requestLine = regexp.MustCompile(`^> (GET|POST|DELETE|PATCH) (/\S*)$`)

// readCapture reads the transcript of a capture: headings, "> METHOD path", "> body",
// "< status", "< body", where bodies may have more lines.
func readCapture(t *testing.T, name string) []exchange {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "captures", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	var all []exchange
	section, n := "", 0
	for _, line := range strings.Split(string(raw), "\n") {
		var last *exchange
		if len(all) > 0 {
			last = &all[len(all)-1]
		}
		request := requestLine.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "## "):
			section, n = strings.TrimPrefix(line, "## "), 0
		case request != nil:
			all = append(all, exchange{section: section, n: n, method: request[1], path: request[2]})
			n++
		case strings.HasPrefix(line, "> ") && last != nil && last.status == "":
			body := strings.TrimPrefix(line, "> ")
			last.sent = &body
		case strings.HasPrefix(line, "< ") && last != nil && last.status == "":
			last.status = strings.Fields(line)[1]
		case strings.HasPrefix(line, "< ") && last != nil && last.got == "":
			last.got = strings.TrimPrefix(line, "< ")
		}
	}
	if len(all) == 0 {
		t.Fatalf("capture %s has no requests", name)
	}
	return all
}

// readFrames reads the events of a capture.
func readFrames(t *testing.T, name string) []map[string]any {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "captures", name+".sse.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for _, line := range strings.Split(string(raw), "\n") {
		text, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var f map[string]any
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			t.Fatalf("%s: %v in %s", name, err, text)
		}
		all = append(all, f)
	}
	return all
}
