// Package patch says which files a unified diff changes, as git and OpenCode write them, and by how many lines.
package patch

import (
	"cmp"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
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

// Files are the changes in a diff, in its order; none where it cannot be read to its end. It takes any text.
func Files(diff string) []File {
	changes, _, err := gitdiff.Parse(strings.NewReader(strings.ReplaceAll(diff, "\r\n", "\n")))
	if err != nil {
		return nil
	}
	var files []File
	for _, change := range changes {
		files = append(files, fileOf(change))
	}
	return files
}

func fileOf(change *gitdiff.File) File {
	f := File{Name: cmp.Or(change.NewName, change.OldName), New: change.IsNew, Deleted: change.IsDelete, Binary: change.IsBinary}
	if change.OldName != f.Name && !f.New {
		f.Was = change.OldName
	}
	for _, part := range change.TextFragments {
		if change.OldMode == 0 && change.NewMode == 0 { // git did not write it
			f.New = f.New || part.OldPosition == 0 && part.OldLines == 0
			f.Deleted = f.Deleted || part.NewPosition == 0 && part.NewLines == 0
		}
		f.Added += int(part.LinesAdded)
		f.Removed += int(part.LinesDeleted)
	}
	return f
}
