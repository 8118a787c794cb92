package main

import (
	"fmt"
	"strings"
)

// row is a line of the table.
type row struct {
	what     string
	measured string  // the benchmark and its unit
	form     string  // of the figure
	target   float64 // at most; ignored where bound is empty
	bound    string  // the target in words
}

// rows are what the page tells.
var rows = []row{
	{"binary", "Process/open=0 MB-binary", "%.1f MB", 20, "under 20 MB"},
	{"start to the first poll", "Process/open=0 ms-to-first-poll", "%.0f ms", 100, "under 0.1 s"},
	{"start with 1,000 open questions and 10,000 ended ones", "Process/open=1000 ms-to-first-poll", "%.0f ms", 100, "under 0.1 s"},
	{"resident memory, idle", "Process/open=0 MB-resident", "%.1f MB", 20, "under 20 MB"},
	{"anonymous memory, idle", "Process/open=0 MB-anonymous", "%.1f MB", 0, ""},
	{"resident memory with 1,000 open questions", "Process/open=1000 MB-resident", "%.1f MB", 40, "under 40 MB"},
	{"anonymous memory with 1,000 open questions", "Process/open=1000 MB-anonymous", "%.1f MB", 0, ""},
	{"CPU time in 5 s, idle", "Process/open=0 ms-CPU-in-5s-idle", "%.0f ms", 0, "0 ms"},
	{"asked to `sendMessage`, with `HERMES_NOTIFY_DELAY=0`", "Question/open=0 ms-asked-to-send", "%.1f ms", 3, "under 3 ms"},
	{"asked to `sendMessage` with 1,000 open questions", "Question/open=1000 ms-asked-to-send", "%.1f ms", 6, "under 6 ms"},
	{"tap to `POST …/reply`", "Question/open=0 ms-tap-to-post", "%.1f ms", 6, "under 6 ms"},
	{"tap to `POST …/reply` with 1,000 open questions", "Question/open=1000 ms-tap-to-post", "%.1f ms", 12, "under 12 ms"},
	{"1,000 links: resident memory of a link", "Hub KiB-resident-a-link", "%.0f KiB", 64, "under 64 KiB"},
	{"1,000 links: heap of a link, with what waits to be collected", "Hub KiB-heap-a-link", "%.0f KiB", 0, ""},
	{"1,000 links: CPU while they poll", "Hub %-of-a-core-idle", "%.1f %% of a core", 5, "under 5 % of a core"},
	{"1,000 links: CPU with 50 questions a minute", "Hub %-of-a-core-busy", "%.1f %% of a core", 0, ""},
	{"1,000 links: asked to `sendMessage`, the median", "Hub ms-asked-to-send-median", "%.0f ms", 0, ""},
	{"1,000 links: asked to `sendMessage`, the slowest of 50", "Hub ms-asked-to-send-worst", "%.0f ms", 2000, "under 2 s"},
	{"1,000 links: tap to the agent's answer, the median", "Hub ms-tap-to-answer-median", "%.0f ms", 0, ""},
	{"1,000 links: tap to the agent's answer, the slowest of 50", "Hub ms-tap-to-answer-worst", "%.0f ms", 0, ""},
	{"1,000 links: until all are open, from none", "Hub s-until-all-linked", "%.1f s", 0, ""},
	{"1,000 links: a restart, until all are open and listed", "Hub s-whole-after-restart", "%.1f s", 30, "under 30 s"},
	{"1,000 links: a stop", "Hub s-to-stop", "%.1f s", 0, ""},
	{"under fire, real OpenCode: minutes", "Fire/opencode minutes", "%.1f", 0, ""},
	{"under fire, real OpenCode: times hermes was killed", "Fire/opencode kills", "%.0f", 0, ""},
	{"under fire, real OpenCode: questions answered, each once", "Fire/opencode questions", "%.0f", 0, ""},
	{"under fire, real OpenCode: permissions with two approvals, each run once", "Fire/opencode approvals", "%.0f", 0, ""},
	{"under fire, real OpenCode: prompts delivered, each once", "Fire/opencode prompts", "%.0f", 0, ""},
	{"under fire, real OpenCode: taps made again, after half a minute", "Fire/opencode taps-again", "%.0f", 0, ""},
	{"under fire, stand-in: minutes", "Fire/stand-in minutes", "%.1f", 0, ""},
	{"under fire, stand-in: times hermes was killed", "Fire/stand-in kills", "%.0f", 0, ""},
	{"under fire, stand-in: questions answered, each once", "Fire/stand-in questions", "%.0f", 0, ""},
	{"under fire, stand-in: permissions with two approvals, each run once", "Fire/stand-in approvals", "%.0f", 0, ""},
	{"under fire, stand-in: prompts delivered, each once", "Fire/stand-in prompts", "%.0f", 0, ""},
	{"under fire, stand-in: taps made again, after half a minute", "Fire/stand-in taps-again", "%.0f", 0, ""},
}

// begin and end are the marks in the page.
const (
	begin = "<!-- figures: written by make figures and make fire -->\n"
	end   = "<!-- end of figures -->"
	head  = "| what | target | measured | |\n|---|---|---|---|\n"
)

// withFigures puts the table into the page. A row without a new figure stays as it is in the page; one that never had any is
// an error.
func withFigures(page string, measured results) (string, error) {
	before, rest, found := strings.Cut(page, begin)
	old, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", fmt.Errorf("the page lacks the marks %q and %q", begin, end)
	}
	var table strings.Builder
	table.WriteString(begin + head)
	lines := oldLines(old)
	for _, r := range rows {
		line := r.line(measured)
		if line == "" {
			line = lines[r.what]
		}
		if line == "" {
			return "", fmt.Errorf("%q was never measured: %s", r.what, r.measured)
		}
		table.WriteString(line + "\n")
	}
	return before + table.String() + end + after, nil
}

// oldLines are the lines of the table as it stands, by what they tell.
func oldLines(table string) map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(strings.TrimPrefix(table, head)) {
		what, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		lines[what] = strings.TrimSuffix(line, "\n")
	}
	return lines
}

// line is the row with its figure; empty without one.
func (r row) line(measured results) string {
	n, known := measured[r.measured]
	if !known {
		return ""
	}
	verdict := ""
	if r.bound != "" {
		verdict = "met"
		if n > r.target {
			verdict = "missed"
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %s |", r.what, r.bound, fmt.Sprintf(r.form, n), verdict)
}
