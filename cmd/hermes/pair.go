package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// pairOptions are the flags of hermes pair.
type pairOptions struct {
	options
	apiInvite
	list   bool
	remove string
}

// pairCommand lets people and groups in while hermes runs.
func pairCommand() *cobra.Command {
	var opts pairOptions
	cmd := &cobra.Command{
		Use:   "pair",
		Short: "Let a person or a group in by a link; list and remove those who came in so",
		Long: "Print a link, and its QR code, that lets in whoever opens it: once, within 10 minutes. They may then answer, and their chat with\n" +
			"the bot gets questions. With --group they choose a group, which gets questions in place of the private chat.\n\n" +
			"hermes has to run. It keeps the link's hash alone; whoever is let in is stored in its database, not in the configuration.\n" +
			"With a rules file (HERMES_RULES) people need a --role to answer; without one there are no roles.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPair(cmd, opts) },
	}
	configFlag(cmd, &opts.options)
	cmd.Flags().BoolVar(&opts.Group, "group", false, "let in a person together with a group")
	cmd.Flags().StringArrayVar(&opts.Roles, "role", nil, "a role that the person gets; may be given several times")
	cmd.Flags().StringVar(&opts.Name, "name", "", "what to call the person (default: as in Telegram)")
	cmd.Flags().BoolVar(&opts.list, "list", false, "list open links, and the people and groups that were let in")
	cmd.Flags().StringVar(&opts.remove, "remove", "", "remove a person, group or open link by the id that --list tells")
	return cmd
}

func runPair(cmd *cobra.Command, opts pairOptions) error {
	if err := opts.check(cmd.Flags().Changed("remove")); err != nil {
		return err
	}
	c, err := loadConfig(opts.options)
	if err != nil {
		return err
	}
	hermes := toRunning(c, nil)
	redact := newRedactor(append(c.secrets(), hermes.token)...)
	t := newTerminal(cmd.InOrStdin(), cmd.OutOrStdout())
	t.redact = redact
	p := pairer{hermes: hermes, t: t, picture: isTerminal(cmd.OutOrStdout())}
	if err := p.run(cmd.Context(), opts); err != nil {
		return errors.New(redact.text(err.Error()))
	}
	return nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// check refuses flags that do not go together, or mean nothing.
func (o pairOptions) check(remove bool) error {
	var wrong mistakes
	invites := o.Group || o.Name != "" || len(o.Roles) > 0
	if o.list && (remove || invites) {
		wrong.add("--list", "goes with no other flag but --config")
	}
	if remove && invites {
		wrong.add("--remove", "goes with no other flag but --config")
	}
	if remove && strings.TrimSpace(o.remove) == "" {
		wrong.add("--remove", "is empty; hermes pair --list tells the ids")
	}
	if fault := unfitInvite(o.Name, o.Roles); fault != "" {
		wrong.add("--name or --role", "%s", fault)
	}
	return wrong.err()
}

// pairer speaks with the hermes that runs.
type pairer struct {
	hermes  running
	t       *terminal
	picture bool // show the QR code
}

func (p pairer) run(ctx context.Context, opts pairOptions) error {
	switch {
	case opts.list:
		return p.list(ctx)
	case opts.remove != "":
		return p.remove(ctx, strings.TrimSpace(opts.remove))
	}
	return p.invite(ctx, opts.apiInvite)
}

// ask makes one call whose answer is JSON.
func (p pairer) ask(ctx context.Context, method, path string, body, into any) error {
	res, err := p.hermes.call(ctx, method, path, body)
	if errors.Is(err, errNotRunning) {
		return fmt.Errorf("%w, and it is the one that reads what people write to the bot; %s", err, startIt)
	}
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return json.NewDecoder(res.Body).Decode(into)
}

func (p pairer) invite(ctx context.Context, wanted apiInvite) error {
	var i apiInvitation
	if err := p.ask(ctx, http.MethodPost, "/v1/pair", wanted, &i); err != nil {
		return err
	}
	if !p.picture {
		p.t.raw(legible(i.Link) + "\n")
		return nil
	}
	what := "press Start"
	if i.Group {
		what = "choose the group"
	}
	p.t.say("Scan this with your phone, or open the link there, and %s:", what)
	p.t.link(i.Link)
	p.t.say("It works once, until %s, for whoever opens it: they may answer your agents' questions%s. The bot says so in the chat.",
		i.Until.Local().Format("15:04"), withRoles(i.Roles))
	return nil
}

func withRoles(roles []string) string {
	if len(roles) == 0 {
		return ""
	}
	return " as " + strings.Join(roles, ", ")
}

func (p pairer) list(ctx context.Context) error {
	var all apiPairings
	if err := p.ask(ctx, http.MethodGet, "/v1/pair", nil, &all); err != nil {
		return err
	}
	for _, g := range all.People {
		p.line("person", strconv.FormatInt(int64(g.ID), 10), g.Name+withRoles(g.Roles)+", since "+localTime(g.Since))
	}
	for _, g := range all.Groups {
		p.line("group", strconv.FormatInt(int64(g.ID), 10), "since "+localTime(g.Since)+", by user "+strconv.FormatInt(int64(g.By), 10))
	}
	for _, i := range all.Invitations {
		p.line("open link", string(i.ID), "for a "+kindOfLink(i)+withRoles(i.Roles)+", until "+localTime(i.Until))
	}
	if len(all.People)+len(all.Groups)+len(all.Invitations) == 0 {
		p.t.raw("Nobody was let in by a link, and no link is open.\n")
	}
	return nil
}

func kindOfLink(i apiInvitation) string {
	if i.Group {
		return "group"
	}
	return strings.TrimSpace("person " + i.Name)
}

func (p pairer) line(kind, id, text string) {
	p.t.raw(fmt.Sprintf("%-9s  %-14s  %s\n", kind, legible(id), legible(text)))
}

func (p pairer) remove(ctx context.Context, id string) error {
	var done struct{ Removed string }
	if err := p.ask(ctx, http.MethodDelete, "/v1/pair/"+url.PathEscape(id), nil, &done); err != nil {
		return err
	}
	p.t.raw("Removed: " + legible(done.Removed) + "\n")
	return nil
}
