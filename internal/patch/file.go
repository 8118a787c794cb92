package patch

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// File is the change of one file in a diff.
type File struct {
	Name    string // as the diff has it; empty: it does not say
	Was     string // the name before, where that was another
	New     bool
	Deleted bool
	Binary  bool   // the diff does not have its lines
	Added   int    // lines
	Removed int    // lines
	Hunks   string // with as many unchanged lines around each change as were asked for; what is no hunk is there as it is
	Whole   string // its part of the diff, as it is
}

// Tag stands for the file's name where that would be too long: 8 characters of 0-9 and a-f, always the same ones.
func (f File) Tag() string {
	sum := sha256.Sum256([]byte(f.Name))
	return hex.EncodeToString(sum[:4])
}

// Files are the changes in a diff, in its order, with so many unchanged lines around each change as context says. Nothing
// that the diff has is left out of them but unchanged lines and what only names a file. It is pure, and takes any text.
func Files(diff string, context int) []File {
	r := reader{lines: splitLines(diff), context: context}
	for r.at < len(r.lines) {
		r.readFile()
	}
	return r.files
}

// splitLines parts a text into lines, which keep a carriage return.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// reader reads a diff line by line.
type reader struct {
	lines   []string
	at      int
	context int
	files   []File
}

// readFile reads up to where another file begins.
func (r *reader) readFile() {
	begin := r.at
	h, f, hunks := header{}, File{}, strings.Builder{}
	for r.at < len(r.lines) && (r.at == begin || !r.beginsFile(h.named || hunks.Len() > 0)) {
		line := r.lines[r.at]
		r.at++
		if part, ok := parseHunk(line); ok {
			part.lines = r.readBody(part)
			f.count(part)
			hunks.WriteString(part.shortened(r.context))
			continue
		}
		if isHeader := hunks.Len() == 0 && h.read(line); !isHeader && strings.TrimSpace(line) != "" {
			hunks.WriteString(line + "\n")
		}
	}
	h.settle(&f)
	f.Hunks, f.Whole = hunks.String(), strings.Join(r.lines[begin:r.at], "\n")+"\n"
	if f.Name != "" || f.Hunks != "" {
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
func (f *File) count(h hunk) {
	for _, line := range h.lines {
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
