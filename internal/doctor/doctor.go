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
	"hermes/opencode"
	"hermes/opencode/plugin"
	"hermes/pending"
	"hermes/telegram/botapi"
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

// Doctor looks once.
type Doctor struct {
	config   config.Config
	mistakes config.Mistakes // of the configuration
	opts     Options
	world    World
	redact   secret.Redactor

	client  apiclient.Client // of the hermes with this configuration
	link    secret.Text      // the token in the plugin's link file
	bot     *botapi.Client   // nil: there is no token
	servers []opencode.Server
	service opencode.Service
	look    func(context.Context) (standby.Acting, error) // at the database of HERMES_STORE; nil: it is the file

	// What several checks need is asked once.
	me      func() botInfo
	webhook func() webhookState
	status  func() statusReply
}

// New makes the doctor of a configuration, which may have mistakes.
func New(c config.Config, wrong config.Mistakes, opts Options, world World) *Doctor {
	if ruled, err := c.WithRules(); err == nil { // else a check says what is wrong
		c = ruled
	}
	if world.free == nil {
		world.free = pending.FreeBytes
	}
	if world.agents == nil {
		world.agents = listAgents
	}
	if world.opencode == nil {
		world.opencode = &http.Transport{DisableKeepAlives: true} // as the daemon does: without a proxy
	}
	client, link := apiclient.New(c, world.hermes), apiclient.LinkTokenOf(opts.Plugin)
	d := &Doctor{config: c, mistakes: wrong, opts: opts, world: world, client: client, link: link}
	d.redact = secret.NewRedactor(append(c.Secrets(), client.Token, link)...)
	d.bot = clients.NewBotClient(c, world.telegram, client.Token, link)
	d.servers, d.service = clients.DirectServers(c, world.opencode), clients.Service(c, world.opencode, nil)
	if c.Store != "" {
		d.look = func(ctx context.Context) (standby.Acting, error) { return database.Look(ctx, c) }
	}
	return d
}

// Report runs all checks and writes what they say. The error says how many failed.
func (d *Doctor) Report(ctx context.Context, w io.Writer, style console.Style) error {
	d.me = sync.OnceValue(func() botInfo { return d.fetchBotInfo(ctx) })
	d.webhook = sync.OnceValue(func() webhookState { return d.fetchWebhook(ctx) })
	d.status = sync.OnceValue(func() statusReply { return d.fetchStatus(ctx) })
	r := &report{out: w, redact: d.redact, style: style}
	for _, c := range d.checks() {
		list := c.run(ctx)
		if ctx.Err() != nil && c.name != roundTrip { // what it found may come of that
			break
		}
		for _, found := range list {
			if found.Status != "" {
				found.Name = c.name
				r.add(found)
			}
		}
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

// check looks at one thing, or at each of those of a kind. What is not there has no result, or one without a grade.
// It changes nothing, unless its comment says so.
type check struct {
	name string
	run  func(context.Context) []result
}

// roundTrip is the check that says what became of its question even when it is interrupted.
const roundTrip = "round trip"

// checks are all checks, in the order of the report.
func (d *Doctor) checks() []check {
	checks := []check{
		{"configuration", d.checkConfig},
		{"rules", d.checkRules},
		{"token", one(d.checkToken)},
		{"chat", d.checkChats},
		{"updates", one(d.checkUpdates)},
		{"clock", one(d.checkClock)},
		{"hermes", one(d.checkRunning)},
		{"store", one(d.checkStore)},
		{"disk", one(d.checkDisk)},
		{"plugin", one(d.checkPlugin)},
		{"links", one(d.checkLinks)},
		{"link", d.checkEachLink},
		{"service", one(func(ctx context.Context) result { return checkService(ctx, d.service) })},
		{"server", d.checkServers},
		{"question tool", d.checkAgents},
		{"backup", one(d.checkBackup)},
		{"certificate", one(func(context.Context) result { return checkCertificate(d.config, time.Now()) })},
		{"voice", one(func(ctx context.Context) result { return checkVoice(ctx, d.config, nil) })},
	}
	if d.opts.RoundTrip {
		checks = append(checks, check{roundTrip, func(ctx context.Context) []result { return []result{d.checkRoundTrip(ctx)} }})
	}
	return checks
}

// nameWidth is the length of the longest name.
const nameWidth = len("question tool")

// checkTime bounds the look at one thing.
const checkTime = 20 * time.Second

// within looks within checkTime.
func within(ctx context.Context, look func(context.Context) result) result {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	return look(ctx)
}

// one is a look at one thing.
func one(look func(context.Context) result) func(context.Context) []result {
	return func(ctx context.Context) []result { return []result{within(ctx, look)} }
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

// ServerInWords is what the doctor says of a server, for hermes setup, and whether it is good.
func ServerInWords(ctx context.Context, s opencode.Server) (text string, good bool) {
	return within(ctx, func(ctx context.Context) result { return checkServer(ctx, s) }).inWords()
}

// ServiceInWords is what the doctor says of the background service of OpenCode 2, as [ServerInWords].
func ServiceInWords(ctx context.Context, s opencode.Service) (text string, good bool) {
	return within(ctx, func(ctx context.Context) result { return checkService(ctx, s) }).inWords()
}

func (r result) inWords() (text string, good bool) {
	if r.Remedy != "" {
		r.Detail += "; " + r.Remedy
	}
	return letters.Escaped(r.Detail), r.Status == gradeOK
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

// report writes results: a line each as they come, or all in one JSON value.
// Secrets are taken out, and text from elsewhere cannot steer a terminal.
type report struct {
	out    io.Writer
	redact secret.Redactor
	style  console.Style
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
	text := fmt.Sprintf("%s  %-*s  %s", r.mark(d.Status), nameWidth, d.Name, d.Detail)
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
