package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/letters"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
)

// rulesCommand groups what is done with a rules file.
func rulesCommand() *cobra.Command {
	return groupOf(&cobra.Command{
		Use:   "rules",
		Short: "Check or try the file that says who may answer what",
	}, rulesCheckCommand(), rulesTestCommand())
}

func rulesCheckCommand() *cobra.Command {
	var opts config.Options
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Name every mistake in a rules file, with its line; exit 2 if there is one",
		Long: "Name every mistake in a rules file, with its line; the exit code is then 2. Without FILE, it is the file of HERMES_RULES. " +
			"docs/rules.md describes what it can contain.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				b, err := config.ReadRules(args[0], args[0], args[0])
				return reportRules(cmd.OutOrStdout(), args[0], b, err)
			}
			return checkConfigured(cmd.OutOrStdout(), opts)
		},
	}
	configFlag(cmd, &opts)
	return cmd
}

func checkConfigured(out io.Writer, opts config.Options) error {
	c, err := config.Load(opts)
	switch {
	case err != nil:
		return err
	case c.Rules == "":
		return config.Mistakes{"HERMES_RULES: is not set; set it, or name a file to check"}
	}
	b, err := c.Ruleset()
	return reportRules(out, filepath.Base(c.Rules), b, err)
}

func reportRules(out io.Writer, name string, b *policy.Ruleset, err error) error {
	if err == nil {
		fmt.Fprintf(out, "%s: %s\n", name, config.RulesSummary(b))
		for _, note := range b.Notes() {
			fmt.Fprintf(out, "note: %s\n", letters.Escaped(note))
		}
	}
	return err
}

// maxRequest bounds the file of a request.
const maxRequest = 4 << 20

// readRequests reads asks as GET /v1/questions tells them: the whole answer, a list,
// or one of them. A field that is not known is refused: it would be ignored silently, and
// the rules tried on something else than what was meant.
func readRequests(text []byte) ([]api.Question, error) {
	var list []api.Question
	var whole struct {
		Questions []api.Question `json:"questions"`
	}
	var one api.Question
	switch {
	case api.Decode(bytes.NewReader(text), &list) == nil:
	case api.Decode(bytes.NewReader(text), &whole) == nil && checkAsks(whole.Questions) == nil:
		list = whole.Questions
	default:
		if err := api.Decode(bytes.NewReader(text), &one); err != nil {
			return nil, fmt.Errorf("it is no ask as GET /v1/questions gives it: %w", err)
		}
		list = []api.Question{one}
	}
	return list, checkAsks(list)
}

// checkAsks refuses asks that ask for nothing.
func checkAsks(list []api.Question) error {
	for _, q := range list {
		if q.Permission == nil && len(q.Questions) == 0 {
			return errors.New(`it holds an ask with neither "questions" nor "permission"`)
		}
	}
	return nil
}

// askOfQuestion is what rules are found for. Where the time is not told, it is now.
func askOfQuestion(q api.Question, now time.Time) policy.Ask {
	a := policy.Ask{
		Request: q.Domain(), Directory: q.Directory, Resolved: q.Resolved,
		Place: session.Place{Title: q.Title, Subagent: q.Subagent, Root: q.Root}, Link: q.Link, Owner: q.Owner, At: q.Asked,
	}
	if a.At.IsZero() {
		a.At = now
	}
	return a
}

// rulesTrial is what hermes rules test was told to do.
type rulesTrial struct {
	hermes  apiclient.Client
	file    string // of rules; empty: the one of HERMES_RULES
	request string // a file, or - for standard input
	last    int
}

func rulesTestCommand() *cobra.Command {
	var t rulesTrial
	cmd := withHermes(&cobra.Command{
		Use:   "test [FILE] --request FILE | --last N",
		Short: "Say which rule fits an ask, and why; nothing is done",
		Long: "Say which rule fits an ask, and why those before it do not. Nothing is asked, answered or stored. The rules are those of FILE " +
			"or, without it, of HERMES_RULES, with the people and chats that hermes pair has let in, if hermes runs. The asks come from a file, " +
			"in the form of GET /v1/questions (- is standard input), or are the last ones of the running hermes.",
		Args: cobra.MaximumNArgs(1),
	}, func(cmd *cobra.Command, hermes apiclient.Client, args []string) error {
		t.hermes = hermes
		if len(args) == 1 {
			t.file = args[0]
		}
		return t.run(cmd)
	})
	cmd.Flags().StringVar(&t.request, "request", "", "`file` of one or more asks; - for standard input")
	cmd.Flags().IntVar(&t.last, "last", 0, "try the last `N` asks of the running hermes")
	return cmd
}

func (t rulesTrial) run(cmd *cobra.Command) error {
	if (t.request == "") == (t.last == 0) {
		return config.Mistakes{"--request, --last: give one of the two"}
	}
	if t.last < 0 || t.last > api.MaxLast {
		return config.Mistakes{fmt.Sprintf("--last: must be a number from 1 to %d", api.MaxLast)}
	}
	b, err := t.loadRules()
	if err != nil {
		return err
	}
	read := func() ([]api.Question, error) { return t.hermes.LastAsked(cmd.Context(), t.last) }
	if t.last == 0 {
		read = func() ([]api.Question, error) { return t.readAsks(cmd.InOrStdin()) }
	}
	list, err := read()
	if err != nil {
		return err
	}
	paired, err := t.hermes.Paired(cmd.Context())
	if err != nil && t.hermes.Config.IsHere() { // else nobody was let in yet
		fmt.Fprintln(cmd.ErrOrStderr(), "People and chats that hermes pair has let in are not counted here, as they cannot be read:", t.hermes.Redactor().Error(err))
	}
	b = b.WithPaired(paired, func(id chat.ID) chat.ID { return id })
	now := time.Now()
	for _, q := range list {
		explainDecision(cmd.OutOrStdout(), b, q, now)
	}
	switch {
	case len(list) > 0:
	case t.last == 0:
		fmt.Fprintln(cmd.ErrOrStderr(), t.request+": there is no ask in it.")
	default:
		fmt.Fprintln(cmd.ErrOrStderr(), "Nothing was asked in the last seven days.")
	}
	return nil
}

func (t rulesTrial) loadRules() (*policy.Ruleset, error) {
	switch c := t.hermes.Config; {
	case t.file != "":
		return config.ReadRules(t.file, t.file, t.file)
	case c.Rules == "":
		return nil, config.Mistakes{"HERMES_RULES: is not set; set it, or name a file of rules"}
	default:
		return c.Ruleset()
	}
}

func (t rulesTrial) readAsks(stdin io.Reader) ([]api.Question, error) {
	text, err := readInput(stdin, t.request, maxRequest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.request, err)
	}
	list, err := readRequests(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.request, err)
	}
	return list, nil
}

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
