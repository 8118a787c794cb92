// Package patch says which files a unified diff changes, as git and OpenCode write them, and by how many lines.
package patch

import (
	"regexp"
	"strconv"
	"strings"
)

// File is the change of one file in a diff.
type File struct {
	Name    string // as the diff has it
	Was     string // the name before, where that was another
	New     bool
	Deleted bool
	Binary  bool // the diff does not have its lines
	Added   int  // lines
	Removed int  // lines
}

// Files are the changes in a diff, in its order. What names no file is left out. It is pure, and takes any text.
func Files(diff string) []File {
	r := reader{lines: strings.Split(strings.TrimSuffix(diff, "\n"), "\n")}
	for r.at < len(r.lines) {
		r.readFile()
	}
	return r.files
}

// reader reads a diff line by line.
type reader struct {
	lines []string
	at    int
	files []File
}

// readFile reads up to where another file begins.
func (r *reader) readFile() {
	begin, inBody := r.at, false
	h, f := header{}, File{}
	for r.at < len(r.lines) && (r.at == begin || !r.beginsFile(h.named || inBody)) {
		line := r.lines[r.at]
		r.at++
		if part, ok := parseHunk(line); ok {
			f.count(part, r.readBody(part))
			inBody = true
			continue
		}
		if isHeader := !inBody && h.read(line); !isHeader && strings.TrimSpace(line) != "" {
			inBody = true
		}
	}
	if h.settle(&f); f.Name != "" {
		r.files = append(r.files, f)
	}
}

// beginsFile reports whether another file's change begins with the next line. named: this one's names were read.
func (r *reader) beginsFile(named bool) bool {
	line := r.lines[r.at]
	if strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "Index: ") {
		return true
	}
	isNames := strings.HasPrefix(line, "--- ") && r.at+1 < len(r.lines) && strings.HasPrefix(r.lines[r.at+1], "+++ ")
	return named && isNames
}

// readBody reads the lines of a hunk: as many as its head says, with the marks of lines that have no end.
func (r *reader) readBody(h hunk) []string {
	begin, before, after := r.at, h.before.count, h.after.count
	for ; r.at < len(r.lines); r.at++ {
		line := r.lines[r.at]
		switch {
		case strings.HasPrefix(line, `\`) && r.at > begin:
			continue
		case before <= 0 && after <= 0:
			return r.lines[begin:r.at]
		case strings.HasPrefix(line, "+"):
			after--
		case strings.HasPrefix(line, "-"):
			before--
		case line == "", line == "\r", strings.HasPrefix(line, " "):
			before, after = before-1, after-1
		default:
			return r.lines[begin:r.at] // it ends before its head says
		}
	}
	return r.lines[begin:r.at]
}

// count counts the lines of a hunk.
func (f *File) count(h hunk, lines []string) {
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "+"):
			f.Added++
		case strings.HasPrefix(line, "-"):
			f.Removed++
		}
	}
	f.New = h.before == span{}
	f.Deleted = h.after == span{}
}

// span is where a hunk stands in one of the two texts: its first line, from 1, and how many it has; without any, the line before it.
type span struct{ start, count int }

// hunk is how one part of a file's change begins.
type hunk struct{ before, after span }

// hunkHead is how a hunk begins.
var hunkHead = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)$`)

func parseHunk(line string) (hunk, bool) {
	m := hunkHead.FindStringSubmatch(strings.TrimSuffix(line, "\r"))
	if m == nil {
		return hunk{}, false
	}
	return hunk{before: parseSpan(m[1], m[2]), after: parseSpan(m[3], m[4])}, true
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

// nothing is what a diff calls a file that is not there.
const nothing = "/dev/null"

// header is what stands before a file's hunks.
type header struct {
	git           bool   // git wrote it: its names have a/ and b/ before them
	both          string // the name where it says only one
	before, after string // behind --- and +++, or rename from and to
	named         bool   // --- and +++ were read, which stand just above the hunks
	new, deleted  bool
	binary        bool
}

// read takes in a line. It reports false for one that is no header.
func (h *header) read(line string) bool {
	line = strings.TrimSuffix(line, "\r")
	if h.binary {
		return true // what is in it, for a program
	}
	for _, k := range []struct {
		prefix string
		take   func(rest string)
	}{
		{"diff --git ", h.readGit},
		{"Index: ", func(name string) { h.both = name }},
		{"--- ", func(name string) { h.before = h.nameIn(name, "a/") }},
		{"+++ ", func(name string) { h.after, h.named = h.nameIn(name, "b/"), true }},
		{"rename from ", func(name string) { h.before = unquote(name) }},
		{"rename to ", func(name string) { h.after = unquote(name) }},
		{"copy from ", func(string) {}},
		{"copy to ", func(name string) { h.both = unquote(name) }},
		{"new file mode ", func(string) { h.new = true }},
		{"deleted file mode ", func(string) { h.deleted = true }},
		{"old mode ", func(string) {}},
		{"new mode ", func(string) {}},
		{"Binary files ", func(string) { h.binary = true }},
		{"GIT binary patch", func(string) { h.binary = true }},
		{"similarity index ", func(string) {}},
		{"dissimilarity index ", func(string) {}},
		{"index ", func(string) {}},
		{"=====", func(string) {}},
	} {
		if rest, ok := strings.CutPrefix(line, k.prefix); ok {
			k.take(rest)
			return true
		}
	}
	return false
}

// readGit reads the names behind diff --git, where both are the same: others follow in lines of their own.
func (h *header) readGit(names string) {
	h.git = true
	half := len(names) / 2
	if len(names)%2 == 0 || names[half] != ' ' {
		return
	}
	before, after := h.nameIn(names[:half], "a/"), h.nameIn(names[half+1:], "b/")
	if before == after {
		h.both = after
	}
}

// nameIn is a file's name without what git puts before it, and without the date that other programs put behind it.
func (h *header) nameIn(text, side string) string {
	name, _, _ := strings.Cut(text, "\t")
	name = unquote(name)
	if h.git {
		name = strings.TrimPrefix(name, side)
	}
	return name
}

// settle gives the file its names, when all was read. What the hunks say of it being new or deleted counts where git
// does not say it.
func (h *header) settle(f *File) {
	f.Binary = h.binary
	f.New = h.new || h.before == nothing || f.New && !h.git
	f.Deleted = h.deleted || h.after == nothing || f.Deleted && !h.git
	switch {
	case h.after != "" && h.after != nothing:
		f.Name = h.after
	case h.before != "" && h.before != nothing:
		f.Name = h.before
	default:
		f.Name = h.both
	}
	if h.before != f.Name && h.before != nothing && !f.New {
		f.Was = h.before
	}
}

// unquote is a name that git has quoted, as it is.
func unquote(name string) string {
	if plain, err := strconv.Unquote(name); err == nil && strings.HasPrefix(name, `"`) {
		return plain
	}
	return name
}
