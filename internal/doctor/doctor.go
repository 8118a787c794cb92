package doctor

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/secret"
	"hermes/opencode/plugin"
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
	Voice    http.RoundTripper // nil: the network
	hermes   http.RoundTripper // to the running hermes; nil: the network
	free     func(dir string) (bytes uint64, err error)
	Here     string    // the working directory; empty: it is not looked at
	Notice   io.Writer // tells a person what to do during the round trip
}

// Doctor looks once. Exams share what is asked only once.
type Doctor struct {
	config config.Config
	wrong  config.Mistakes // of the configuration
	opts   Options
	out    World
	bot    *botapi.Client // nil: there is no token
	redact secret.Redactor

	hermes apiclient.Client     // the hermes that runs
	link   apiclient.LinkSecret // of the plugin

	me     func() botSelf     // getMe, asked once
	hook   func() hookInfo    // getWebhookInfo, asked once
	daemon func() daemonReply // GET /v1/status, asked once
}

func New(c config.Config, wrong config.Mistakes, opts Options, out World) *Doctor {
	if ruled, err := c.WithRules(); err == nil { // else an exam says what is wrong
		c = ruled
	}
	d := &Doctor{config: c, wrong: wrong, opts: opts, out: out}
	if d.out.free == nil {
		d.out.free = freeBytes
	}
	if d.out.Notice == nil {
		d.out.Notice = io.Discard
	}
	d.hermes = apiclient.New(c, out.hermes)
	d.link = apiclient.ReadLinkSecret(opts.Plugin)
	d.redact = secret.NewRedactor(append(c.Secrets(), d.hermes.Token, d.link.Token)...)
	d.bot = clients.Telegram(c, out.telegram, d.hermes.Token, d.link.Token)
	return d
}

// Report runs all exams and writes what they say.
func (d *Doctor) Report(ctx context.Context, w io.Writer, style console.Style) error {
	exams := d.checks(ctx)
	r := &report{out: w, redact: d.redact, style: style}
	for _, e := range exams {
		r.width = max(r.width, len(e.Name))
	}
	runChecks(ctx, exams, r.tell)
	err := r.end()
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// checks are all exams, in the order of the report.
func (d *Doctor) checks(ctx context.Context) []check {
	d.me = begun(func() botSelf { return d.askSelf(ctx) })
	d.hook = begun(func() hookInfo { return d.askHook(ctx) })
	d.daemon = begun(func() daemonReply { return d.askDaemon(ctx) })
	exams := append(d.configChecks(), d.rulesChecks()...)
	exams = append(exams, check{"token", one(d.checkToken)})
	exams = append(exams, d.chatChecks()...)
	exams = append(exams,
		check{"updates", one(d.checkUpdates)}, check{"clock", one(d.checkClock)},
		check{"hermes", one(d.checkDaemon)}, check{"store", one(d.checkStore)}, check{"disk", one(d.checkDisk)},
		check{"plugin", one(d.checkPlugin)}, check{"links", one(d.checkLinks)}, check{"link", d.checkEachLink},
	)
	exams = append(append(exams, d.serverChecks()...), d.agentChecks()...)
	exams = append(exams, VoiceChecks(d)...)
	for i, e := range exams {
		exams[i] = limited(e)
	}
	if d.opts.RoundTrip {
		exams = append(exams, check{"round trip", one(d.checkRoundTrip)})
	}
	return exams
}
