package patch

import (
	"strconv"
	"strings"
)

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
