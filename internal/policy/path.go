package policy

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hermes/internal/question"
)

// folder is a directory as the rules look at it.
type folder struct {
	path  string // with slashes, also on Windows, and without one at its end
	clear bool   // it is a whole path, spelled in the one usual way
}

// folderOf reads a directory. One that is not clear may be any directory of its machine:
// a system may resolve the same spelling to different places, or several spellings to
// one, and Hermes cannot ask the file system of another machine.
func folderOf(directory string) folder {
	windows := onDrive(directory)
	if windows {
		directory = strings.ReplaceAll(directory, `\`, "/")
	}
	f := folder{path: strings.TrimSuffix(directory, "/")}
	whole := strings.HasPrefix(directory, "/") || windows
	f.clear = whole && isLegible(directory) && !slices.ContainsFunc(pathSegments(f.path), func(s string) bool {
		return ambiguousSegment(s) || windows && ambiguousOnWindows(s)
	})
	return f
}

// onDrive reports whether it is a whole path of Windows: C:\src or C:/src.
func onDrive(directory string) bool {
	return len(directory) > 2 && directory[1] == ':' && strings.ContainsRune(`\/`, rune(directory[2]))
}

// pathSegments are the parts of a whole path, without the root or the drive.
func pathSegments(p string) []string { return strings.Split(p, "/")[1:] }

// ambiguousSegment reports whether a part of a path can mean another one than it says.
func ambiguousSegment(segment string) bool {
	return segment == "" || segment == "." || segment == ".." || segment[0] == '~' || strings.Contains(segment, `\`)
}

// ambiguousOnWindows reports whether Windows reads the part as another name: it drops dots and
// spaces at the end, and knows long names by a short one such as PROGRA~1.
func ambiguousOnWindows(segment string) bool {
	return strings.TrimRight(segment, ". ") != segment || strings.ContainsAny(segment, `~:*?"<>|`)
}

// isLegible reports whether the text has nothing that hides in it: control characters,
// characters without a picture, letters in parts (macOS takes them for the whole letter),
// or bytes that are no UTF-8.
func isLegible(text string) bool {
	hidden := func(c rune) bool {
		accent, jamo, voiced := c >= 0x300 && c <= 0x36f, c >= 0x1100 && c <= 0x11ff, c == 0x3099 || c == 0x309a
		return c == utf8.RuneError || !unicode.IsGraphic(c) || accent || jamo || voiced
	}
	return utf8.ValidString(text) && !strings.ContainsFunc(text, hidden)
}

// cleanGlob is a glob of directories in the usual spelling: without empty parts, "." and a
// slash at its end. It reports false for one with ".." in it.
func cleanGlob(glob string) (string, bool) {
	if onDrive(glob) {
		glob = strings.ReplaceAll(glob, `\`, "/")
	}
	parts := strings.Split(glob, "/")
	if slices.Contains(parts, "..") {
		return glob, false
	}
	first := parts[0]
	rest := slices.DeleteFunc(parts[1:], func(p string) bool { return p == "" || p == "." })
	return strings.Join(append([]string{first}, rest...), "/"), true
}

// insideAny reports whether the directory, or one above it, fits one of the globs.
func insideAny(globs []string, directory string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		glob, _ = cleanGlob(glob)
		return globFits(glob, directory) || globFits(glob+"/*", directory)
	})
}

// fitDirectory compares the condition on the directory with the ask's, and with its resolved name. Where a symbolic link
// leads can be changed at any time.
func (c conditions) fitDirectory(a Ask) Fit {
	is := folderOf(a.Directory)
	real, linked := is, a.Resolved != "" && a.Resolved != a.Directory
	if linked {
		real = folderOf(a.Resolved)
	}
	in := func(f folder) bool { return f.clear && insideAny(c.Directory, f.path) }
	switch {
	case in(is) && in(real), !linked && a.hasNoDirectory() && insideAny(c.Directory, ""):
		return Met
	case linked || !is.clear && !a.hasNoDirectory():
		return Unclear
	}
	return NotMet
}

// hasNoDirectory reports whether it is certain that the ask has no directory: a program asked a
// question, and named none.
func (a Ask) hasNoDirectory() bool {
	return a.Directory == "" && a.Request.Session == "" && a.Request.Permission == nil
}

// ofFiles reports whether the permission's patterns are paths, in OpenCode's kinds.
func ofFiles(kind string) bool {
	return slices.Contains([]string{"edit", "write", "patch", "read", "list", "external_directory"}, strings.ToLower(kind))
}

// mayClimb reports whether a path may lead to another place than its text says.
func mayClimb(p string) bool {
	p = strings.ReplaceAll(p, `\`, "/")
	return !isLegible(p) || slices.ContainsFunc(strings.Split(p, "/"), func(s string) bool { return s == ".." || s == "~" })
}

// pathForms are the texts that a path is compared as: as it is
// spelled, with slashes, and cleaned.
func pathForms(p string) []string {
	slashes := strings.ReplaceAll(p, `\`, "/")
	forms := []string{p, slashes, path.Clean(slashes)}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// shell is OpenCode's kind of commands.
const shell = "bash"

// isShell reports whether the permission is for a command.
func isShell(p *question.Permission) bool { return strings.EqualFold(p.Kind, shell) }
