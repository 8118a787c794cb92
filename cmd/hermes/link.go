package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/secret"
)

// linkCommand manages the tokens with which OpenCode's plugins open links to hermes.
func linkCommand() *cobra.Command {
	return groupOf(&cobra.Command{
		Use:   "link",
		Short: "Add, list, rename or revoke links of machines, or set their owner",
		Long: "A link lets the OpenCode of one machine send its questions to hermes and receive the answers. Its token opens nothing else.\n" +
			"On the machine of hermes itself, hermes plugin install makes one.",
	}, linkAdd(), linkList(), linkRename(), linkOwner(), linkRevoke(), linkRun())
}

// withLinks gives a command its --config, and runs it with the way to the links of the running hermes.
func withLinks(cmd *cobra.Command, run func(ctx context.Context, out io.Writer, links apiclient.Links, args []string) error) *cobra.Command {
	return withHermes(cmd, func(cmd *cobra.Command, hermes apiclient.Client, args []string) error {
		return run(cmd.Context(), cmd.OutOrStdout(), apiclient.Links{Client: hermes}, args)
	})
}

func linkAdd() *cobra.Command {
	var owner int64
	cmd := withLinks(&cobra.Command{
		Use:   "add NAME",
		Short: "Make a link for another machine and print its token, once",
		Long: "Make a link and print its token. hermes stores only a hash of it, so it is never shown again. On the other machine, put it into a " +
			"file that only you can read, and run:\n\n" +
			"  hermes plugin install --url URL --token-file FILE\n\n" +
			"If the output is not a terminal, only the token is printed: hermes link add laptop-7 > token\n\n" +
			"With --person it belongs to somebody: its questions go to their private chat only, and only they can answer them, unless a rule says otherwise.",
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, links apiclient.Links, args []string) error {
		token, err := links.Add(ctx, args[0], chat.UserID(owner))
		if err == nil {
			printLink(out, args[0], links.Client.Config, token)
		}
		return err
	})
	personFlag(cmd, &owner)
	return cmd
}

func personFlag(cmd *cobra.Command, owner *int64) {
	cmd.Flags().Int64Var(owner, "person", 0, "numeric Telegram `id` of the person whose agents ask over it")
}

func linkOwner() *cobra.Command {
	var owner int64
	var nobody bool
	cmd := withLinks(&cobra.Command{
		Use:   "owner NAME --person ID | --nobody",
		Short: "Give a link to a person, so that what it asks is theirs alone, or to nobody",
		Long: "Give a link to a person on the list of people. From then on what it asks goes to their private chat alone, and only they can answer it, unless " +
			"a rule says otherwise. What it has asked already moves to their chat: the person who had the link sees that it is not theirs any more, and nothing of what becomes of it.",
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, links apiclient.Links, args []string) error {
		if nobody == (owner != 0) {
			return config.Mistakes{"--person, --nobody: give one of the two"}
		}
		if err := links.SetOwner(ctx, args[0], chat.UserID(owner)); err != nil {
			return err
		}
		to := "nobody"
		if !nobody {
			to = strconv.FormatInt(owner, 10)
		}
		fmt.Fprintf(out, "Link %s belongs to %s.\n", letters.Escaped(args[0]), to)
		return nil
	})
	personFlag(cmd, &owner)
	cmd.Flags().BoolVar(&nobody, "nobody", false, "what it asks goes to all chats of HERMES_TELEGRAM_CHATS, as without an owner")
	return cmd
}

// printLink is the only place that shows a token.
func printLink(w io.Writer, name string, c config.Config, token secret.Text) {
	if !console.IsTerminal(w) {
		fmt.Fprintln(w, token.Reveal())
		return
	}
	fmt.Fprintf(w, "Link %s is made. Its token is shown only now:\n\n  %s\n\n", name, token.Reveal())
	printNextStep(w, c)
}

// printNextStep says what to do with the token on the other machine.
func printNextStep(w io.Writer, c config.Config) {
	public := strings.Join(c.PublicURLs(), ",")
	fmt.Fprintf(w, "On that machine, put it into a file that only you can read, and run:\n\n  hermes plugin install --url %s --token-file FILE\n\n", cmp.Or(public, "URL"))
	fmt.Fprint(w, "For OpenCode 2 keep hermes link run running there as well.\n")
	if public != "" {
		return
	}
	fmt.Fprintf(w, "URL is where that machine reaches hermes, such as https://hermes.example:4097; for another user of this one it is %s.\n", c.OwnURL())
	if c.TLSCert == "" && !c.BehindProxy {
		fmt.Fprintf(w, "No other machine reaches %s: set HERMES_LISTEN with HERMES_TLS_CERT and HERMES_TLS_KEY, or HERMES_BEHIND_PROXY.\n", c.Listen)
	}
}

func linkList() *cobra.Command {
	var asJSON bool
	cmd := withLinks(&cobra.Command{
		Use:   "list",
		Short: "List the links: whose each is, when it was last seen, from which host, what is linked with it, and how many questions wait there",
		Args:  cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, links apiclient.Links, _ []string) error {
		return printLinks(ctx, out, links, asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON value, as GET /v1/links gives it")
	return cmd
}

func printLinks(ctx context.Context, w io.Writer, links apiclient.Links, asJSON bool) error {
	list, err := links.List(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(w).Encode(list)
	}
	if len(list.Links)+list.Unnamed == 0 {
		_, err := fmt.Fprintln(w, "There are no links. hermes plugin install makes one for this machine, hermes link add NAME for another one.")
		return err
	}
	var rows strings.Builder
	table := tabwriter.NewWriter(&rows, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tOWNER\tMADE\tLAST SEEN\tHOST\tWAITING")
	for _, l := range list.Links {
		seen := "never"
		if l.Seen != nil {
			seen = l.Seen.Local().Format("2006-01-02 15:04")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\n", letters.Escaped(l.Name)+byMachine(l), ownerOf(l), l.Made.Local().Format(time.DateOnly), seen, letters.Escaped(l.Host), l.Waiting)
	}
	_ = table.Flush() // into memory
	for i, row := range strings.Split(strings.TrimSuffix(rows.String(), "\n"), "\n") {
		fmt.Fprintln(w, row)
		if i > 0 {
			printOpenCodes(w, list.Links[i-1].OpenCodes)
		}
	}
	if list.Unnamed > 0 {
		fmt.Fprintf(w, "%d with the API's token: run hermes plugin install on their machines\n(hermes doctor names them)\n", list.Unnamed)
	}
	return nil
}

// printOpenCodes says what is linked, below its link: "  1.18.33 (plugin 1.6.0, protocol 1)".
func printOpenCodes(w io.Writer, list []api.LinkedOpenCode) {
	for _, one := range list {
		refused := ""
		if one.Refused {
			refused = ", refused: update it, or hermes"
		}
		fmt.Fprintf(w, "  %s (%s %s, protocol %d%s)\n", letters.Escaped(cmp.Or(one.Version, "unknown")), one.By, letters.Escaped(cmp.Or(one.Plugin, "unknown")), one.Protocol, refused)
	}
}

func linkRevoke() *cobra.Command {
	return withLinks(&cobra.Command{
		Use:   "revoke NAME",
		Short: "Revoke a link: its token stops working, and its open connections end",
		Args:  cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, links apiclient.Links, args []string) error {
		err := links.Revoke(ctx, args[0])
		if err == nil {
			fmt.Fprintf(out, "Revoked: %s\n", letters.Escaped(args[0]))
		}
		return err
	})
}

func linkRename() *cobra.Command {
	return withLinks(&cobra.Command{
		Use:   "rename OLD NEW",
		Short: "Give a link another name; its token, its owner and what waits there stay",
		Long: "Give a link another name. Nothing has to be done on its machine: the token stays, and so do the owner, the sessions and what is asked there. " +
			"Rules that name the link have to name it anew: those that no longer mean it are printed.\n\n" +
			"A link that was made with a code of /link has the name that its machine gave. With OLD as NEW it keeps that, by your word: rules take it for granted then.",
		Args: cobra.ExactArgs(2),
	}, func(ctx context.Context, out io.Writer, links apiclient.Links, args []string) error {
		rules, err := links.Rename(ctx, args[0], args[1])
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "Link %s is now %s.\n", letters.Escaped(args[0]), letters.Escaped(args[1]))
		for _, name := range rules {
			fmt.Fprintf(out, "The rule %q names the link by its old name and no longer fits it: change it, then run hermes reload.\n", name)
		}
		return nil
	})
}

// byMachine marks a link whose name rules do not take for granted; hermes link rename NAME NAME takes the mark away.
func byMachine(l api.NamedLink) string {
	if l.ByMachine {
		return " (by its machine)"
	}
	return ""
}

// ownerOf names the owner of a link.
func ownerOf(l api.NamedLink) string {
	switch {
	case l.Owner == 0:
		return "-"
	case l.OwnerName != "":
		return letters.Escaped(l.OwnerName)
	}
	return strconv.FormatInt(int64(l.Owner), 10)
}
