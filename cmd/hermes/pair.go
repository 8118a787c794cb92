package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/storage"
)

// pairOptions are the flags of hermes pair.
type pairOptions struct {
	api.Invite
	list   bool
	remove string
}

// pairCommand lets people and groups in while hermes runs.
func pairCommand() *cobra.Command {
	var opts pairOptions
	cmd := withHermes(&cobra.Command{
		Use:   "pair",
		Short: "Let a person or a group in by a link; list or remove those",
		Long: "Print a link, and its QR code, by which one person can ask to be let in, within 10 minutes. Somebody who may answer, and has all " +
			"the roles of the link, then lets them in, in the chat; everybody who may answer is told. From then on they may answer, and their " +
			"private chat with the bot gets questions. With --group they choose a group, which gets the questions instead. As long as nobody " +
			"may answer at all, the link alone lets in the first person.\n\n" +
			"hermes has to run. It stores only a hash of the link. Paired people are stored in its database; your configuration file is not touched. " +
			"With a rules file (HERMES_RULES) people need a --role to answer; without one there are no roles.",
		Args: cobra.NoArgs,
	}, func(cmd *cobra.Command, hermes apiclient.Client, _ []string) error {
		if err := opts.check(cmd.Flags().Changed("remove")); err != nil {
			return err
		}
		shown := console.IsTerminal(cmd.OutOrStdout())
		p := pairer{hermes: hermes, t: console.NewTerminal(cmd.InOrStdin(), cmd.OutOrStdout()), picture: shown, waits: shown}
		p.t.Redact = hermes.Redactor()
		return p.run(cmd.Context(), opts)
	})
	cmd.Flags().BoolVar(&opts.Group, "group", false, "let in a person with a group")
	cmd.Flags().StringArrayVar(&opts.Roles, "role", nil, "a `role` that the person gets; can be repeated")
	cmd.Flags().StringVar(&opts.Name, "name", "", "the `name` of the person here (default: as in Telegram)")
	cmd.Flags().BoolVar(&opts.list, "list", false, "list open links, and the people and groups that were let in")
	cmd.Flags().StringVar(&opts.remove, "remove", "", "remove a person, group or open link by its `id`, which --list shows")
	return cmd
}

// check refuses flags that do not go together, or mean nothing.
func (o pairOptions) check(remove bool) error {
	var wrong config.Mistakes
	invites := o.Group || o.Name != "" || len(o.Roles) > 0
	if o.list && (remove || invites) {
		wrong.Add("--list", "goes with no other flag but --config")
	}
	if remove && invites {
		wrong.Add("--remove", "goes with no other flag but --config")
	}
	if remove && strings.TrimSpace(o.remove) == "" {
		wrong.Add("--remove", "is empty; hermes pair --list tells the ids")
	}
	if fault := api.CheckInvite(o.Name, o.Roles); fault != "" {
		wrong.Add("--name or --role", "%s", fault)
	}
	return wrong.Err()
}

// pairer speaks with the running hermes.
type pairer struct {
	hermes  apiclient.Client
	t       *console.Terminal
	picture bool // show the QR code
	waits   bool // and tell what becomes of the link
}

func (p pairer) run(ctx context.Context, opts pairOptions) error {
	switch {
	case opts.list:
		return p.listPairings(ctx)
	case opts.remove != "":
		return p.removePairing(ctx, strings.TrimSpace(opts.remove))
	}
	return p.makeInvitation(ctx, opts.Invite)
}

func (p pairer) makeInvitation(ctx context.Context, wanted api.Invite) error {
	var i api.Invitation
	follow, lost := apiclient.NewWatch(ctx, p.hermes, 0) // of the link to come
	if err := p.hermes.Fetch(ctx, http.MethodPost, "/v1/pair", wanted, &i); err != nil {
		return err
	}
	if !p.picture {
		p.t.Print(letters.Escaped(i.Link) + "\n")
		return nil
	}
	what := "press Start"
	if i.Group {
		what = "choose the group"
	}
	p.t.Say("Scan this with your phone, or open the link there, and %s:", what)
	p.t.Link(i.Link)
	p.t.Say("It works once, until %s, for whoever opens it. %s", i.Until.Local().Format("15:04"), afterOpening(i))
	if !p.waits || lost != nil {
		return lost
	}
	p.t.Say("Waiting… Ctrl-C ends that, and the link goes on.")
	err := follow.Invitation(ctx, i, func(e api.Entry) bool { return p.reportEntry(e, i) }, func() {})
	if errors.Is(err, apiclient.ErrUnopened) {
		p.t.Bad("Nobody opened the link in time, so it no longer works.")
		return nil
	}
	return err
}

// reportEntry tells what happened to the link, and reports whether that settles it.
func (p pairer) reportEntry(e api.Entry, i api.Invitation) bool {
	switch e.Kind {
	case storage.EntryOpened:
		p.t.Say("%s has opened it, and waits until %s lets them in.", letters.Escaped(entryActor(e)), letters.Escaped(oneOf(i.By)))
	case storage.EntryPaired:
		p.t.Good("%s is in.", letters.Escaped(entryActor(e)))
		return true
	case storage.EntryUnwanted:
		p.t.Bad("%s was not let in (%s).", letters.Escaped(entryActor(e)), letters.Escaped(e.Detail))
		return true
	case storage.EntryUnpaired:
		return e.Detail == "invitation" && e.Request == "" // else EntryUnwanted follows
	}
	return false
}

// afterOpening says what happens when the link is opened.
func afterOpening(i api.Invitation) string {
	if len(i.By) == 0 {
		return "Nobody may answer yet, so they may at once answer your agents' questions" + withRoles(i.Roles) + "."
	}
	what := "they may answer your agents' questions" + withRoles(i.Roles)
	if i.Group {
		what = "the group gets your agents' questions, and " + what
	}
	return "Then " + oneOf(i.By) + " must let them in, in the chat, where everybody who may answer is told; after that " + what + "."
}

// oneOf names up to three of those who may do something.
func oneOf(names []string) string {
	list := names
	if len(list) > 3 {
		list = append(slices.Clone(list[:3]), "somebody else")
	}
	return strings.Join(list, " or ")
}

func withRoles(roles []string) string {
	if len(roles) == 0 {
		return ""
	}
	return " as " + strings.Join(roles, ", ")
}

func (p pairer) listPairings(ctx context.Context) error {
	var all api.Pairings
	if err := p.hermes.Fetch(ctx, http.MethodGet, "/v1/pair", nil, &all); err != nil {
		return err
	}
	for _, w := range all.Waiting {
		p.printRow("waits", string(w.Invitation), waitingInWords(w))
	}
	for _, g := range all.People {
		p.printRow("person", strconv.FormatInt(int64(g.ID), 10), g.Name+withRoles(g.Roles)+", since "+localTime(g.Since))
	}
	for _, g := range all.Groups {
		p.printRow("group", strconv.FormatInt(int64(g.ID), 10), "since "+localTime(g.Since)+", by user "+strconv.FormatInt(int64(g.By), 10))
	}
	for _, i := range all.Invitations {
		p.printRow("open link", string(i.ID), "for a "+kindOfLink(i)+withRoles(i.Roles)+", until "+localTime(i.Until))
	}
	if len(all.Waiting)+len(all.People)+len(all.Groups)+len(all.Invitations) == 0 {
		p.t.Print("Nobody was let in by a link, and no link is open.\n")
	}
	return nil
}

// waitingInWords says who waits to be let in.
func waitingInWords(w api.Waiting) string {
	text := fmt.Sprintf("%s (%d)", w.Name, w.ID)
	if w.Username != "" {
		text += ", @" + w.Username
	}
	if w.Group != 0 {
		text += ", with the group " + strconv.FormatInt(int64(w.Group), 10)
	}
	return text + withRoles(w.Roles) + ", to be let in, in the chat, until " + localTime(w.Until)
}

func kindOfLink(i api.Invitation) string {
	if i.Group {
		return "group"
	}
	return strings.TrimSpace("person " + i.Name)
}

func (p pairer) printRow(kind, id, text string) {
	p.t.Print(fmt.Sprintf("%-9s  %-14s  %s\n", kind, letters.Escaped(id), letters.Escaped(text)))
}

func (p pairer) removePairing(ctx context.Context, id string) error {
	var done struct{ Removed string }
	if err := p.hermes.Fetch(ctx, http.MethodDelete, "/v1/pair/"+url.PathEscape(id), nil, &done); err != nil {
		return err
	}
	p.t.Print("Removed: " + letters.Escaped(done.Removed) + "\n")
	return nil
}
