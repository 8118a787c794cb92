package ask

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"hermes/internal/event"
	"hermes/internal/question"
)

// Permission is the question_id of the one answer that allows a permission ask; the option
// is [question.Once].
const Permission = "permission"

// longestPermission bounds what stands on the card beside the command and the diff, which
// go into a file where they are long: the patterns and the details together, in characters.
const longestPermission = 20_000

// parsePermission reads what a program asks leave for; nil where it asks questions.
func parsePermission(raw json.RawMessage) (*question.Permission, error) {
	if raw == nil {
		return nil, nil
	}
	var p question.Permission
	var details map[string]string
	err := decodeObject(Permission, raw, map[string]any{
		"kind": &p.Kind, "command": &p.Command, "patterns": &p.Patterns, "diff": &p.Diff, "details": &details,
	})
	if err != nil {
		return nil, err
	}
	if !validKind(p.Kind) {
		return nil, &Fault{"permission.kind", "must be a word of at most 64 letters, digits and . _ : / -, such as bash, edit or webfetch"}
	}
	size := 0
	for n, pattern := range p.Patterns {
		if isBlank(pattern) {
			return nil, &Fault{indexPath("permission.patterns", n), "is empty"}
		}
		size += utf8.RuneCountInString(pattern)
	}
	for _, name := range slices.Sorted(maps.Keys(details)) {
		if isBlank(name) {
			return nil, &Fault{"permission.details", "has an entry without a name"}
		}
		p.Details = append(p.Details, question.Detail{Name: name, Text: details[name]})
		size += utf8.RuneCountInString(name) + utf8.RuneCountInString(details[name])
	}
	switch {
	case strings.EqualFold(p.Kind, "bash") && isBlank(p.Command):
		return nil, &Fault{"permission.command", "is missing: nobody can allow a command that they cannot read"}
	case isBlank(p.Command) && len(p.Patterns) == 0:
		return nil, &Fault{Permission, "needs a command, or patterns such as the file or the address that it is for"}
	case strings.EqualFold(p.Kind, "bash") && p.Diff != "":
		return nil, &Fault{"permission.diff", "does not go with bash: a command has no changes that are known before it runs"}
	case size > longestPermission:
		return nil, &Fault{Permission, "has more than 20000 characters in patterns and details; a long text belongs into command or diff"}
	}
	return &p, nil
}

// validKind accepts words that nobody can mistake for other words on a card, or for another
// kind in a rule.
func validKind(kind string) bool {
	return kind != "" && len(kind) <= 64 && !strings.ContainsFunc(kind, func(c rune) bool {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		return !letter && !(c >= '0' && c <= '9') && !strings.ContainsRune("._:/-", c)
	})
}

// checkPermission refuses fields that make no sense for a permission, or would allow it
// without a person.
func checkPermission(a event.Ask, list []json.RawMessage) error {
	switch {
	case a.Request.Permission == nil:
		return nil
	case list != nil:
		return &Fault{"questions", "do not go with permission: it is one question, and hermes knows its answers"}
	case a.Request.Context != "":
		return &Fault{"context", "does not go with permission; what people should know belongs into permission.details"}
	case a.Terms.OnExpiry.Answers():
		others := slices.DeleteFunc(question.Expiries(), question.Expiry.Answers)
		return &Fault{"on_timeout", "must be " + question.Alternatives(others, `"`) + ": no permission is given because nobody answers"}
	}
	return nil
}

// permissionResult is what became of a permission ask that was answered. Nothing but once
// allows.
func (r *Result) permissionResult(o question.Outcome) {
	if !o.Answers.Equal(question.Answers{{question.Once}}) {
		r.Status, r.AbortedBy = Aborted, byOf(o)
		return
	}
	r.Status, r.AnsweredBy = Answered, byOf(o)
	r.Answers = []Answer{{Question: Permission, Selected: []string{question.Once}}}
}
