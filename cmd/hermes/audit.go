package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/database"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending"
)

// auditOptions are the flags of hermes audit.
type auditOptions struct {
	since, session, person string
	json, verify           bool
}

// auditCommand tells what the journal holds.
func auditCommand() *cobra.Command {
	var opts auditOptions
	cmd := withHermes(&cobra.Command{
		Use:   "audit",
		Short: "Print the journal: who decided what, when, and what was proved",
		Long: "Print the journal, oldest entry first: who decided what, when, in which chat, by which rule, and what OpenCode proved. " +
			"It is read from the running hermes or, if none runs, from the database, which is not changed.\n\n" +
			"--verify checks that every entry is as hermes wrote it, and says where one is not; the exit code is then 1. " +
			"While hermes runs, it checks its own file, because no other process can open it; to check independently, stop hermes first. " +
			"Anyone who can write the database can also rebuild the chain of hashes, so keep a copy of a recent hash elsewhere; --json prints the hashes.",
		Args: cobra.NoArgs,
	}, func(cmd *cobra.Command, hermes apiclient.Client, _ []string) error {
		for _, name := range []string{"since", "session", "person"} {
			if f := cmd.Flags().Lookup(name); f.Changed && strings.TrimSpace(f.Value.String()) == "" {
				return config.Mistakes{"--" + name + ": is empty; leave it out for everything"}
			}
		}
		pick, err := opts.entryFilter(time.Now())
		if err != nil {
			return err
		}
		return audit{hermes: hermes, out: cmd.OutOrStdout(), notice: cmd.ErrOrStderr()}.run(cmd.Context(), opts, pick)
	})
	cmd.Flags().StringVar(&opts.since, "since", "", "only entries since this `time`: a time back (90m, 24h, 7d), a date (2026-11-21), or a time (2026-11-21T14:05)")
	cmd.Flags().StringVar(&opts.session, "session", "", "only the OpenCode session, or the question, with this `id`")
	cmd.Flags().StringVar(&opts.person, "person", "", "only what this `person` did: a Telegram user id, or a name")
	cmd.Flags().BoolVar(&opts.json, "json", false, "write one JSON object per line; docs/audit.md describes the fields")
	cmd.Flags().BoolVar(&opts.verify, "verify", false, "check the chain of hashes instead of printing")
	return cmd
}

// entryFilter understands the flags, and refuses those that do not go together.
func (o auditOptions) entryFilter(now time.Time) (api.EntryFilter, error) {
	var wrong config.Mistakes
	if o.verify && (o.since+o.session+o.person != "" || o.json) {
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
	s, err := database.Read(ctx, a.hermes.Config)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w, so nothing is recorded", database.Missing(a.hermes.Config))
	case errors.Is(err, pending.ErrLocked):
		return a.hermes.LockedElsewhere("audit")
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

// entryPrinter writes entries as they come, each on one line, below a head.
type entryPrinter struct {
	out   *bufio.Writer
	head  string // not written yet
	line  func(api.Entry) string
	count int
}

func newEntryPrinter(w io.Writer, opts auditOptions) *entryPrinter {
	p := &entryPrinter{out: bufio.NewWriter(w), head: textLine("time", "what", "question", "who", "chat", ""), line: entryText}
	if opts.json {
		p.head, p.line = "", entryJSON
	}
	return p
}

func (p *entryPrinter) print(e api.Entry) error {
	p.count++
	p.begin()
	_, err := p.out.WriteString(p.line(e))
	return err
}

func (p *entryPrinter) begin() {
	_, _ = p.out.WriteString(p.head) // a failure stays, and end tells it
	p.head = ""
}

// end writes what is left. A journal without entries has a head, one that could not be read has none.
func (p *entryPrinter) end(err error) error {
	if err == nil {
		p.begin()
	}
	return errors.Join(p.out.Flush(), err)
}

func entryJSON(e api.Entry) string { return escapeJSON(compactJSON(e)) + "\n" }

// escapeJSON spells out the characters of JSON that cannot be seen, or do something.
func escapeJSON(json string) string {
	var text strings.Builder
	for _, r := range json {
		if strconv.IsGraphic(r) {
			text.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&text, `\u%04x`, unit)
		}
	}
	return text.String()
}

// compactJSON is JSON on one line, with < and its like as they are. It is for values
// of strings and numbers, which cannot fail.
func compactJSON(v any) string {
	var b strings.Builder
	lines := json.NewEncoder(&b)
	lines.SetEscapeHTML(false)
	_ = lines.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}

// numberCell leaves out what is not known.
func numberCell(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// entryText is a line for people.
func entryText(e api.Entry) string {
	return textLine(localTime(e.At), string(e.Kind), string(e.Thread), entryPerson(e), numberCell(int64(e.Chat)), entryEvent(e))
}

// textLine aligns. What is wider than its column is written whole.
func textLine(at, kind, thread, who, chat, told string) string {
	return strings.TrimRight(padRight(at, 19)+"  "+padRight(kind, 9)+"  "+padRight(thread, 12)+"  "+padRight(who, 20)+"  "+padRight(chat, 14)+"  "+told, " ") + "\n"
}

func padRight(text string, width int) string {
	if text == "" {
		text = "-"
	}
	text = letters.Escaped(text)
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// entryPerson is a person, or what decided in place of one, with the token that it came by.
func entryPerson(e api.Entry) string {
	if e.Token == "" {
		return entryActor(e)
	}
	return strings.TrimSpace(entryActor(e) + " (token " + e.Token + ")")
}

func entryActor(e api.Entry) string {
	switch e.By {
	case question.Person:
		if e.Name == "" {
			return strconv.FormatInt(int64(e.User), 10)
		}
		return fmt.Sprintf("%s (%d)", e.Name, e.User)
	case question.Caller:
		return strings.TrimSpace("API " + e.Name)
	case question.RuleActor:
		return "a rule"
	case question.Deadline:
		return "the deadline"
	case question.OpenCode:
		return "OpenCode"
	}
	return string(e.By)
}

// entryEvent is what happened, with the texts whole and every character visible.
func entryEvent(e api.Entry) string {
	parts := []string{entryMeaning(e)}
	if e.Answers != nil {
		parts = append(parts, legibleAnswers(e.Answers))
	}
	if e.Note != "" {
		parts = append(parts, strings.TrimSpace(noteLabel(e)+" "+strconv.QuoteToGraphic(e.Note)))
	}
	if e.Rule != "" {
		parts = append(parts, "by rule "+strconv.QuoteToGraphic(e.Rule))
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

// noteLabel says what the note is.
func noteLabel(e api.Entry) string {
	switch e.Kind {
	case storage.EntryInvited, storage.EntryOpened, storage.EntryPaired, storage.EntryUnwanted:
		return "with roles"
	case storage.EntryUnpaired, storage.EntryReloaded, storage.EntryLinked, storage.EntryUnlinked, storage.EntryOwned, storage.EntryRenamed, storage.EntryLinkCode, storage.EntryRestored:
		return ""
	case storage.EntryPrompted:
		return "with"
	}
	return "note"
}

// entryMeaning is what the kind and its detail say; of a kind without words of its own
// the detail itself.
func entryMeaning(e api.Entry) string {
	detail := letters.Escaped(e.Detail)
	switch e.Kind {
	case storage.EntryAsked:
		return strings.TrimSpace("session " + letters.Escaped(string(e.Session)) + " request " + letters.Escaped(string(e.Request)))
	case storage.EntryResolved:
		return "request " + letters.Escaped(string(e.Request))
	case storage.EntryRefused:
		return "without effect: " + detail
	case storage.EntryAnswered:
		if e.Answers == nil {
			return "dismissed"
		}
		return ""
	case storage.EntryHeld:
		return "can be taken back for " + detail
	case storage.EntryUndone:
		if e.Detail == "rights" {
			return "who may decide has changed, so nothing was sent"
		}
		return "took back what was decided"
	case storage.EntryInvited:
		return "for a " + detail
	case storage.EntryOpened:
		return "asks to be let in: " + detail
	case storage.EntryUnwanted:
		return "not let in: " + detail
	case storage.EntryPaired:
		return "let in: " + detail
	case storage.EntryUnpaired:
		return "removed: " + detail
	case storage.EntryLinked:
		return "made a link for OpenCode:"
	case storage.EntryLinkCode:
		return "was given a code for a machine"
	case storage.EntryOwned:
		return strings.TrimSpace("the owner of the link is "+cmp.Or(detail, "nobody")) + ":"
	case storage.EntryRenamed:
		return "renamed the link " + detail + ":"
	case storage.EntryUnlinked:
		return "revoked the link of OpenCode:"
	case storage.EntryReloaded:
		return "took over the rules:"
	case storage.EntryRestored:
		return "restored the database:"
	case storage.EntryPrompted, storage.EntryHeard, storage.EntryStopping, storage.EntryHalted, storage.EntryCreated, storage.EntryCarried:
		return strings.TrimSpace("session " + letters.Escaped(string(e.Session)) + " " + detail)
	case storage.EntryDelivered, storage.EntryConfirmed:
		return deliveryMeaning(e, detail)
	case storage.EntryElsewhere:
		return "decided at OpenCode: " + detail
	case storage.EntryExpired:
		return "nobody answered in time: " + detail
	case storage.EntryShown, storage.EntryPicked, storage.EntryReminded, storage.EntryFailed:
	}
	return detail
}

// deliveryMeaning says what became of a decision. A program that asks is no OpenCode: it fetches what was decided.
func deliveryMeaning(e api.Entry, detail string) string {
	byProgram := e.Session == "" && strings.HasPrefix(string(e.Request), "ask_")
	switch {
	case byProgram && e.Kind == storage.EntryDelivered:
		return "the program that asked can fetch it"
	case byProgram:
		return "kept for the program that asked: " + detail
	case e.Kind == storage.EntryDelivered:
		return "OpenCode took it, which proves nothing yet"
	}
	return "OpenCode proved it: " + detail
}

// legibleAnswers has a list for each question.
func legibleAnswers(answers question.Answers) string {
	var lists []string
	for _, list := range answers {
		var texts []string
		for _, text := range list {
			texts = append(texts, strconv.QuoteToGraphic(text))
		}
		if len(texts) == 0 {
			texts = []string{"–"} // a field of a form that was skipped, or not asked
		}
		lists = append(lists, strings.Join(texts, ", "))
	}
	return strings.Join(lists, "; ")
}
