package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"hermes/telegram"
)

// serveCommand runs the daemon.
func serveCommand() *cobra.Command {
	opts := options{Serve: true}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon",
		Long: "Run the daemon: carry the questions of OpenCode to Telegram and the answers back, until SIGTERM or SIGINT.\n" +
			"It is configured by HERMES_ variables; config.example.env names them all.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, opts) },
	}
	configFlag(cmd, &opts)
	return cmd
}

func serve(cmd *cobra.Command, opts options) error {
	c, err := loadConfig(opts)
	if _, wrong := c.book(); err != nil || wrong != nil {
		return errors.Join(err, wrong)
	}
	token, err := hookToken(c)
	if err != nil {
		return err
	}
	redact := newRedactor(append(c.secrets(), token)...)
	log := newLogger(cmd.ErrOrStderr(), c.LogLevel, c.LogFormat, redact)
	for _, warning := range c.Warnings {
		log.Warn(warning)
	}
	d, err := newDaemon(c, token, log, outside{})
	if err != nil {
		return redact.error(err)
	}
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	defer signal.Stop(hangUps)
	systemd := newNotifier(os.Getenv)
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	go d.reloadOn(ctx, hangUps)
	go systemd.watch(ctx, func() bool { return d.alive(ctx) })
	tell := func(say func() error) {
		if err := say(); err != nil {
			log.Warn("systemd was not told", "err", err)
		}
	}
	err = d.run(ctx, func() {
		rules := d.inForce()
		log.Info("hermes serves", "listen", c.Listen, "chats", len(rules.Targets()), "users", len(rules.People()))
		tell(systemd.ready)
	}, func() { tell(systemd.stopping) })
	return ended(err, redact)
}

// ended tells a refused token, which no restart mends, from other failures.
func ended(err error, redact redactor) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, telegram.ErrToken):
		return mistakes{"HERMES_TELEGRAM_TOKEN: Telegram refuses this token; copy it again from @BotFather"}
	}
	return redact.error(err)
}
