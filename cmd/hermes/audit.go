package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/database"
	"hermes/internal/letters"
	"hermes/internal/secret"
	"hermes/pending"
)

// auditOptions are the flags of hermes audit.
type auditOptions struct {
	config.Options
	since, session, person string
	json, csv, verify      bool
}

// auditCommand tells what the journal holds.
func auditCommand() *cobra.Command {
	var opts auditOptions
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Print the journal: who decided what, when, and what was proved",
		Long: "Print the journal, oldest entry first: who decided what, when, in which chat, by which rule, and what OpenCode proved.\n" +
			"It is read from the running hermes or, if none runs, from the database, which is not changed.\n\n" +
			"--verify checks that every entry is as hermes wrote it, and says where one is not; the exit code is then 1.\n" +
			"While hermes runs, it checks its own file, because no other process can open it; to check independently, stop hermes first.\n" +
			"Anyone who can write the database can also rebuild the chain of hashes, so keep a copy of a recent hash elsewhere; --json prints the hashes.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return auditJournal(cmd, opts) },
	}
	configFlag(cmd, &opts.Options)
	cmd.Flags().StringVar(&opts.since, "since", "", "only entries since this `time`: a time back (90m, 24h, 7d), a date (2026-11-21), or a time (2026-11-21T14:05)")
	cmd.Flags().StringVar(&opts.session, "session", "", "only the OpenCode session, or the question, with this `id`")
	cmd.Flags().StringVar(&opts.person, "person", "", "only what this `person` did: a Telegram user id, or a name")
	cmd.Flags().BoolVar(&opts.json, "json", false, "write one JSON object per line; docs/audit.md describes the fields")
	cmd.Flags().BoolVar(&opts.csv, "csv", false, "write CSV, safe to open in a spreadsheet")
	cmd.Flags().BoolVar(&opts.verify, "verify", false, "check the chain of hashes instead of printing")
	return cmd
}

func auditJournal(cmd *cobra.Command, opts auditOptions) error {
	for _, name := range []string{"since", "session", "person"} {
		if f := cmd.Flags().Lookup(name); f.Changed && strings.TrimSpace(f.Value.String()) == "" {
			return config.Mistakes{"--" + name + ": is empty; leave it out for everything"}
		}
	}
	pick, err := opts.entryFilter(time.Now())
	if err != nil {
		return err
	}
	c, err := config.Load(opts.Options)
	if err != nil {
		return err
	}
	if c.DB == "" && c.Store == "" {
		return config.Mistakes{"HERMES_DB: names no file, and HOME is not set either"}
	}
	a := audit{hermes: apiclient.New(c, nil), out: cmd.OutOrStdout(), notice: cmd.ErrOrStderr()}
	err = a.run(cmd.Context(), opts, pick)
	if err != nil {
		return secret.NewRedactor(append(c.Secrets(), a.hermes.Token)...).Error(err)
	}
	return nil
}

// entryFilter understands the flags, and refuses those that do not go together.
func (o auditOptions) entryFilter(now time.Time) (api.EntryFilter, error) {
	var wrong config.Mistakes
	if o.json && o.csv {
		wrong.Add("--json", "and --csv: keep one of the two")
	}
	if o.verify && (o.since+o.session+o.person != "" || o.json || o.csv) {
		wrong.Add("--verify", "checks the whole journal and takes no other flag but --config")
	}
	p := api.EntryFilter{Session: strings.TrimSpace(o.session), Person: strings.TrimSpace(o.person)}
	if o.since != "" {
		var ok bool
		if p.Since, ok = readSince(o.since, now); !ok {
			wrong.Add("--since", "must be a time back like 90m, 24h or 7d, a date like 2026-11-21, or a time like 2026-11-21T14:05")
		}
	}
	return p, wrong.Err()
}

// readSince understands a duration before now, or a time; one without a zone is
// local.
func readSince(text string, now time.Time) (time.Time, bool) {
	if days, found := strings.CutSuffix(text, "d"); found {
		n, err := strconv.ParseUint(days, 10, 16)
		return now.AddDate(0, 0, -int(n)), err == nil
	}
	if back, err := time.ParseDuration(text); err == nil {
		return now.Add(-back), back >= 0
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", time.RFC3339Nano} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// audit reads the journal once.
type audit struct {
	hermes      apiclient.Client
	out, notice io.Writer
}

func (a audit) run(ctx context.Context, opts auditOptions, pick api.EntryFilter) error {
	if opts.verify {
		return a.verifyChain(ctx)
	}
	p := newEntryPrinter(a.out, opts)
	if err := p.end(a.eachEntry(ctx, pick, p.print)); err != nil {
		return err
	}
	if p.count == 0 {
		fmt.Fprintln(a.notice, "The journal holds nothing of that.")
	}
	return nil
}

// eachEntry reads through the running hermes, else from the file.
func (a audit) eachEntry(ctx context.Context, pick api.EntryFilter, fn func(api.Entry) error) error {
	err := a.hermes.Journal(ctx, pick, 0, fn)
	if a.hermes.MayRead(err) {
		return a.fromStore(ctx, func(s *pending.Store) error { return api.EachEntry(ctx, s, &pick, fn) })
	}
	return err
}

// fromStore reads the database that no hermes uses.
func (a audit) fromStore(ctx context.Context, read func(*pending.Store) error) error {
	path := a.hermes.Config.DB
	s, err := database.Read(ctx, a.hermes.Config)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w, so nothing is recorded", database.Missing(a.hermes.Config))
	case errors.Is(err, pending.ErrLocked):
		return fmt.Errorf("another process uses %s, and no hermes answers at %s; give audit the same HERMES_LISTEN as hermes serve has", path, a.hermes.Config.OwnURL())
	case err != nil:
		return err
	}
	return errors.Join(read(s), s.Close())
}

// verifyChain says whether the chain is whole. It fails if it is not.
func (a audit) verifyChain(ctx context.Context) error {
	var chain api.Chain
	err := a.hermes.Fetch(ctx, http.MethodGet, "/v1/journal/verify", nil, &chain)
	if a.hermes.MayRead(err) {
		err = a.fromStore(ctx, func(s *pending.Store) (err error) { chain, err = api.CheckChain(s); return err })
	}
	if err != nil {
		return err
	}
	if chain.Broken != nil {
		return errors.New(chainBrokenText(chain))
	}
	_, err = fmt.Fprintln(a.out, chainIntactText(chain))
	return err
}

func chainIntactText(c api.Chain) string {
	text := countEntries(c.Entries) + chainSpan(c) + ", the chain is whole"
	if c.First > 1 {
		text += fmt.Sprintf("; the %d before them were pruned", c.First-1)
	}
	return text
}

func chainSpan(c api.Chain) string {
	if c.From == nil || c.To == nil {
		return ""
	}
	return ", from " + localTime(*c.From) + " to " + localTime(*c.To)
}

func chainBrokenText(c api.Chain) string {
	text := fmt.Sprintf("the chain is broken at entry %d", c.Broken.Number)
	if c.Broken.At != nil {
		text += ", which says that it is from " + localTime(*c.Broken.At)
	}
	return text + ": " + letters.Escaped(c.Broken.Reason) + "; before it are " + countEntries(c.Entries) + chainSpan(c) + ", which are as hermes wrote them"
}

func countEntries(entries int) string {
	if entries == 1 {
		return "1 entry"
	}
	return strconv.Itoa(entries) + " entries"
}

// localTime is to the second, in the zone of this machine.
func localTime(t time.Time) string { return t.Local().Format(time.DateTime) }
