package handbook

import (
	"path"
	"regexp"
	"strings"
)

// blockKind is what a part of a page is.
type blockKind int

const (
	paragraph blockKind = iota
	headed              // text is a heading
	item                // of a list
	code                // lines are as they are
	rows                // of a table
)

// block is a part of a page, in the Markdown that the pages use.
type block struct {
	kind   blockKind
	text   string
	mark   string // of an item: "- ", "1. "
	indent string // before it
	lines  []string
}

var listMark = regexp.MustCompile(`^( *)([-*]|[0-9]+\.) +(.*)$`)

// blocksOf takes a page apart.
func blocksOf(text string) (all []block) {
	open := false // the last block goes on
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		trimmed := strings.TrimSpace(line)
		last := len(all) - 1
		switch found := listMark.FindStringSubmatch(line); {
		case open && all[last].kind == code:
			if open = !strings.HasPrefix(trimmed, "```"); open {
				all[last].lines = append(all[last].lines, strings.TrimPrefix(line, all[last].indent))
			}
		case strings.HasPrefix(trimmed, "```"):
			all, open = append(all, block{kind: code, indent: line[:strings.Index(line, "`")]}), true
		case trimmed == "", strings.HasPrefix(trimmed, "<"), strings.HasPrefix(trimmed, "!["):
			open = false
		case strings.HasPrefix(line, "#"):
			all, open = append(all, block{kind: headed, text: strings.TrimSpace(strings.TrimLeft(line, "#"))}), false
		case strings.HasPrefix(trimmed, "|"):
			if !open || all[last].kind != rows {
				all = append(all, block{kind: rows})
				last++
			}
			all[last].lines, open = append(all[last].lines, trimmed), true
		case found != nil:
			all, open = append(all, block{kind: item, indent: found[1], mark: found[2] + " ", text: found[3]}), true
		case open:
			all[last].text += " " + trimmed
		default:
			all, open = append(all, block{kind: paragraph, indent: line[:len(line)-len(strings.TrimLeft(line, " "))], text: trimmed}), true
		}
	}
	return all
}

// parts are what is searched and found as one.
func (b block) parts() []string {
	switch b.kind {
	case code:
		return b.lines
	case rows:
		var list []string
		for _, row := range b.cells() {
			list = append(list, strings.TrimSuffix(strings.Join(row, ": "), ": "))
		}
		return list
	}
	return []string{plain(b.text)}
}

// cells are those of a table, row by row, without a head that says nothing.
func (b block) cells() (all [][]string) {
	for _, line := range b.lines {
		line = strings.ReplaceAll(strings.Trim(line, "|"), `\|`, "\x00")
		var row []string
		empty := true
		for cell := range strings.SplitSeq(line, "|") {
			cell = plain(strings.ReplaceAll(strings.TrimSpace(cell), "\x00", "|"))
			empty = empty && strings.Trim(cell, "-: ") == ""
			row = append(row, cell)
		}
		if !empty {
			all = append(all, row)
		}
	}
	return all
}

var (
	pictures = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)
	links    = regexp.MustCompile(`\[([^\]]+)\]\(([^)\s]+)\)`)
	emphasis = regexp.MustCompile(`(^|[\s(“])\*([^*\s][^*]*)\*`)
	spans    = regexp.MustCompile("`+[^`]+`+")
)

// plain is text as it is read: without stars and pictures, and with what a link leads to. Spans of code stay as they are.
func plain(text string) string {
	var kept []string
	text = spans.ReplaceAllStringFunc(text, func(span string) string {
		kept = append(kept, span)
		return "\x01"
	})
	text = emphasis.ReplaceAllString(strings.ReplaceAll(pictures.ReplaceAllString(text, ""), "**", ""), "$1$2")
	text = links.ReplaceAllStringFunc(text, func(link string) string {
		found := links.FindStringSubmatch(link)
		return found[1] + leadsTo(found[1], found[2])
	})
	for _, span := range kept {
		text = strings.Replace(text, "\x01", span, 1)
	}
	return strings.TrimSpace(text)
}

// leadsTo says where a link leads, unless its text does.
func leadsTo(text, to string) string {
	file, _, _ := strings.Cut(to, "#")
	switch {
	case strings.Contains(to, "://"):
		return " <" + to + ">"
	case file == "" || path.Base(file) == path.Base(text) || path.Dir(file) != "." || !strings.HasSuffix(file, ".md"):
		return ""
	}
	return " (page " + strings.TrimSuffix(file, ".md") + ")"
}
