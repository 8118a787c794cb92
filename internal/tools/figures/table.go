package main

import (
	"fmt"
	"strings"
)

// table is one of the page, between two marks.
type table struct {
	begin, head string
	rows        []liner
}

// liner is a row: what it is of, and its line with what was measured, empty if that was not all of it.
type liner interface {
	name() string
	line(measured results) string
}

// tables are all.
func tables() []table {
	return []table{
		{
			"<!-- figures: written by make figures and make fire -->\n",
			"| what | target | measured | |\n|---|---|---|---|\n",
			rows,
		},
		{
			"<!-- figures: written by make takeovers -->\n",
			"| lost by | times | nobody ready, median | longest | tap answered, median | longest |\n|---|---|---|---|---|---|\n",
			append(takeovers("the real OpenCode", "Takeover/opencode"), takeovers("the stand-in", "Takeover/stand-in")...),
		},
		{
			"<!-- figures: written by make takeovers, too -->\n",
			"| what | file | PostgreSQL |\n|---|---|---|\n",
			engines,
		},
	}
}

// row is a line of the first table.
type row struct {
	what     string
	measured string  // the benchmark and its unit
	form     string  // of the figure
	target   float64 // at most; ignored where bound is empty
	bound    string  // the target in words
}

// rows are what the page tells.
var rows = []liner{
	row{"binary", "Process/open=0 MB-binary", "%.1f MB", 20, "under 20 MB"},
	row{"start to the first poll", "Process/open=0 ms-to-first-poll", "%.0f ms", 100, "under 0.1 s"},
	row{"start with 1,000 open questions and 10,000 ended ones", "Process/open=1000 ms-to-first-poll", "%.0f ms", 100, "under 0.1 s"},
	row{"resident memory, idle", "Process/open=0 MB-resident", "%.1f MB", 20, "under 20 MB"},
	row{"anonymous memory, idle", "Process/open=0 MB-anonymous", "%.1f MB", 0, ""},
	row{"resident memory with 1,000 open questions", "Process/open=1000 MB-resident", "%.1f MB", 40, "under 40 MB"},
	row{"anonymous memory with 1,000 open questions", "Process/open=1000 MB-anonymous", "%.1f MB", 0, ""},
	row{"CPU time in 5 s, idle", "Process/open=0 ms-CPU-in-5s-idle", "%.0f ms", 0, "0 ms"},
	row{"asked to `sendMessage`, with `HERMES_NOTIFY_DELAY=0`", "Question/open=0 ms-asked-to-send", "%.1f ms", 3, "under 3 ms"},
	row{"asked to `sendMessage` with 1,000 open questions", "Question/open=1000 ms-asked-to-send", "%.1f ms", 6, "under 6 ms"},
	row{"tap to `POST …/reply`", "Question/open=0 ms-tap-to-post", "%.1f ms", 6, "under 6 ms"},
	row{"tap to `POST …/reply` with 1,000 open questions", "Question/open=1000 ms-tap-to-post", "%.1f ms", 12, "under 12 ms"},
	row{"1,000 links: resident memory of a link", "Hub KiB-resident-a-link", "%.0f KiB", 64, "under 64 KiB"},
	row{"1,000 links: heap of a link, with what waits to be collected", "Hub KiB-heap-a-link", "%.0f KiB", 0, ""},
	row{"1,000 links: CPU while they poll", "Hub %-of-a-core-idle", "%.1f %% of a core", 5, "under 5 % of a core"},
	row{"1,000 links: CPU with 50 questions a minute", "Hub %-of-a-core-busy", "%.1f %% of a core", 0, ""},
	row{"1,000 links: asked to `sendMessage`, the median", "Hub ms-asked-to-send-median", "%.0f ms", 0, ""},
	row{"1,000 links: asked to `sendMessage`, the slowest of 50", "Hub ms-asked-to-send-worst", "%.0f ms", 2000, "under 2 s"},
	row{"1,000 links: tap to the agent's answer, the median", "Hub ms-tap-to-answer-median", "%.0f ms", 0, ""},
	row{"1,000 links: tap to the agent's answer, the slowest of 50", "Hub ms-tap-to-answer-worst", "%.0f ms", 0, ""},
	row{"1,000 links: until all are open, from none", "Hub s-until-all-linked", "%.1f s", 0, ""},
	row{"1,000 links: a restart, until all are open and listed", "Hub s-whole-after-restart", "%.1f s", 30, "under 30 s"},
	row{"1,000 links: a stop", "Hub s-to-stop", "%.1f s", 0, ""},
	row{"under fire, real OpenCode: minutes", "Fire/opencode minutes", "%.1f", 0, ""},
	row{"under fire, real OpenCode: times hermes was killed", "Fire/opencode kills", "%.0f", 0, ""},
	row{"under fire, real OpenCode: questions answered, each once", "Fire/opencode questions", "%.0f", 0, ""},
	row{"under fire, real OpenCode: permissions with two approvals, each run once", "Fire/opencode approvals", "%.0f", 0, ""},
	row{"under fire, real OpenCode: prompts delivered, each once", "Fire/opencode prompts", "%.0f", 0, ""},
	row{"under fire, real OpenCode: taps made again, after half a minute", "Fire/opencode taps-again", "%.0f", 0, ""},
	row{"under fire, stand-in: minutes", "Fire/stand-in minutes", "%.1f", 0, ""},
	row{"under fire, stand-in: times hermes was killed", "Fire/stand-in kills", "%.0f", 0, ""},
	row{"under fire, stand-in: questions answered, each once", "Fire/stand-in questions", "%.0f", 0, ""},
	row{"under fire, stand-in: permissions with two approvals, each run once", "Fire/stand-in approvals", "%.0f", 0, ""},
	row{"under fire, stand-in: prompts delivered, each once", "Fire/stand-in prompts", "%.0f", 0, ""},
	row{"under fire, stand-in: taps made again, after half a minute", "Fire/stand-in taps-again", "%.0f", 0, ""},
}

// end is the mark behind a table.
const end = "<!-- end of figures -->"

// withFigures puts the tables into the page. A row without new figures stays as it is in the page; one that never had any is
// an error.
func withFigures(page string, measured results) (string, error) {
	for _, t := range tables() {
		written, err := t.in(page, measured)
		if err != nil {
			return "", err
		}
		page = written
	}
	return page, nil
}

// in puts the table into the page.
func (t table) in(page string, measured results) (string, error) {
	before, rest, found := strings.Cut(page, t.begin)
	old, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", fmt.Errorf("the page lacks the marks %q and %q", t.begin, end)
	}
	var text strings.Builder
	text.WriteString(t.begin + t.head)
	lines := oldLines(strings.TrimPrefix(old, t.head))
	for _, r := range t.rows {
		line := r.line(measured)
		if line == "" {
			line = lines[r.name()]
		}
		if line == "" {
			return "", fmt.Errorf("%q was never measured", r.name())
		}
		text.WriteString(line + "\n")
	}
	return before + text.String() + end + after, nil
}

// oldLines are the lines of the table as it stands, by what they tell.
func oldLines(table string) map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(table) {
		what, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		lines[what] = strings.TrimSuffix(line, "\n")
	}
	return lines
}

func (r row) name() string { return r.what }

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
