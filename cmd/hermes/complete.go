package main

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/letters"
	"hermes/internal/question"
)

// completeWithin is how long a shell may wait for values that the running hermes knows.
const completeWithin = 700 * time.Millisecond

// completeValues gives the commands of the tree what a shell completes their flags and arguments to. Without an entry
// nothing is completed, and no file name either.
func completeValues(root *cobra.Command) {
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	flags, arguments := flagCompletions(), argumentCompletions()
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for name, complete := range flags {
			if cmd.LocalFlags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, complete) // fails only for a flag that has one
			}
		}
		if complete := arguments[cmd.CommandPath()]; complete != nil {
			cmd.ValidArgsFunction = complete
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// flagCompletions are the values of flags, which mean the same in every command.
func flagCompletions() map[string]cobra.CompletionFunc {
	var expiries []cobra.Completion
	for _, e := range question.Expiries() {
		expiries = append(expiries, cobra.Completion(e))
	}
	return map[string]cobra.CompletionFunc{
		"config":              files("env"),
		"config-dir":          folders,
		"opencode-config-dir": folders,
		"directory":           folders,
		"token-file":          anyFile,
		"file":                anyFile,
		"request":             files("json"),
		"service":             values("systemd", "launchd", "none"),
		"on-timeout":          values(expiries...),
		"permission":          values("bash", "edit", "webfetch"),
		"since":               values("1h", "24h", "7d"),
		"chat":                fromConfig(configuredChats),
		"role":                fromConfig(configuredRoles),
		"remove":              fromHermes(pairedIDs),
		"default":             givenOptions,
	}
}

// argumentCompletions are the arguments, by command.
func argumentCompletions() map[string]cobra.CompletionFunc {
	return map[string]cobra.CompletionFunc{
		"hermes answer":      completeAnswer,
		"hermes backup":      first(anyFile),
		"hermes config set":  first(values(slices.Sorted(maps.Keys(config.Variables()))...)),
		"hermes link revoke": first(fromHermes(linkNames)),
		"hermes link rename": first(fromHermes(linkNames)),
		"hermes link owner":  first(fromHermes(linkNames)),
		"hermes restore":     first(anyFile),
		"hermes rules check": first(files("toml")),
		"hermes rules test":  first(files("toml")),
	}
}

func values(list ...cobra.Completion) cobra.CompletionFunc {
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
}

func files(extension string) cobra.CompletionFunc {
	return cobra.FixedCompletions([]cobra.Completion{extension}, cobra.ShellCompDirectiveFilterFileExt)
}

func folders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func anyFile(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// first completes the first argument alone.
func first(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(cmd, args, typed)
	}
}

// fromConfig completes from the configuration. One that is wrong has nothing, and nothing is said: a shell would show it in
// the middle of the line that is typed.
func fromConfig(read func(config.Config) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		file, _ := cmd.Flags().GetString("config")
		c, err := config.Load(config.Options{File: file})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return read(c), cobra.ShellCompDirectiveNoFileComp
	}
}

// fromHermes completes from what the running hermes knows. One that does not run or answer has nothing.
func fromHermes(ask func(context.Context, apiclient.Client) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return fromConfig(func(c config.Config) []cobra.Completion {
			ctx, cancel := context.WithTimeout(cmd.Context(), completeWithin)
			defer cancel()
			return ask(ctx, apiclient.New(c, nil))
		})(cmd, args, typed)
	}
}

func configuredChats(c config.Config) (list []cobra.Completion) {
	if ruled, err := c.WithRules(); err == nil {
		c = ruled
	}
	for _, chat := range c.TelegramChats {
		list = append(list, chat.Text())
	}
	return list
}

func configuredRoles(c config.Config) []cobra.Completion {
	rules, err := c.Ruleset()
	if err != nil {
		return nil
	}
	return rules.Roles()
}

func linkNames(ctx context.Context, hermes apiclient.Client) (list []cobra.Completion) {
	var all api.NamedLinks
	_ = hermes.Fetch(ctx, http.MethodGet, "/v1/links", nil, &all) // without an answer there are none
	for _, l := range all.Links {
		list = append(list, described(l.Name, l.Host))
	}
	return list
}

func pairedIDs(ctx context.Context, hermes apiclient.Client) (list []cobra.Completion) {
	var all api.Pairings
	_ = hermes.Fetch(ctx, http.MethodGet, "/v1/pair", nil, &all) // without an answer there are none
	for _, g := range all.People {
		list = append(list, described(strconv.FormatInt(int64(g.ID), 10), g.Name+withRoles(g.Roles)))
	}
	for _, g := range all.Groups {
		list = append(list, described(strconv.FormatInt(int64(g.ID), 10), "group"))
	}
	for _, i := range all.Invitations {
		list = append(list, described(string(i.ID), "open link for a "+kindOfLink(i)))
	}
	return list
}

// givenOptions are the ids of the options that stand in the line already.
func givenOptions(cmd *cobra.Command, _ []string, _ string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	options, _ := cmd.Flags().GetStringArray("option")
	for _, o := range options {
		id, _, _ := strings.Cut(o, "=")
		if !slices.Contains(list, id) { // cobra reads the line twice
			list = append(list, id)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// described is a value with what it stands for, which is others' text.
func described(value, what string) cobra.Completion {
	return cobra.CompletionWithDesc(letters.OneLine(value), truncate(letters.OneLine(what), 60))
}

// completeAnswer completes the id of what waits, and then an answer to it.
func completeAnswer(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return fromHermes(func(ctx context.Context, hermes apiclient.Client) []cobra.Completion {
		list, err := hermes.Questions(ctx)
		if err != nil {
			return nil
		}
		if len(args) == 0 {
			return openIDs(list, time.Now())
		}
		q, err := findQuestion(list, args[0])
		if err != nil {
			return nil
		}
		return answersTo(q, len(args)-1)
	})(cmd, args, typed)
}

// openIDs are the ids of what can be answered here, with what is asked.
func openIDs(list []api.Question, now time.Time) (ids []cobra.Completion) {
	for _, q := range list {
		if q.State != "open" || q.InChat != "" {
			continue
		}
		what := questionSummary(q)
		if left := timeLeft(q, now); left != "" {
			what = left + " left: " + what
		}
		ids = append(ids, described(string(q.ID), what))
	}
	return ids
}

// answersTo are the choices for the answer that stands at this place: the numbers of options, with their labels. What is
// typed freely is not completed.
func answersTo(q api.Question, place int) (list []cobra.Completion) {
	switch {
	case q.State != "open" || q.InChat != "" || q.Form != nil:
		return nil
	case len(q.Questions) == 1 && q.Questions[0].Multiple:
		place = 0 // any number of answers to the one question
	}
	if place >= len(q.Questions) {
		return nil
	}
	for n, o := range q.Questions[place].Options {
		list = append(list, described(strconv.Itoa(n+1), o.Label))
	}
	return list
}
