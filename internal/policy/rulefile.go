package policy

import (
	"strings"
	"time"

	"hermes/internal/question"
)

func ruleSettings() map[string]setting[conditionalRule] {
	return map[string]setting[conditionalRule]{
		"name": func(f *file, x *conditionalRule, p *pair) { x.Name = f.label(p.key, p.value) },

		"ask":        func(f *file, x *conditionalRule, p *pair) { x.when.Ask = f.readAskKind(p) },
		"permission": func(f *file, x *conditionalRule, p *pair) { x.when.Permission = each(f.reader, p, f.text) },
		"pattern":    func(f *file, x *conditionalRule, p *pair) { x.when.Pattern = each(f.reader, p, f.text) },
		"directory":  func(f *file, x *conditionalRule, p *pair) { x.when.Directory = each(f.reader, p, f.readDirectory) },
		"agent":      func(f *file, x *conditionalRule, p *pair) { x.when.Agent = each(f.reader, p, f.text) },
		"session":    func(f *file, x *conditionalRule, p *pair) { x.when.Session = each(f.reader, p, f.text) },
		"link":       func(f *file, x *conditionalRule, p *pair) { x.when.Link = each(f.reader, p, f.text) },
		"owner":      func(f *file, x *conditionalRule, p *pair) { x.when.Owner = each(f.reader, p, f.person) },
		"subagent":   func(f *file, x *conditionalRule, p *pair) { x.when.Subagent = new(f.flag(p)) },
		"hours":      func(f *file, x *conditionalRule, p *pair) { x.when.Hours.From, x.when.Hours.To = f.span(p) },
		"hours_zone": func(f *file, x *conditionalRule, p *pair) { x.when.Hours.Zone = f.reader.zone(p) },

		"header":       func(f *file, x *conditionalRule, p *pair) { x.when.Header = each(f.reader, p, f.text) },
		"header_regex": func(f *file, x *conditionalRule, p *pair) { x.when.HeaderRegex = each(f.reader, p, f.regex) },
		"text":         func(f *file, x *conditionalRule, p *pair) { x.when.Text = each(f.reader, p, f.text) },
		"text_regex":   func(f *file, x *conditionalRule, p *pair) { x.when.TextRegex = each(f.reader, p, f.regex) },
		"option":       func(f *file, x *conditionalRule, p *pair) { x.when.Option = each(f.reader, p, f.text) },

		"roles":     func(f *file, x *conditionalRule, p *pair) { x.Roles = each(f.reader, p, f.label) },
		"approvals": func(f *file, x *conditionalRule, p *pair) { x.Approvals = f.count(p) },
		"chats":     func(f *file, x *conditionalRule, p *pair) { x.Targets, x.toOwner = f.readTargets(p) },

		"approver_not_owner": func(f *file, x *conditionalRule, p *pair) { x.NotOwner = f.flag(p) },

		"claim":           func(f *file, x *conditionalRule, p *pair) { x.Claim = f.duration(p) },
		"claim_exclusive": func(f *file, x *conditionalRule, p *pair) { x.Exclusive = f.flag(p) },
		"escalate":        func(f *file, x *conditionalRule, p *pair) { x.Escalation = f.readEscalation(p) },
		"quiet":           func(f *file, x *conditionalRule, p *pair) { x.Quiet.From, x.Quiet.To = f.span(p) },
		"quiet_zone":      func(f *file, x *conditionalRule, p *pair) { x.Quiet.Zone = f.reader.zone(p) },
		"timeout":         func(f *file, x *conditionalRule, p *pair) { x.Timeout = f.duration(p) },
		"on_timeout":      func(f *file, x *conditionalRule, p *pair) { x.OnTimeout = f.readExpiry(p) },
		"undo":            func(f *file, x *conditionalRule, p *pair) { x.Undo = f.readUndo(p) },
		"remind":          func(f *file, x *conditionalRule, p *pair) { x.Remind = f.readReminders(p) },

		"decide":             func(f *file, x *conditionalRule, p *pair) { x.Decide = f.readDecide(p) },
		"answers":            func(f *file, x *conditionalRule, p *pair) { x.Answers = f.readAnswers(p) },
		"fallback":           func(f *file, x *conditionalRule, p *pair) { x.Fallback = oneOf(f, p, Reject, AcceptFirst) },
		"prefer_recommended": func(f *file, x *conditionalRule, p *pair) { x.Recommended = f.flag(p) },
		"notify":             func(f *file, x *conditionalRule, p *pair) { x.Notify = f.flag(p) },
	}
}

func (f *file) readAskKind(p *pair) askKind {
	kind := askKind(p.value.text)
	if p.value.kind != isText || kind != questions && kind != permission {
		f.mistakes.add(p.value.line, `%s must be "question" or "permission"; leave it out for both`, p.key)
	}
	return kind
}

// readUndo reads how long a decision is held: "0s" is not at all.
func (f *file) readUndo(p *pair) *time.Duration {
	d, err := time.ParseDuration(p.value.text)
	if p.value.kind != isText || err != nil || d != 0 && d < time.Second || d > question.MaxHold {
		f.mistakes.add(p.value.line, `%s must be a duration from a second to %v, such as "10s", or "0s" to send at once`, p.key, question.MaxHold)
		return nil
	}
	return &d
}

// readDirectory reads a glob that some directory can fit.
func (f *file) readDirectory(key string, v value) string {
	glob := f.text(key, v)
	windows := len(glob) > 1 && glob[1] == ':'
	if glob != "" && !windows && !strings.HasPrefix(glob, "/") && !strings.HasPrefix(glob, "*") {
		f.mistakes.add(v.line, "%s must begin with / or *, for it is held against whole paths; ~ is not expanded", key)
		return ""
	}
	clean, ok := cleanGlob(glob)
	if !ok {
		f.mistakes.add(v.line, "%s has .. in it; write the path itself", key)
		return ""
	}
	return clean
}

// readEscalation reads the steps, each later than the one before.
func (f *file) readEscalation(p *pair) []Escalation {
	settings := map[string]setting[Escalation]{
		"after": func(f *file, x *Escalation, p *pair) { x.After = f.duration(p) },
		"chats": func(f *file, x *Escalation, p *pair) { x.Targets, x.toOwner = f.readTargets(p) },
	}
	var (
		all  []Escalation
		last time.Duration
	)
	if p.value.kind != isList || len(p.value.list) == 0 {
		f.mistakes.add(p.line, `%s must be a list such as [{ after = "10m", chats = [-1001234567890] }]`, p.key)
		return nil
	}
	for _, step := range readTables(f, p, settings, "after", "chats") {
		if d := step.value.After; d > 0 && d <= last {
			f.mistakes.add(step.lineOf("after"), "after must be more than the %v of the step before", last)
		}
		last = max(last, step.value.After)
		all = append(all, step.value)
	}
	return all
}
