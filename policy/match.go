package policy

import (
	"slices"
	"strings"

	"hermes/question"
)

// conditions are when a rule fits. An empty one always does. Globs are normal.
type conditions struct {
	Ask        askKind
	Permission []string // globs
	Pattern    []string // globs
	Directory  []string // globs
	Agent      []string // globs
	Session    []string // ids, or parts of the title
	Subagent   *bool
}

// askKind is the closed set of kinds of ask.
type askKind string

const (
	anyAsk     askKind = ""
	questions  askKind = "question"
	permission askKind = "permission"
)

// permissionsOnly reports whether no question can fit.
func (c conditions) permissionsOnly() bool {
	return c.Ask == permission || len(c.Permission) > 0 || len(c.Pattern) > 0
}

// none reports whether everything fits.
func (c conditions) none() bool {
	lists := len(c.Permission) + len(c.Pattern) + len(c.Directory) + len(c.Agent) + len(c.Session)
	return c.Ask == anyAsk && lists == 0 && c.Subagent == nil
}

func (c conditions) fit(a Ask) bool {
	return c.fitAsk(a.Request.Permission) &&
		(len(c.Directory) == 0 || inside(c.Directory, a.Directory)) &&
		(len(c.Agent) == 0 || anyFits(c.Agent, a.Request.Agent)) &&
		(len(c.Session) == 0 || named(c.Session, a.Place)) &&
		(c.Subagent == nil || *c.Subagent == subagent(a))
}

func (c conditions) fitAsk(p *question.Permission) bool {
	if p == nil {
		return c.Ask != permission && !c.permissionsOnly()
	}
	return c.Ask != questions &&
		(len(c.Permission) == 0 || anyFits(c.Permission, p.Kind)) &&
		(len(c.Pattern) == 0 || reaches(c.Pattern, p))
}

// reaches reports whether a glob fits anything that is asked for. What cannot be seen
// may be anything.
func reaches(globs []string, p *question.Permission) bool {
	texts := slices.Clone(p.Patterns)
	if p.Command != "" {
		texts = append(texts, p.Command)
	}
	return len(texts) == 0 || slices.ContainsFunc(texts, func(text string) bool { return anyFits(globs, text) })
}

// inside reports whether the directory, or one above it, fits.
func inside(globs []string, directory string) bool {
	directory = slashed(directory)
	return slices.ContainsFunc(globs, func(glob string) bool {
		glob = slashed(glob)
		return fits(glob, directory) || fits(glob+"/*", directory)
	})
}

// slashed is a directory with slashes, also where it is one of Windows, and without
// one at its end.
func slashed(directory string) string {
	if !strings.HasPrefix(directory, "/") {
		directory = strings.ReplaceAll(directory, `\`, "/")
	}
	return strings.TrimRight(directory, "/")
}

// named reports whether the root session has this id, or this in its title.
func named(sessions []string, p question.Place) bool {
	return slices.ContainsFunc(sessions, func(s string) bool {
		return s == string(p.Root) || strings.Contains(normal(p.Title), normal(s))
	})
}

// subagent reports whether the ask comes from another session than the root.
func subagent(a Ask) bool {
	return a.Place.Root != "" && a.Request.Session != a.Place.Root
}

func anyFits(globs []string, text string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { return fits(glob, text) })
}

// fits reports whether the whole text is as the glob says: * is any text, all else is
// itself, but for case and the amount of white space.
func fits(glob, text string) bool {
	parts, text := strings.Split(normal(glob), "*"), normal(text)
	last := len(parts) - 1
	if last == 0 {
		return text == parts[0]
	}
	text, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1:last] {
		_, rest, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = rest
	}
	return strings.HasSuffix(text, parts[last])
}

func normal(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
