package v1

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hermes/internal/session"
)

// fileDiff is a change of one file, as a prompt's summary has it.
type fileDiff struct {
	File      string `json:"file"`
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
	Patch     string `json:"patch"`  // newer versions
	Before    string `json:"before"` // 1.1.53: the whole file
	After     string `json:"after"`
}

// fileDiffs are the changes that a prompt led to, empty while its turn runs.
func (i MessageInfo) fileDiffs() []fileDiff {
	var summary struct {
		Diffs []fileDiff `json:"diffs"`
	}
	if i.Role != "user" || json.Unmarshal(i.Summary, &summary) != nil {
		return nil // an answer's summary is of another form
	}
	return summary.Diffs
}

// Diff is what the session's last turn that changed files did to them, as a unified
// diff; empty if none did among its last messages. 1.1.53 misses what is changed in the
// instant in which a step begins. (OpenCode's own diff of a whole session is empty on
// 1.18.33.)
func (d *Driver) Diff(ctx context.Context, id session.ID) (string, error) {
	if _, err := d.Info(ctx, id); err != nil {
		return "", noSession(err)
	}
	list, err := d.turnMessages(ctx, id)
	if err != nil {
		return "", err
	}
	for _, m := range slices.Backward(list) {
		if diffs := m.Info.fileDiffs(); len(diffs) > 0 {
			return unifiedDiff(diffs), nil
		}
	}
	return "", nil
}

func unifiedDiff(diffs []fileDiff) string {
	var b strings.Builder
	for _, d := range diffs {
		patch := d.Patch
		if patch == "" {
			patch = patchOf(d)
		}
		b.WriteString(strings.TrimSuffix(patch, "\n") + "\n")
	}
	return b.String()
}

// contextLines is how many lines around a change are shown.
const contextLines = 3

// patchOf makes a patch of a file's two texts: one hunk from the first line that
// differs to the last.
func patchOf(d fileDiff) string {
	before, after := splitLines(d.Before), splitLines(d.After)
	start, end := 0, 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	from, tail := max(0, start-contextLines), max(0, end-contextLines)
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", d.File, d.File)
	fmt.Fprintf(&b, "@@ -%s +%s @@\n", hunkRange(from, len(before)-tail), hunkRange(from, len(after)-tail))
	write := func(mark string, list []string) {
		for _, line := range list {
			b.WriteString(mark + line + "\n")
		}
	}
	write(" ", before[from:start])
	write("-", before[start:len(before)-end])
	write("+", after[start:len(after)-end])
	write(" ", before[len(before)-end:len(before)-tail])
	return b.String()
}

// hunkRange is a hunk's place in a file: the line before it, if it has none of its own.
func hunkRange(from, to int) string {
	if from == to {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
