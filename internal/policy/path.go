package policy

import (
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
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

// address is a URL that says what it means: every program reads the same host in it.
type address struct {
	scheme string // lower case
	host   string // lower case, without a dot at its end
	port   string // empty: the scheme's own
	rest   string // path, query and fragment as spelled; begins with a slash
}

// isAddress reports whether a text or a glob looks like a URL.
func isAddress(text string) bool { return strings.Contains(text, "://") }

// parseAddress reads a URL. It reports false for one that programs read differently, or not
// at all, such as one with a backslash, a space, an escape in its host, a host in other letters than
// ASCII, or an IP address in an unusual notation.
func parseAddress(text string) (a address, ok bool) {
	plain := func(c rune) bool { return c > ' ' && c < 0x7f && c != '\\' }
	_, err := url.Parse(text)
	if err != nil || !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return c < 0x80 && !plain(c) }) {
		return a, false
	}
	scheme, authority, rest := cutAddress(text)
	at := strings.LastIndex(authority, "@")
	host, port, ok := cutPort(authority[at+1:])
	a = address{scheme: strings.ToLower(scheme), host: strings.TrimSuffix(strings.ToLower(host), "."), rest: rest}
	if port != ownPort(a.scheme) {
		a.port = port
	}
	number, err := strconv.ParseUint("0"+port, 10, 16)
	ascii := !strings.ContainsFunc(authority, func(c rune) bool { return c >= 0x80 })
	return a, ok && ascii && err == nil && (port == "" || strconv.FormatUint(number, 10) == port) && soundScheme(a.scheme) && soundHost(a.host)
}

// cutAddress takes a URL, or a glob of some, apart. The rest begins with a slash.
func cutAddress(text string) (scheme, authority, rest string) {
	scheme, after, _ := strings.Cut(text, "://")
	n := strings.IndexAny(after, "/?#")
	if n < 0 {
		return scheme, after, "/"
	}
	authority, rest = after[:n], after[n:]
	if rest[0] != '/' {
		rest = "/" + rest
	}
	return scheme, authority, rest
}

// cutPort cuts the port off; an IP address in brackets has colons of its own.
func cutPort(authority string) (host, port string, ok bool) {
	if end := strings.IndexByte(authority, ']'); strings.HasPrefix(authority, "[") {
		after := authority[end+1:]
		return authority[:end+1], strings.TrimPrefix(after, ":"), end > 0 && (after == "" || after[0] == ':')
	}
	host, port, _ = strings.Cut(authority, ":")
	return host, port, true
}

func ownPort(scheme string) string {
	return map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}[scheme]
}

func soundScheme(scheme string) bool {
	return scheme != "" && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+.-") == "" && scheme[0] >= 'a'
}

// soundHost accepts names of letters, digits, hyphens and underscores, and IP addresses in
// their usual notation. It refuses names with xn--, which stand for other letters.
func soundHost(host string) bool {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		ip, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		return err == nil && ip.Is6() && !ip.Is4In6() && ip.String() == strings.TrimSuffix(inner, "]")
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	if last != "" && last[0] >= '0' && last[0] <= '9' {
		ip, err := netip.ParseAddr(host)
		return err == nil && ip.Is4()
	}
	return !slices.ContainsFunc(labels, func(l string) bool {
		return l == "" || strings.HasPrefix(l, "xn--") || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-_") != ""
	})
}

// addressForms returns the spellings that patterns are compared with. It reports false if programs may read the URL differently.
func addressForms(text string) (forms []string, ok bool) {
	a, ok := parseAddress(text)
	forms = []string{text}
	if !ok {
		return forms, false
	}
	rests := []string{a.rest}
	if plain, err := url.PathUnescape(a.rest); err == nil {
		p, query, _ := strings.Cut(plain, "?")
		rests = append(rests, plain, path.Clean(p), path.Clean(p)+"/", path.Clean(p)+"?"+query)
	}
	if a.rest == "/" {
		rests = append(rests, "")
	}
	for _, scheme := range []string{a.scheme, "http", "https"} {
		for _, port := range []string{"", a.port, ownPort(scheme)} {
			if port != "" {
				port = ":" + port
			}
			for _, rest := range rests {
				forms = append(forms, scheme+"://"+a.host+port+rest)
			}
		}
	}
	return forms, true
}
