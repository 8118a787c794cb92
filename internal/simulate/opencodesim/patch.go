package opencodesim

import (
	"path"
	"strings"
)

// patchedFile is what a patch does to a file. What was in it is what the patch takes out.
type patchedFile struct {
	kind       string // OpenCode's word: add, update, delete, move
	file, to   string // whole paths; to: where it is moved
	gone, come string
}

// patchedFiles reads the patch of apply_patch, as far as scripts use what it can have.
func patchedFiles(text, dir string) (files []patchedFile) {
	whole := func(name string) string {
		if name = strings.TrimSpace(name); path.IsAbs(name) {
			return name
		}
		return path.Join(dir, name)
	}
	kinds := map[string]string{"*** Add File": "add", "*** Update File": "update", "*** Delete File": "delete"}
	for _, line := range strings.Split(text, "\n") {
		header, name, _ := strings.Cut(line, ":")
		switch last := len(files) - 1; {
		case kinds[header] != "":
			files = append(files, patchedFile{kind: kinds[header], file: whole(name)})
		case last < 0:
		case header == "*** Move to":
			files[last].kind, files[last].to = "move", whole(name)
		case strings.HasPrefix(line, "-"):
			files[last].gone += line[1:] + "\n"
		case strings.HasPrefix(line, "+"):
			files[last].come += line[1:] + "\n"
		}
	}
	return files
}

// patches is what a patch asks for: leave for all files at once. Patterns and diff name a moved file by its old path alone
// (read in 1.1.53 and 1.18.34, packages/opencode/src/tool/apply_patch.ts, and seen with both).
func (is behaviour) patches(u *toolUse, text, dir string) {
	all := patchedFiles(text, dir)
	if len(all) == 0 {
		u.output = "apply_patch verification failed: no hunks found"
		return
	}
	var patterns []string
	var changes strings.Builder
	var files []map[string]any
	for _, f := range all {
		patterns = append(patterns, relative(dir, f.file))
		d := diff(f.file, f.gone, f.come)
		changes.WriteString(d + "\n")
		about := map[string]any{
			"filePath": f.file, "relativePath": relative(dir, f.file), "type": f.kind,
			"additions": len(linesOf(f.come)), "deletions": len(linesOf(f.gone)),
		}
		if is.modern {
			about["patch"] = d
		} else {
			about["diff"], about["before"], about["after"] = d, f.gone, f.come
		}
		switch f.kind {
		case "move":
			about["movePath"], about["relativePath"] = f.to, relative(dir, f.to)
			u.makes, u.removes = append(u.makes, f.to), append(u.removes, f.file)
		case "delete":
			u.removes = append(u.removes, f.file)
		default:
			u.makes = append(u.makes, f.file)
		}
		files = append(files, about)
	}
	u.output = "Success. Updated the following files."
	u.asks = []Permission{{
		Permission: "edit", Patterns: patterns, Always: []string{"*"},
		Metadata: map[string]any{"filepath": strings.Join(patterns, ", "), "diff": changes.String(), "files": files},
	}}
}
