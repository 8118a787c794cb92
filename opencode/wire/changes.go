package wire

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"

	"hermes/internal/question"
)

// An edit's patterns name the files that it begins with, and its diff what changes in them: neither says that a file is
// moved, or deleted when it is empty. OpenCode says so in "files" (read in 1.1.53, 1.18.34 and the source of 2.x), and where
// an ask has no metadata, as in the preview of 2.0, the call's patch does.

// addFiles adds what the metadata says of an edit's files. 1.x has filePath and type in it, 2.x has
// file, status and patch, whose head names the file that a moved one was.
//
// An ask without them is of one file, if it names that with what changes in it. Of any other nothing is known until its call is
// read: the preview of 2.0 gives no metadata, and what is too large does not cross the link of a 2.x.
func addFiles(p *question.Permission, metadata map[string]json.RawMessage) {
	raw := metadata["files"]
	if p.Kind != "edit" || Text(raw) == "" {
		p.Unread = p.Kind == "edit" && (p.Diff == "" || !isWhole(Text(metadata["filepath"])) || filesUnsent(p))
		return
	}
	var list []fileOfEdit
	err := json.Unmarshal(raw, &list)
	p.Unread = err != nil
	for _, f := range list {
		change, ok := f.change(p.Patterns)
		p.Files = append(p.Files, change)
		p.Unread = p.Unread || !ok
	}
	if p.Unread {
		p.Files = nil
	}
}

// filesUnsent reports whether the list of files may be what did not cross a link.
func filesUnsent(p *question.Permission) bool {
	return slices.ContainsFunc(p.Details, func(d question.Detail) bool {
		return d.Name == unsentDetail && !strings.HasPrefix(d.Text, "diff, ")
	})
}

// isWhole reports whether a path begins at the root of a disk, on any system.
func isWhole(file string) bool {
	return strings.HasPrefix(file, "/") || strings.HasPrefix(file, `\\`) || len(file) > 2 && file[1] == ':'
}

// fileOfEdit is one of the files, as the versions write it.
type fileOfEdit struct {
	FilePath     string `json:"filePath"`     // absolute
	RelativePath string `json:"relativePath"` // where it is afterwards, as the patterns name files
	MovePath     string `json:"movePath"`     // absolute; none: it stays
	Type         string `json:"type"`

	File   string `json:"file"` // where it is afterwards, as the patterns name files
	Status string `json:"status"`
	Patch  string `json:"patch"`
}

var kindsOfChange = map[string]question.ChangeKind{
	"add": question.FileAdded, "update": question.FileChanged, "delete": question.FileDeleted, "move": question.FileMoved,
	"added": question.FileAdded, "modified": question.FileChanged, "deleted": question.FileDeleted,
}

// change reports false for what it cannot read.
func (f fileOfEdit) change(patterns []string) (question.FileChange, bool) {
	if f.FilePath != "" {
		c := question.FileChange{Kind: kindsOfChange[f.Type], Path: nameOf(f.FilePath, patterns)}
		if f.MovePath != "" {
			c.Kind, c.To = question.FileMoved, nameOf(f.MovePath, []string{f.RelativePath})
		}
		return c, c.Kind != "" && (c.Kind == question.FileMoved) == (c.To != "")
	}
	c := question.FileChange{Kind: kindsOfChange[f.Status], Path: f.File}
	if c.Kind == question.FileChanged {
		_, rest, ok := strings.Cut("\n"+f.Patch, "\n--- ")
		was, _, _ := strings.Cut(rest, "\n")
		was, _, _ = strings.Cut(was, "\t")
		if !ok || was == "" {
			return c, false
		}
		if nameOf(was, []string{f.File}) != f.File {
			c = question.FileChange{Kind: question.FileMoved, Path: nameOf(was, patterns), To: f.File}
		}
	}
	return c, c.Kind != "" && f.File != ""
}

// nameOf is the longest of the names that an absolute path ends with; else it is that path.
func nameOf(file string, names []string) string {
	found := ""
	for _, name := range names {
		at, end := strings.ReplaceAll(file, `\`, "/"), strings.ReplaceAll(name, `\`, "/")
		if (at == end || strings.HasSuffix(at, "/"+end)) && path.Clean(end) == end && len(name) > len(found) {
			found = name
		}
	}
	if found == "" {
		return file
	}
	return found
}

// addPatch adds what the patch says that the call was given, where the metadata says nothing. Only a patch that is the
// call's whole input is one: other tools take no patch, and ignore it. What did not cross a link may be the list of files.
func addPatch(p *question.Permission, input map[string]json.RawMessage) {
	raw, given := input["patchText"]
	switch {
	case p.Kind != "edit" || len(p.Files) > 0 || len(input) == 0:
		return
	case !given:
		p.Unread = p.Unread && (filesUnsent(p) || slices.ContainsFunc(p.Details, func(d question.Detail) bool { return d.Name == "files" }))
		return
	}
	files, ok := filesOfPatch(Text(raw))
	p.Unread = !ok || len(input) > 1
	if !p.Unread {
		p.Files = files
	}
}

// The lines of a patch that name files.
const (
	addHeader    = "*** Add File:"
	deleteHeader = "*** Delete File:"
	updateHeader = "*** Update File:"
	moveHeader   = "*** Move to:"
)

// filesOfPatch reads a patch as OpenCode's parsers do. It reports false for one that they refuse, and wherever a line may
// name a file in a way that one of them understands and hermes does not.
func filesOfPatch(text string) (files []question.FileChange, ok bool) {
	lines := strings.Split(text, "\n")
	begin, end := lineOf(lines, "*** Begin Patch"), lineOf(lines, "*** End Patch")
	if begin < 0 || end < begin {
		return nil, false
	}
	moves := false // whether the line before names a file that may be moved
	for _, line := range lines[begin+1 : end] {
		may := moves
		moves = false
		kind, name := headerOf(line)
		switch {
		case kind == "" && looksLikeHeader(line), kind != "" && name == "":
			return nil, false
		case kind == "":
			continue
		case kind == question.FileMoved && !may:
			return nil, false
		case kind == question.FileMoved:
			last := &files[len(files)-1]
			last.Kind, last.To = question.FileMoved, name
			continue
		}
		files = append(files, question.FileChange{Kind: kind, Path: name})
		moves = kind == question.FileChanged
	}
	return files, len(files) > 0
}

func lineOf(lines []string, marker string) int {
	for n, line := range lines {
		if trim(line) == marker {
			return n
		}
	}
	return -1
}

// headerOf is what a line that names a file says of it, nothing for any other line.
func headerOf(line string) (question.ChangeKind, string) {
	for header, kind := range map[string]question.ChangeKind{
		addHeader: question.FileAdded, deleteHeader: question.FileDeleted, updateHeader: question.FileChanged, moveHeader: question.FileMoved,
	} {
		if name, ok := strings.CutPrefix(line, header); ok {
			return kind, trim(name)
		}
	}
	return "", ""
}

// looksLikeHeader reports whether a line that names no file may do so for another parser.
func looksLikeHeader(line string) bool {
	kind, _ := headerOf(strings.TrimLeftFunc(line, isSpace))
	return kind != "" || strings.HasPrefix(line, "***") && trim(line) != "*** End of File"
}

// trim is JavaScript's.
func trim(text string) string { return strings.TrimFunc(text, isSpace) }

func isSpace(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' }

// AddLinks adds which files of an edit are elsewhere than their names say, by those names. The plugin says so, which is where
// the files are, from 1.7.0 on; a server does not.
func AddLinks(p *question.Permission, links map[string]string) {
	if p.Kind != "edit" {
		return
	}
	for name, target := range links {
		p.Links = append(p.Links, question.FileLink{Path: name, Target: target})
	}
	slices.SortStableFunc(p.Links, func(a, b question.FileLink) int { return strings.Compare(a.Path, b.Path) })
}
