package policy

import (
	"strings"
	"time"
)

func ruleSettings() map[string]setting[entry] {
	return map[string]setting[entry]{
		"name": func(f *file, x *entry, p *pair) { x.Name = f.label(p.key, p.value) },

		"ask":        func(f *file, x *entry, p *pair) { x.when.Ask = f.askKind(p) },
		"permission": func(f *file, x *entry, p *pair) { x.when.Permission = each(f.reader, p, f.text) },
		"pattern":    func(f *file, x *entry, p *pair) { x.when.Pattern = each(f.reader, p, f.text) },
		"directory":  func(f *file, x *entry, p *pair) { x.when.Directory = each(f.reader, p, f.directory) },
		"agent":      func(f *file, x *entry, p *pair) { x.when.Agent = each(f.reader, p, f.text) },
		"session":    func(f *file, x *entry, p *pair) { x.when.Session = each(f.reader, p, f.text) },
		"subagent":   func(f *file, x *entry, p *pair) { x.when.Subagent = new(f.flag(p)) },
		"hours":      func(f *file, x *entry, p *pair) { x.when.Hours.From, x.when.Hours.To = f.span(p) },
		"hours_zone": func(f *file, x *entry, p *pair) { x.when.Hours.Zone = f.reader.zone(p) },

		"header":       func(f *file, x *entry, p *pair) { x.when.Header = each(f.reader, p, f.text) },
		"header_regex": func(f *file, x *entry, p *pair) { x.when.HeaderRegex = each(f.reader, p, f.regex) },
		"text":         func(f *file, x *entry, p *pair) { x.when.Text = each(f.reader, p, f.text) },
		"text_regex":   func(f *file, x *entry, p *pair) { x.when.TextRegex = each(f.reader, p, f.regex) },
		"option":       func(f *file, x *entry, p *pair) { x.when.Option = each(f.reader, p, f.text) },

		"roles":           func(f *file, x *entry, p *pair) { x.Roles = each(f.reader, p, f.label) },
		"approvals":       func(f *file, x *entry, p *pair) { x.Approvals = f.count(p) },
		"chats":           func(f *file, x *entry, p *pair) { x.Targets = each(f.reader, p, f.target) },
		"claim":           func(f *file, x *entry, p *pair) { x.Claim = f.duration(p) },
		"claim_exclusive": func(f *file, x *entry, p *pair) { x.Exclusive = f.flag(p) },
		"escalate":        func(f *file, x *entry, p *pair) { x.Escalation = f.escalation(p) },
		"quiet":           func(f *file, x *entry, p *pair) { x.Quiet.From, x.Quiet.To = f.span(p) },
		"quiet_zone":      func(f *file, x *entry, p *pair) { x.Quiet.Zone = f.reader.zone(p) },
		"timeout":         func(f *file, x *entry, p *pair) { x.Timeout = f.duration(p) },
		"on_timeout":      func(f *file, x *entry, p *pair) { x.OnTimeout = f.expiry(p) },
		"remind":          func(f *file, x *entry, p *pair) { x.Remind = f.remind(p) },

		"decide":             func(f *file, x *entry, p *pair) { x.Decide = oneOf(f, p, decisions()...) },
		"answers":            func(f *file, x *entry, p *pair) { x.Answers = f.answers(p) },
		"fallback":           func(f *file, x *entry, p *pair) { x.Fallback = oneOf(f, p, Reject, AcceptFirst) },
		"prefer_recommended": func(f *file, x *entry, p *pair) { x.Recommended = f.flag(p) },
		"notify":             func(f *file, x *entry, p *pair) { x.Notify = f.flag(p) },
	}
}

func (f *file) askKind(p *pair) askKind {
	kind := askKind(p.value.text)
	if p.value.kind != isText || kind != questions && kind != permission {
		f.wrong.add(p.value.line, `%s must be "question" or "permission"; leave it out for both`, p.key)
	}
	return kind
}

// directory reads a glob that some directory can fit.
func (f *file) directory(key string, v value) string {
	glob := f.text(key, v)
	windows := len(glob) > 1 && glob[1] == ':'
	if glob != "" && !windows && !strings.HasPrefix(glob, "/") && !strings.HasPrefix(glob, "*") {
		f.wrong.add(v.line, "%s must begin with / or *, for it is held against whole paths; ~ is not expanded", key)
		return ""
	}
	clean, ok := cleanGlob(glob)
	if !ok {
		f.wrong.add(v.line, "%s has .. in it; write the path itself", key)
		return ""
	}
	return clean
}

// escalation reads the steps, each later than the one before.
func (f *file) escalation(p *pair) []Escalation {
	settings := map[string]setting[Escalation]{
		"after": func(f *file, x *Escalation, p *pair) { x.After = f.duration(p) },
		"chats": func(f *file, x *Escalation, p *pair) { x.Targets = each(f.reader, p, f.target) },
	}
	var (
		all  []Escalation
		last time.Duration
	)
	if p.value.kind != isList || len(p.value.list) == 0 {
		f.wrong.add(p.line, `%s must be a list such as [{ after = "10m", chats = [-1001234567890] }]`, p.key)
		return nil
	}
	for _, step := range tables(f, p, settings, "after", "chats") {
		if d := step.it.After; d > 0 && d <= last {
			f.wrong.add(step.line("after"), "after must be more than the %v of the step before", last)
		}
		last = max(last, step.it.After)
		all = append(all, step.it)
	}
	return all
}
