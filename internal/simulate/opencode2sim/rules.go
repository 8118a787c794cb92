package opencode2sim

import (
	"path"
	"slices"
	"strings"
)

// Rule says what happens to an action on a resource: allow, deny or ask. * stands
// for any text.
type Rule struct{ Action, Resource, Effect string }

// effect is what the rules say to an action on a resource: of those that match the
// last one counts. Default rules ask for leave to read .env files and to leave the
// directory (section 4), and here also for shell, edit and webfetch.
func (b *leaves) effect(project, action, resource string) string {
	rules := append([]Rule{
		{"*", "*", "allow"},
		{"external_directory", "*", "ask"},
		{"read", "*.env", "ask"},
		{"read", "*.env.*", "ask"},
		{"read", "*.env.example", "allow"},
		{"shell", "*", "ask"},
		{"edit", "*", "ask"},
		{"webfetch", "*", "ask"},
	}, b.opts.Rules...)
	for _, saved := range b.disk.saved {
		if saved.project == project {
			rules = append(rules, Rule{saved.action, saved.resource, "allow"})
		}
	}
	for _, r := range slices.Backward(rules) {
		if wildcard(r.Action, action) && wildcard(r.Resource, resource) {
			return r.Effect
		}
	}
	return "ask"
}

func wildcard(pattern, text string) bool {
	head, rest, found := strings.Cut(pattern, "*")
	if !found {
		return pattern == text
	}
	if !strings.HasPrefix(text, head) {
		return false
	}
	for i := len(head); i <= len(text); i++ {
		if wildcard(rest, text[i:]) {
			return true
		}
	}
	return false
}

// verdict is the strictest effect on all of a permission's resources.
func (b *leaves) verdict(ses *session, want permit) string {
	worst := "allow"
	if want.must {
		return b.covered(ses, want)
	}
	for _, resource := range want.resources {
		switch b.effect(ses.info.ProjectID, want.action, resource) {
		case "deny":
			return "deny"
		case "ask":
			worst = "ask"
		}
	}
	return worst
}

// covered is verdict by what was granted for always alone.
func (b *leaves) covered(ses *session, want permit) string {
	for _, resource := range want.resources {
		if !slices.ContainsFunc(b.disk.saved, func(r savedRule) bool {
			return r.project == ses.info.ProjectID && wildcard(r.action, want.action) && wildcard(r.resource, resource)
		}) {
			return "ask"
		}
	}
	return "allow"
}

// relative is a path as permissions name it: below dir relative, else whole.
func relative(dir, file string) string {
	if !path.IsAbs(file) {
		return path.Clean(file)
	}
	if rest, ok := strings.CutPrefix(path.Clean(file), path.Clean(dir)+"/"); ok {
		return rest
	}
	return path.Clean(file)
}

func absolute(dir, name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join(dir, name)
}
