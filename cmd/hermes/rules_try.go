package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/policy"
	"hermes/internal/storage"
)

// rulesTrial is what hermes rules test was told to do.
type rulesTrial struct {
	config.Options
	file    string // of rules; empty: the one of HERMES_RULES
	request string // a file, or - for standard input
	last    int
}

func rulesTestCommand() *cobra.Command {
	var t rulesTrial
	cmd := &cobra.Command{
		Use:   "test [FILE] --request FILE | --last N",
		Short: "Say which rule fits an ask, and why; nothing is done",
		Long: "Say which rule fits an ask, and why those before it do not. Nothing is asked, answered or stored. The rules are those of FILE\n" +
			"or, without it, of HERMES_RULES, with the people and chats that hermes pair has let in. The asks come from a file, in the form of\n" +
			"GET /v1/questions (- is standard input), or are the last ones of the running hermes.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				t.file = args[0]
			}
			return t.run(cmd, nil)
		},
	}
	cmd.Flags().StringVar(&t.request, "request", "", "`file` of one or more asks; - for standard input")
	cmd.Flags().IntVar(&t.last, "last", 0, "try the last `N` asks of the running hermes")
	configFlag(cmd, &t.Options)
	return cmd
}

// run tries the rules; hermes is the one that runs, nil: as the configuration says.
func (t rulesTrial) run(cmd *cobra.Command, hermes *apiclient.Client) error {
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
	list, err := t.loadAsks(cmd, hermes)
	if err != nil {
		return err
	}
	b = t.withPaired(cmd, b, hermes)
	now := time.Now()
	for _, q := range list {
		explainDecision(cmd.OutOrStdout(), b, q, now)
	}
	if len(list) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "Nothing was asked in the last seven days.")
	}
	return nil
}

func (t rulesTrial) loadRules() (*policy.Ruleset, error) {
	if t.file != "" {
		return config.ReadRules(t.file, t.file, t.file)
	}
	c, err := config.Load(t.Options)
	switch {
	case err != nil:
		return nil, err
	case c.Rules == "":
		return nil, config.Mistakes{"HERMES_RULES: is not set; set it, or name a file of rules"}
	}
	return c.Ruleset()
}

func (t rulesTrial) loadAsks(cmd *cobra.Command, hermes *apiclient.Client) ([]api.Question, error) {
	if t.last == 0 {
		return t.readAsks(cmd.InOrStdin())
	}
	r, err := t.runningHermes(hermes)
	if err != nil {
		return nil, err
	}
	return r.LastAsked(cmd.Context(), t.last)
}

// runningHermes is the running hermes.
func (t rulesTrial) runningHermes(hermes *apiclient.Client) (apiclient.Client, error) {
	if hermes != nil {
		return *hermes, nil
	}
	c, err := config.Load(t.Options)
	return apiclient.New(c, nil), err
}

// withPaired adds those whom hermes pair has let in, or says that they are missing.
func (t rulesTrial) withPaired(cmd *cobra.Command, b *policy.Ruleset, hermes *apiclient.Client) *policy.Ruleset {
	var p storage.Pairings
	r, err := t.runningHermes(hermes)
	if err == nil {
		p, err = r.Paired(cmd.Context())
	}
	if err != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "People and chats that hermes pair has let in are not counted here, as they cannot be read:", err)
	}
	return b.WithPaired(p, func(id chat.ID) chat.ID { return id })
}

func (t rulesTrial) readAsks(in io.Reader) ([]api.Question, error) {
	if t.request != "-" {
		f, err := os.Open(t.request)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.request, config.WithoutPath(err))
		}
		defer f.Close()
		in = f
	}
	list, err := readRequests(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.request, err)
	}
	return list, nil
}
