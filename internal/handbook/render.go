package handbook

import (
	"strings"

	"hermes/internal/console"
)

// Style is how a page is shown.
type Style struct {
	Width int // in characters, of a line of prose; lines of code are as long as they are
	Color bool
}

const (
	bold  = "\x1b[1m"
	faint = "\x1b[36m"
	reset = "\x1b[0m"
)

// Render is the page for a terminal. It ends with a newline.
func (p Page) Render(s Style) string {
	var b strings.Builder
	var before blockKind
	for i, part := range blocksOf(p.Text) {
		if i > 0 && (part.kind != item || before != item) {
			b.WriteString("\n")
		}
		b.WriteString(part.render(s))
		before = part.kind
	}
	return b.String()
}

func (b block) render(s Style) string {
	switch b.kind {
	case headed:
		return s.marked(bold, plain(b.text)) + "\n"
	case code:
		return b.indent + "    " + strings.Join(b.lines, "\n"+b.indent+"    ") + "\n"
	case rows:
		return b.renderRows(s)
	case item:
		return s.prose(plain(b.text), b.indent+b.mark, b.indent+strings.Repeat(" ", len(b.mark)))
	}
	return s.prose(plain(b.text), b.indent, b.indent)
}

// renderRows has the first cell of a row on a line of its own, and the others below it.
func (b block) renderRows(s Style) string {
	var out strings.Builder
	for _, row := range b.cells() {
		out.WriteString(s.prose(row[0], "  ", "  "))
		for _, cell := range row[1:] {
			if cell != "" {
				out.WriteString(s.prose(cell, "      ", "      "))
			}
		}
	}
	return out.String()
}

// prose wraps text and colours its spans of code, which may go over the end of a line.
func (s Style) prose(text, first, rest string) string {
	wrapped := console.Wrap(text, first, rest, s.Width)
	if !s.Color || strings.Contains(wrapped, "``") { // a span in which there are backquotes
		return wrapped
	}
	parts := strings.Split(wrapped, "`")
	for i := 1; i < len(parts)-1; i += 2 {
		parts[i] = faint + strings.ReplaceAll(parts[i], "\n", reset+"\n"+faint) + reset
	}
	return strings.Join(parts, "")
}

func (s Style) marked(with, text string) string {
	if !s.Color {
		return text
	}
	return with + strings.ReplaceAll(text, "`", "") + reset
}
