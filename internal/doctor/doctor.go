package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/database"
	"hermes/internal/secret"
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
	telegram http.RoundTripper  // nil: the network, through the configured proxy
	opencode http.RoundTripper  // nil: the network
	Voice    http.RoundTripper  // nil: the network
	hermes   http.RoundTripper  // to the running hermes; nil: the network
	running  func(pid int) bool // an OpenCode on this machine; nil: the system is asked
	free     func(dir string) (bytes uint64, err error)
	look     func(context.Context) (database.Acting, error) // at the database of HERMES_STORE; nil: the network
	Here     string                                         // the working directory; empty: it is not looked at
	Notice   io.Writer                                      // tells a person what to do during the round trip
}

// lookAt looks who acts on the database of HERMES_STORE.
func (w World) lookAt(ctx context.Context, c config.Config) (database.Acting, error) {
	if w.look != nil {
		return w.look(ctx)
	}
	return database.Look(ctx, c)
}

// Doctor looks once, by way of parts that share what is asked only once.
type Doctor struct {
	config   config.Config
	mistakes config.Mistakes // of the configuration
	opts     Options
	voice    http.RoundTripper
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
	if direct == nil {
		direct = &http.Transport{DisableKeepAlives: true} // as the daemon does: without a proxy
	}
	client, link := apiclient.New(c, out.hermes), apiclient.ReadLinkSecret(opts.Plugin)
	d := &Doctor{config: c, mistakes: wrong, opts: opts, voice: out.Voice}
	d.redact = secret.NewRedactor(append(c.Secrets(), client.Token, link.Token)...)
	d.hermes = &hermesProbe{config: c, client: client}
	d.store = &storeChecks{db: c.DB, hermes: d.hermes, free: free, lease: c.Lease}
	if c.Store != "" {
		d.store.look = func(ctx context.Context) (database.Acting, error) { return out.lookAt(ctx, c) }
		d.hermes.look = d.store.look
	}
	bot := clients.NewBotClient(c, out.telegram, client.Token, link.Token)
	d.telegram = &telegramChecks{config: c, bot: bot, hermes: d.hermes, store: d.store}
	service := clients.Service(c, direct, out.running)
	d.openCode = &openCodeChecks{servers: clients.DirectServers(c, direct), service: service, plugin: opts.Plugin, here: out.Here, hermes: d.hermes}
	d.plugin = &pluginChecks{config: c, service: service, mistakes: wrong, options: opts.Plugin, token: link.Token, hermes: d.hermes}
	d.roundTrip = &roundTrip{config: c, bot: bot, telegram: d.telegram, hermes: d.hermes, wait: opts.Wait, notice: notice}
	return d
}

// Report runs all checks and writes what they say. The error says how many failed.
func (d *Doctor) Report(ctx context.Context, w io.Writer, style console.Style) error {
	checks := d.checks(ctx)
	r := &report{out: w, redact: d.redact, style: style}
	for _, c := range checks {
		r.width = max(r.width, len(c.Name))
	}
	runChecks(ctx, checks, r.add)
	err := r.finish()
	if err != nil && !d.config.IsConfigured() {
		err = fmt.Errorf("%w; hermes is not set up yet: run hermes setup", err)
	}
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// checks are all checks, in the order of the report. It begins to ask what they share.
func (d *Doctor) checks(ctx context.Context) []check {
	d.telegram.info = startOnce(func() botInfo { return d.telegram.fetchBotInfo(ctx) })
	d.telegram.webhook = startOnce(func() webhookState { return d.telegram.fetchWebhook(ctx) })
	d.hermes.status = startOnce(func() statusReply { return d.hermes.fetch(ctx) })
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
	checks = append(append(append(checks, backupChecks(d.config, d.hermes.status, time.Now())...), certificateChecks(d.config)...), voiceChecks(d.config, d.voice)...)
	for i, c := range checks {
		checks[i] = withTimeout(c)
	}
	if d.opts.RoundTrip {
		checks = append(checks, check{"round trip", one(d.roundTrip.checkRoundTrip)})
	}
	return checks
}
