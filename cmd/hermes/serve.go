package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/database"
	"hermes/internal/secret"
	"hermes/internal/standby"
	"hermes/internal/systemd"
	"hermes/pending"
	"hermes/telegram"
)

// serveCommand runs the daemon.
func serveCommand() *cobra.Command {
	opts := config.Options{Serve: true}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon",
		Long: "Run the daemon: carry the questions of OpenCode to Telegram and the answers back, until ctrl-C or SIGTERM. " +
			"HERMES_ variables configure it, in the environment or in the file of --config; hermes config example prints them all. " +
			"hermes setup writes that file, and can let systemd or launchd run the daemon.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, opts) },
	}
	configFlag(cmd, &opts)
	return cmd
}

func serve(cmd *cobra.Command, opts config.Options) error {
	c, err := config.Load(opts)
	if _, wrong := c.Ruleset(); err != nil || wrong != nil {
		return errors.Join(err, wrong)
	}
	token, err := config.HookToken(c)
	if err != nil {
		return err
	}
	redact := secret.NewRedactor(append(c.Secrets(), token)...)
	level := new(slog.LevelVar)
	level.Set(c.LogLevel)
	log := secret.NewLogger(cmd.ErrOrStderr(), level, c.LogFormat, redact)
	for _, warning := range c.Warnings {
		log.Warn(warning)
	}
	collectSooner()
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	defer signal.Stop(hangUps)
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	s := server{c, token, log, daemon.Outside{
		Configuration: daemon.Configuration{Load: func() (config.Config, error) { return config.Load(opts) }, Level: level},
	}, hangUps, systemd.NewNotifier(os.Getenv), func() {}}
	return serveError(s.run(ctx), redact)
}

// serveForSetup is hermes serve in the process of hermes setup, which has checked the configuration.
func serveForSetup(ctx context.Context, c config.Config, l net.Listener, log *slog.Logger, ready func()) error {
	token, err := config.HookToken(c)
	if err != nil {
		return err
	}
	s := server{c, token, log, daemon.Outside{Listener: l}, nil, systemd.NewNotifier(func(string) string { return "" }), ready}
	return serveError(s.run(ctx), secret.NewRedactor(append(c.Secrets(), token)...))
}

// server is what hermes serve runs.
type server struct {
	config  config.Config
	token   secret.Text
	log     *slog.Logger
	outside daemon.Outside
	hangUps <-chan os.Signal
	systemd systemd.Notifier
	ready   func() // called when it acts
}

func (s server) run(ctx context.Context) error {
	if s.config.Store != "" {
		return s.runShared(ctx)
	}
	return s.runAlone(ctx)
}

// runAlone is the only hermes of its database.
func (s server) runAlone(ctx context.Context) error {
	d, err := daemon.New(s.config, s.token, s.log, s.outside)
	if err != nil {
		return err
	}
	go d.ReloadOnSignal(ctx, s.hangUps)
	go s.systemd.Watch(ctx, func() bool { return d.Alive(ctx) })
	return d.Run(ctx, func() {
		s.logRunning(d)
		s.tell(s.systemd.Ready())
		s.ready()
	}, func() { s.tell(s.systemd.Stopping()) })
}

// runShared is one hermes of those that share the database of HERMES_STORE.
func (s server) runShared(ctx context.Context) error {
	standsBy := func() { s.tell(s.systemd.Status("stands by: another hermes acts, or the database does not answer")) }
	p := &daemon.Turns{
		Config: s.config, Token: s.token, Log: s.log, Outside: s.outside, HangUps: s.hangUps,
		Open: func(ctx context.Context) (standby.Database, error) { return database.OpenShared(ctx, s.config, s.log) },
		Ready: func() {
			s.log.Info("hermes stands by", "listen", s.config.Listen)
			s.tell(s.systemd.Ready())
			standsBy()
		},
		Began: func(d *daemon.Daemon) {
			s.logRunning(d)
			s.tell(s.systemd.Status("acts"))
			s.ready()
		},
		Ended:    standsBy,
		Stopping: func() { s.tell(s.systemd.Stopping()) },
	}
	go s.systemd.Watch(ctx, func() bool { return p.Alive(ctx) })
	return p.Run(ctx)
}

func (s server) logRunning(d *daemon.Daemon) {
	rules := d.Rules.InForce()
	s.log.Info("hermes is running", "listen", s.config.Listen, "chats", len(rules.Targets()), "users", len(rules.People()))
}

// tell logs that systemd was not told something.
func (s server) tell(err error) {
	if err != nil {
		s.log.Warn("systemd was not told", "err", err)
	}
}

// serveError tells a refused token and a database that refuses hermes, which no restart mends, from other failures.
func serveError(err error, redact secret.Redactor) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, standby.ErrRefused), errors.Is(err, pending.ErrOtherBot):
		return config.Mistakes{redact.Text(err.Error())}
	case errors.Is(err, telegram.ErrToken):
		return config.Mistakes{"HERMES_TELEGRAM_TOKEN: Telegram refuses this token; copy it again from @BotFather"}
	}
	return redact.Error(err)
}

// collectSooner has the heap grow by half of what is in use, not by as much again, before it is collected: hermes needs little of a core, and
// the memory of a thousand links is what a machine notices (BenchmarkHub). Who sets GOGC has their way.
func collectSooner() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}
