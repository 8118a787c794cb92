package opencodesim

import (
	"fmt"
	"strings"
)

// diff is a change of a file in the form of OpenCode's metadata, as if the two
// texts were all that is in the file.
func diff(file, before, after string) string {
	gone, come := linesOf(before), linesOf(after)
	var b strings.Builder
	fmt.Fprintf(&b, "Index: %s\n%s\n--- %s\n+++ %s\n", file, strings.Repeat("=", 67), file, file)
	fmt.Fprintf(&b, "@@ -%s +%s @@\n", span(gone), span(come))
	for _, line := range gone {
		b.WriteString("-" + line + "\n")
	}
	for _, line := range come {
		b.WriteString("+" + line + "\n")
	}
	return b.String()
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func span(lines []string) string {
	if len(lines) == 0 {
		return "0,0"
	}
	return fmt.Sprintf("1,%d", len(lines))
}
