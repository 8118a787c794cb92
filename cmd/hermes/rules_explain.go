package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"hermes/internal/api"
	"hermes/internal/letters"
	"hermes/internal/policy"
	"hermes/internal/question"
)

// explainDecision tells which rule fits an ask and why, and what hermes would do.
func explainDecision(out io.Writer, b *policy.Ruleset, q api.Question, now time.Time) {
	a := askOfQuestion(q, now)
	fmt.Fprintln(out, letters.Escaped(askTitle(q, a.At.In(now.Location()))))
	traces := b.Explain(a)
	for _, t := range traces {
		fmt.Fprintf(out, "  rule %s %s\n", strconv.QuoteToGraphic(t.Rule), letters.Escaped(conditionsOf(t)))
	}
	rule := b.Rule(a)
	if rule.Name == "" {
		fmt.Fprintln(out, "  no rule fits")
	}
	fmt.Fprintf(out, "  => %s\n", letters.Escaped(effectOf(b, rule, a.Request)))
}

// askTitle names an ask in a line.
func askTitle(q api.Question, at time.Time) string {
	var parts []string
	for _, p := range []string{string(q.Request), at.Format(time.DateTime), askSummary(q), q.Directory} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, " · ")
}

func askSummary(q api.Question) string {
	if p := q.Permission; p != nil && p.Command != "" {
		return p.Kind + ": " + p.Command
	} else if p != nil {
		return p.Kind + ": " + strings.Join(p.Patterns, ", ")
	}
	var names []string
	for _, item := range q.Questions {
		name := item.Header
		if name == "" {
			name = item.Question
		}
		names = append(names, strconv.QuoteToGraphic(name))
	}
	return strings.Join(names, ", ")
}

// conditionsOf tells the conditions that count: of a rule that fits all, of one that does not
// those that are not met.
func conditionsOf(t policy.Trace) string {
	var told []string
	for _, one := range t.Tests {
		switch {
		case one.Fit.Counts() != t.Fits:
		case one.Fit == policy.NotKnown:
			told = append(told, one.Condition+" (what it looks at is not known, so it counts as met)")
		case one.Fit == policy.Unclear:
			told = append(told, one.Condition+" (what it looks at cannot be understood, so it counts as met)")
		default:
			told = append(told, one.Condition)
		}
	}
	said := "does not fit: "
	switch {
	case t.Fits && len(t.Tests) == 0:
		return "fits everything"
	case t.Fits:
		said = "fits: "
	}
	return said + strings.Join(told, "; ")
}

// effectOf is what hermes does with the ask under the rule.
func effectOf(b *policy.Ruleset, rule policy.Rule, r question.Request) string {
	d, ok := rule.Decision(r)
	why := ""
	if unfit, is := rule.Unfit(r); is {
		why = ": " + unfit
	}
	if !ok {
		return audienceOf(b, rule) + why
	}
	said := "answers " + legibleAnswers(d.Answers)
	switch {
	case d.Reject && r.Permission != nil:
		said = "rejects it"
	case d.Reject:
		said = "dismisses it"
	}
	if !rule.Notify {
		return said + ", and shows it nowhere" + why
	}
	return said + ", and shows it in " + targetNames(rule.Targets) + undoOf(rule) + why
}

// audienceOf tells whom the rule asks, and for how long.
func audienceOf(b *policy.Ruleset, rule policy.Rule) string {
	said := "asks people"
	if rule.Unsure && rule.Decide != "" && rule.Decide != policy.Forward {
		said = "decides nothing before more is known, and asks people"
	}
	if len(rule.Roles) > 0 {
		said += " who are " + strings.Join(rule.Roles, " or ")
		for _, roles := range rule.AlsoRoles {
			said += ", and " + strings.Join(roles, " or ")
		}
		said += " (" + answerersOf(b, rule) + ")"
	}
	switch {
	case rule.OwnerOnly:
		said = strings.Replace(said, "asks people", "asks the owner of the link alone", 1)
	case rule.NotOwner:
		said += " who are not the owner of the link"
	}
	said += " in " + targetNames(rule.Targets)
	if rule.Approvals > 1 {
		said += fmt.Sprintf(", and needs %d approvals", rule.Approvals)
	}
	switch {
	case rule.Timeout > 0 && rule.OnTimeout != "":
		said += fmt.Sprintf("; after %v: %s", rule.Timeout, rule.OnTimeout)
	case rule.Timeout > 0:
		said += fmt.Sprintf("; after %v: as HERMES_ON_EXPIRY says", rule.Timeout)
	case rule.OnTimeout != "":
		said += fmt.Sprintf("; after HERMES_QUESTION_TTL: %s", rule.OnTimeout)
	}
	return said + undoOf(rule)
}

// undoOf tells how long a decision can be taken back, where the rule says so.
func undoOf(rule policy.Rule) string {
	switch {
	case rule.Undo == nil:
		return ""
	case *rule.Undo == 0:
		return "; what is decided is sent at once"
	}
	return fmt.Sprintf("; what is decided can be taken back for %v", *rule.Undo)
}

// answerersOf are those who may answer under the rule.
func answerersOf(b *policy.Ruleset, rule policy.Rule) string {
	var names []string
	for _, p := range b.People() {
		if b.May(rule, p.ID) == policy.May {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return "nobody"
	}
	return strings.Join(names, ", ")
}

func targetNames(targets []policy.Target) string {
	if len(targets) == 0 {
		return "no chat"
	}
	var list []string
	for _, t := range targets {
		list = append(list, t.String())
	}
	return strings.Join(list, ", ")
}
