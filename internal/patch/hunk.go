package patch

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// span is where a hunk stands in one of the two texts: its first line, from 1, and how many it has; without any, the line before it.
type span struct{ start, count int }

// hunk is one part of a file's change.
type hunk struct {
	before, after span
	section       string // behind the second @@
	lines         []string
}

// hunkHead is how a hunk begins.
var hunkHead = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)$`)

func parseHunk(line string) (hunk, bool) {
	m := hunkHead.FindStringSubmatch(strings.TrimSuffix(line, "\r"))
	if m == nil {
		return hunk{}, false
	}
	return hunk{before: parseSpan(m[1], m[2]), after: parseSpan(m[3], m[4]), section: m[5]}, true
}

// parseSpan reads a span; a count of 1 may be left out.
func parseSpan(start, count string) span {
	s := span{count: 1}
	s.start, _ = strconv.Atoi(start) // nine digits at most
	if count != "" {
		s.count, _ = strconv.Atoi(count)
	}
	return s
}

func (s span) String() string {
	if s.count == 1 {
		return strconv.Itoa(s.start)
	}
	return fmt.Sprintf("%d,%d", s.start, s.count)
}

// isChange reports whether a line of a hunk is in one of the two texts alone.
func isChange(line string) bool { return strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") }

// isMark reports whether a line only says that the one before it has no end.
func isMark(line string) bool { return strings.HasPrefix(line, `\`) }

// shortened is the hunk with so many unchanged lines around each change: as several, where more lie between two.
func (h hunk) shortened(context int) string {
	keep := h.near(context)
	var b strings.Builder
	before, after := h.before.first(), h.after.first()
	for i := 0; i < len(h.lines); {
		part := hunk{before: span{start: before}, after: span{start: after}, section: h.section}
		for ; i < len(h.lines) && keep[i]; i++ {
			part.add(h.lines[i])
		}
		if len(part.lines) > 0 {
			b.WriteString(part.String())
		}
		before, after = before+part.before.count, after+part.after.count
		for ; i < len(h.lines) && !keep[i]; i++ {
			if !isMark(h.lines[i]) {
				before, after = before+1, after+1
			}
		}
	}
	return b.String()
}

// first is the number of the span's first line, or of the one that would be.
func (s span) first() int {
	if s.count == 0 {
		return s.start + 1
	}
	return s.start
}

// near says of each line whether it is a change, or so close to one; a mark goes with its line.
func (h hunk) near(context int) []bool {
	keep := make([]bool, len(h.lines))
	mark := func(order func(i int) int) {
		since := context + 1
		for i := range h.lines {
			at := order(i)
			switch line := h.lines[at]; {
			case isMark(line):
				continue
			case isChange(line):
				since = 0
			default:
				since++
			}
			keep[at] = keep[at] || since <= context
		}
	}
	mark(func(i int) int { return i })
	mark(func(i int) int { return len(h.lines) - 1 - i })
	for i, line := range h.lines {
		if isMark(line) && i > 0 {
			keep[i] = keep[i-1]
		}
	}
	return keep
}

// add adds a line at the end.
func (h *hunk) add(line string) {
	h.lines = append(h.lines, line)
	switch {
	case isMark(line):
	case strings.HasPrefix(line, "+"):
		h.after.count++
	case strings.HasPrefix(line, "-"):
		h.before.count++
	default:
		h.before.count++
		h.after.count++
	}
}

func (h hunk) String() string {
	for _, s := range []*span{&h.before, &h.after} {
		if s.count == 0 {
			s.start-- // the line before it
		}
	}
	return fmt.Sprintf("@@ -%s +%s @@%s\n%s\n", h.before, h.after, h.section, strings.Join(h.lines, "\n"))
}
