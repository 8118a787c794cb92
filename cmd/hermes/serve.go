package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/secret"
	"hermes/internal/systemd"
	"hermes/telegram"
)

// serveCommand runs the daemon.
func serveCommand() *cobra.Command {
	opts := config.Options{Serve: true}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon",
		Long: "Run the daemon: carry the questions of OpenCode to Telegram and the answers back, until ctrl-C or SIGTERM.\n" +
			"HERMES_ variables configure it, in the environment or in the file of --config; hermes config example prints them all.\n" +
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
	d, err := daemon.New(c, token, log, daemon.Outside{
		Configuration: daemon.Configuration{Load: func() (config.Config, error) { return config.Load(opts) }, Level: level},
	})
	if err != nil {
		return redact.Error(err)
	}
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	defer signal.Stop(hangUps)
	systemd := systemd.NewNotifier(os.Getenv)
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	go d.ReloadOnSignal(ctx, hangUps)
	go systemd.Watch(ctx, func() bool { return d.Alive(ctx) })
	tell := func(say func() error) {
		if err := say(); err != nil {
			log.Warn("systemd was not told", "err", err)
		}
	}
	err = d.Run(ctx, func() {
		rules := d.Rules.InForce()
		log.Info("hermes is running", "listen", c.Listen, "chats", len(rules.Targets()), "users", len(rules.People()))
		tell(systemd.Ready)
	}, func() { tell(systemd.Stopping) })
	return serveError(err, redact)
}

// serveError tells a refused token, which no restart mends, from other failures.
func serveError(err error, redact secret.Redactor) error {
	switch {
	case err == nil:
		return nil
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
