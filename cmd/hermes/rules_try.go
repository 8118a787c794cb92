package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"hermes/policy"
)

// rulesTrial is what hermes rules test was told to do.
type rulesTrial struct {
	options
	file    string // of rules; empty: the one of HERMES_RULES
	request string // a file, or - for standard input
	last    int
}

func rulesTestCommand() *cobra.Command {
	var t rulesTrial
	cmd := &cobra.Command{
		Use:   "test [FILE] --request FILE | --last N",
		Short: "Tell which rule fits an ask, and why, without doing anything",
		Long: "Tell which rule fits an ask, and why, and why those before it do not. Nothing is asked, answered or stored. The rules are those of\n" +
			"FILE, else of HERMES_RULES. The asks are read from a file, as GET /v1/questions gives them (- is standard input), or are the\n" +
			"last ones of the hermes that runs.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				t.file = args[0]
			}
			return t.run(cmd, nil)
		},
	}
	cmd.Flags().StringVar(&t.request, "request", "", "`file` of one or more asks; - for standard input")
	cmd.Flags().IntVar(&t.last, "last", 0, "try the last `N` asks of the hermes that runs")
	configFlag(cmd, &t.options)
	return cmd
}

// run tries the rules; hermes is the one that runs, nil: as the configuration says.
func (t rulesTrial) run(cmd *cobra.Command, hermes *running) error {
	if (t.request == "") == (t.last == 0) {
		return mistakes{"--request, --last: give one of the two"}
	}
	if t.last < 0 || t.last > maxLast {
		return mistakes{fmt.Sprintf("--last: must be a number from 1 to %d", maxLast)}
	}
	b, err := t.rules()
	if err != nil {
		return err
	}
	list, err := t.asks(cmd, hermes)
	if err != nil {
		return err
	}
	now := time.Now()
	for _, q := range list {
		explain(cmd.OutOrStdout(), b, q, now)
	}
	if len(list) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "Nothing was asked in the last seven days.")
	}
	return nil
}

func (t rulesTrial) rules() (*policy.Book, error) {
	if t.file != "" {
		return readRules(t.file, t.file, t.file)
	}
	c, err := loadConfig(t.options)
	switch {
	case err != nil:
		return nil, err
	case c.Rules == "":
		return nil, mistakes{"HERMES_RULES: is not set; set it, or name a file of rules"}
	}
	return c.book()
}

func (t rulesTrial) asks(cmd *cobra.Command, hermes *running) ([]apiQuestion, error) {
	if t.last == 0 {
		return t.read(cmd.InOrStdin())
	}
	if hermes == nil {
		c, err := loadConfig(t.options)
		if err != nil {
			return nil, err
		}
		r := toRunning(c, nil)
		hermes = &r
	}
	return hermes.lastAsked(cmd.Context(), t.last)
}

func (t rulesTrial) read(in io.Reader) ([]apiQuestion, error) {
	if t.request != "-" {
		f, err := os.Open(t.request)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.request, plain(err))
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
