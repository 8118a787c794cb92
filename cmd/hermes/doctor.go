package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"hermes/opencode/plugin"
	"hermes/telegram/botapi"
)

// doctorOptions are the flags of hermes doctor.
type doctorOptions struct {
	options
	plugin    plugin.Options
	json      bool
	roundTrip bool
	wait      time.Duration
}

// doctorWorld is what the doctor reaches the world through. Tests put stand-ins
// here; the zero value is the world.
type doctorWorld struct {
	telegram http.RoundTripper // nil: the network, through the configured proxy
	opencode http.RoundTripper // nil: the network
	voice    http.RoundTripper // nil: the network
	hermes   http.RoundTripper // to the running hermes; nil: the network
	free     func(dir string) (bytes uint64, err error)
	here     string    // the working directory; empty: it is not looked at
	notice   io.Writer // tells a person what to do during the round trip
}

// doctorCommand looks for what would keep a question from its answer.
func doctorCommand() *cobra.Command {
	var opts doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look for what would keep a question from its answer; exit 1 if there is something",
		Long: "Look at the configuration, Telegram, the hermes that runs, the database, the plugin and OpenCode, and say what to do.\n" +
			"The exit code is 1 if a check fails. Nothing is changed; people see \"typing…\" for a moment.\n\n" +
			"With --round-trip a test question goes to every chat, and doctor waits for a tap. The hermes that runs asks it, so that it\n" +
			"goes all the way; while none runs, doctor asks it itself. Where taps cannot come back to it, such as beside a hermes that\n" +
			"it does not reach, it only sends a message.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return examineAll(cmd, opts) },
	}
	configFlag(cmd, &opts.options)
	configDirFlag(cmd, &opts.plugin)
	cmd.Flags().BoolVar(&opts.json, "json", false, "write one JSON value: {\"checks\":[{\"name\",\"status\",\"detail\",\"remedy\"}]}")
	cmd.Flags().BoolVar(&opts.roundTrip, "round-trip", false, "send a test question to every chat, and wait for a tap")
	cmd.Flags().DurationVar(&opts.wait, "wait", 2*time.Minute, "how long --round-trip waits for a tap")
	return cmd
}

func examineAll(cmd *cobra.Command, opts doctorOptions) error {
	if cmd.Flags().Changed("wait") && (!opts.roundTrip || opts.wait < time.Second) {
		return mistakes{"--wait: give at least 1s, and --round-trip with it"}
	}
	opts.Serve = true
	c, err := loadConfig(opts.options)
	var wrong mistakes
	if err != nil && !errors.As(err, &wrong) {
		return err
	}
	here, _ := os.Getwd() // one that is gone is not looked at
	d := newDoctor(c, wrong, opts, doctorWorld{notice: cmd.ErrOrStderr(), here: here})
	style := styleFor(cmd.OutOrStdout(), opts.json, os.Getenv)
	return d.report(cmd.Context(), cmd.OutOrStdout(), style)
}

// doctor looks once. Exams share what is asked only once.
type doctor struct {
	config config
	wrong  mistakes // of the configuration
	opts   doctorOptions
	out    doctorWorld
	bot    *botapi.Client // nil: there is no token
	redact redactor

	token    secret // of hermes' API, "" if tokenErr
	tokenErr error
	link     linkSecret // of the plugin

	me     func() botSelf     // getMe, asked once
	hook   func() hookInfo    // getWebhookInfo, asked once
	daemon func() daemonReply // GET /v1/status, asked once
}

func newDoctor(c config, wrong mistakes, opts doctorOptions, out doctorWorld) *doctor {
	if ruled, err := c.ruled(); err == nil { // else an exam says what is wrong
		c = ruled
	}
	d := &doctor{config: c, wrong: wrong, opts: opts, out: out}
	if d.out.free == nil {
		d.out.free = freeBytes
	}
	if d.out.notice == nil {
		d.out.notice = io.Discard
	}
	if c.DB != "" || c.HookToken != "" {
		d.token, d.tokenErr = keptHookToken(c)
	}
	d.link = readLinkSecret(opts.plugin)
	d.redact = newRedactor(append(c.secrets(), d.token, d.link.token)...)
	d.bot = toTelegram(c, out.telegram, d.token, d.link.token)
	return d
}

// report runs all exams and writes what they say.
func (d *doctor) report(ctx context.Context, w io.Writer, style reportStyle) error {
	exams := d.exams(ctx)
	r := &report{out: w, redact: d.redact, style: style}
	for _, e := range exams {
		r.width = max(r.width, len(e.name))
	}
	examine(ctx, exams, r.tell)
	err := r.end()
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// exams are all exams, in the order of the report.
func (d *doctor) exams(ctx context.Context) []exam {
	d.me = begun(func() botSelf { return d.askSelf(ctx) })
	d.hook = begun(func() hookInfo { return d.askHook(ctx) })
	d.daemon = begun(func() daemonReply { return d.askDaemon(ctx) })
	exams := append(d.configExams(), d.rulesExams()...)
	exams = append(exams, exam{"token", one(d.examToken)})
	exams = append(exams, d.chatExams()...)
	exams = append(exams,
		exam{"updates", one(d.examUpdates)}, exam{"clock", one(d.examClock)},
		exam{"hermes", one(d.examDaemon)}, exam{"store", one(d.examStore)}, exam{"disk", one(d.examDisk)},
		exam{"plugin", one(d.examPlugin)}, exam{"links", one(d.examLinks)}, exam{"link", d.examEachLink},
	)
	exams = append(append(exams, d.serverExams()...), d.agentExams()...)
	exams = append(exams, voiceExams(d)...)
	for i, e := range exams {
		exams[i] = limited(e)
	}
	if d.opts.roundTrip {
		exams = append(exams, exam{"round trip", one(d.examRoundTrip)})
	}
	return exams
}
