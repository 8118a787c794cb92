package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/database"
	"hermes/internal/letters"
	"hermes/internal/secret"
	"hermes/internal/standby"
	"hermes/opencode/plugin"
	"hermes/pending"
)

// Options are the flags of hermes doctor.
type Options struct {
	config.Options
	Plugin    plugin.Options
	JSON      bool
	RoundTrip bool
	Wait      time.Duration
}

// World is what the doctor reaches the world through. Tests put stand-ins
// here; the zero value is the world.
type World struct {
	telegram http.RoundTripper // nil: the network, through the configured proxy
	opencode http.RoundTripper // nil: the network
	hermes   http.RoundTripper // to the running hermes; nil: the network
	free     func(dir string) (bytes uint64, err error)
	Here     string                                                      // the working directory; empty: it is gone
	agents   func(ctx context.Context, directory string) (string, error) // opencode agent list; nil: this machine's
	Notice   io.Writer                                                   // tells a person what to do during the round trip
}

// Doctor looks once, by way of parts that share what is asked only once.
type Doctor struct {
	config   config.Config
	mistakes config.Mistakes // of the configuration
	opts     Options
	redact   secret.Redactor

	hermes    *hermesProbe
	store     *storeChecks
	telegram  *telegramChecks
	openCode  *openCodeChecks
	plugin    *pluginChecks
	roundTrip *roundTrip
}

// New makes the doctor of a configuration, which may have mistakes.
func New(c config.Config, wrong config.Mistakes, opts Options, out World) *Doctor {
	if ruled, err := c.WithRules(); err == nil { // else a check says what is wrong
		c = ruled
	}
	free, notice, direct := out.free, out.Notice, out.opencode
	if free == nil {
		free = pending.FreeBytes
	}
	if notice == nil {
		notice = io.Discard
	}
	if out.agents == nil {
		out.agents = listAgents
	}
	if direct == nil {
		direct = &http.Transport{DisableKeepAlives: true} // as the daemon does: without a proxy
	}
	client, link := apiclient.New(c, out.hermes), apiclient.LinkTokenOf(opts.Plugin)
	d := &Doctor{config: c, mistakes: wrong, opts: opts}
	d.redact = secret.NewRedactor(append(c.Secrets(), client.Token, link)...)
	d.hermes = &hermesProbe{config: c, client: client}
	d.store = &storeChecks{db: c.DB, hermes: d.hermes, free: free, lease: c.Lease}
	if c.Store != "" {
		d.store.look = func(ctx context.Context) (standby.Acting, error) { return database.Look(ctx, c) }
	}
	bot := clients.NewBotClient(c, out.telegram, client.Token, link)
	d.telegram = &telegramChecks{config: c, bot: bot, hermes: d.hermes, store: d.store}
	service := clients.Service(c, direct, nil)
	d.openCode = &openCodeChecks{servers: clients.DirectServers(c, direct), service: service, here: out.Here, hermes: d.hermes, listAgents: out.agents}
	d.plugin = &pluginChecks{config: c, service: service, mistakes: wrong, options: opts.Plugin, token: link, hermes: d.hermes}
	d.roundTrip = &roundTrip{config: c, client: client, wait: opts.Wait, notice: notice}
	return d
}

// Report runs all checks and writes what they say. The error says how many failed.
func (d *Doctor) Report(ctx context.Context, w io.Writer, style console.Style) error {
	checks := d.checks(ctx)
	r := &report{out: w, redact: d.redact, style: style}
	for _, c := range checks {
		r.width = max(r.width, len(c.Name))
	}
	for _, c := range checks {
		list := c.run(ctx)
		if ctx.Err() != nil { // what it found may come of that
			break
		}
		for _, found := range list {
			r.add(found)
		}
	}
	if d.opts.RoundTrip && ctx.Err() == nil {
		found := d.roundTrip.checkRoundTrip(ctx)
		found.Name = "round trip"
		r.add(found)
	}
	err := r.finish()
	if err != nil && !d.config.IsConfigured() {
		err = fmt.Errorf("%w; hermes is not set up yet: run hermes setup", err)
	}
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// checks are all checks, in the order of the report. What they share is asked once.
func (d *Doctor) checks(ctx context.Context) []check {
	d.telegram.info = sync.OnceValue(func() botInfo { return d.telegram.fetchBotInfo(ctx) })
	d.telegram.webhook = sync.OnceValue(func() webhookState { return d.telegram.fetchWebhook(ctx) })
	d.hermes.status = sync.OnceValue(func() statusReply { return d.hermes.fetch(ctx) })
	checks := append(d.configChecks(), d.rulesChecks()...)
	checks = append(checks, check{"token", one(d.telegram.checkToken)})
	checks = append(checks, d.telegram.chatChecks()...)
	checks = append(checks,
		check{"updates", one(d.telegram.checkUpdates)}, check{"clock", one(d.telegram.checkClock)},
		check{"hermes", one(d.hermes.checkRunning)}, check{"store", one(d.store.checkStore)}, check{"disk", one(d.store.checkDisk)},
		check{"plugin", one(d.plugin.checkPlugin)}, check{"links", one(d.hermes.checkLinks)}, check{"link", d.hermes.checkEachLink},
	)
	checks = append(checks, d.openCode.serviceChecks()...)
	checks = append(append(checks, d.openCode.serverChecks()...), d.openCode.agentChecks()...)
	checks = append(append(append(checks, backupChecks(d.config, d.hermes.status, time.Now())...), certificateChecks(d.config)...), voiceChecks(d.config, nil)...)
	return checks
}

// grade is how a check ended. The words are part of the JSON output.
type grade string

const (
	gradeOK   grade = "ok"
	gradeWarn grade = "warn" // hermes works, but something should be mended
	gradeFail grade = "fail" // a question or an answer would get stuck here
	gradeSkip grade = "skip" // it could not be looked at; the detail says why
)

// result is what hermes doctor says about one thing. The names of its fields
// in JSON are stable, and fields are only added.
type result struct {
	// Name is of a closed set; one name comes as often as there are such things
	// (chats, servers, mistakes in the configuration).
	Name   string `json:"name"`
	Status grade  `json:"status"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy"` // what to do; empty for ok and skip
}

func pass(format string, args ...any) result {
	return result{Status: gradeOK, Detail: fmt.Sprintf(format, args...)}
}

func skip(format string, args ...any) result {
	return result{Status: gradeSkip, Detail: fmt.Sprintf(format, args...)}
}

func (g grade) because(detail, remedy string) result {
	return result{Status: g, Detail: detail, Remedy: remedy}
}

// check looks at one thing, or at each of those of a kind, of which there may be none.
// It changes nothing, unless its comment says so.
type check struct {
	Name string
	Run  func(context.Context) []result
}

// one is a look at one thing.
func one(look func(context.Context) result) func(context.Context) []result {
	return func(ctx context.Context) []result { return []result{look(ctx)} }
}

// resultCheck is a check whose outcome is there already.
func resultCheck(name string, d result) check {
	return check{name, func(context.Context) []result { return []result{d} }}
}

// checkTime bounds every check.
const checkTime = 20 * time.Second

// run looks within checkTime.
func (c check) run(ctx context.Context) []result {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	list := c.Run(ctx)
	for i := range list {
		list[i].Name = c.Name
	}
	return list
}

// report writes results: a line each as they come, or all in one JSON value.
// Secrets are taken out, and text from elsewhere cannot steer a terminal.
type report struct {
	out    io.Writer
	redact secret.Redactor
	style  console.Style
	width  int // of the longest name
	all    []result
}

func (r *report) add(d result) {
	d.Detail, d.Remedy = r.clean(d.Detail), r.clean(d.Remedy)
	r.all = append(r.all, d)
	if !r.style.JSON {
		fmt.Fprintln(r.out, r.line(d))
	}
}

// line is one result for people.
func (r *report) line(d result) string {
	text := fmt.Sprintf("%s  %-*s  %s", r.mark(d.Status), r.width, d.Name, d.Detail)
	if d.Remedy == "" {
		return text
	}
	if r.style.Signs {
		return text + " → " + d.Remedy
	}
	return text + " -> " + d.Remedy
}

// mark is the grade as a sign, or as a word of four letters.
func (r *report) mark(g grade) string {
	if !r.style.Signs {
		return fmt.Sprintf("%-4s", g)
	}
	sign, color := "-", "2"
	switch g {
	case gradeOK:
		sign, color = "✓", "32"
	case gradeWarn:
		sign, color = "!", "33"
	case gradeFail:
		sign, color = "✗", "31"
	case gradeSkip:
	}
	if !r.style.Color {
		return sign
	}
	return "\x1b[" + color + "m" + sign + "\x1b[0m"
}

// clean takes the secrets out, and makes visible what a terminal does not print as it is.
func (r *report) clean(s string) string { return letters.Escaped(r.redact.Text(s)) }

// finish completes the report. The error says how many checks failed, nil for none.
func (r *report) finish() error {
	if r.style.JSON {
		e := json.NewEncoder(r.out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(map[string]any{"checks": r.all}); err != nil {
			return err
		}
	}
	failed := 0
	for _, d := range r.all {
		if d.Status == gradeFail {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed", failed, len(r.all))
	}
	return nil
}
