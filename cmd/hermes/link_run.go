package main

import (
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/apiclient"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/internal/version"
	"hermes/opencode/plugin"
	"hermes/opencode/relay"
)

// linkRunOptions are the flags of hermes link run.
type linkRunOptions struct {
	config.Options
	plugin plugin.Options
	code   string
}

// linkRun links the OpenCode 2 of this machine to a hermes on another one.
func linkRun() *cobra.Command {
	var opts linkRunOptions
	cmd := &cobra.Command{
		Use:   "run",
		Short: "On another machine: keep its OpenCode 2 linked to hermes",
		Long: "On a machine where hermes does not run: keep the service of OpenCode 2 linked to the hermes of another machine, until SIGTERM or SIGINT. It " +
			"opens no port. Where hermes is and the token of the link it reads from the file that hermes plugin install --url URL --token-file FILE " +
			"writes, or, where that is not there, from HERMES_URL and HERMES_TOKEN. It finds the service as hermes does (HERMES_OPENCODE_SERVICE).\n\n" +
			"With --url and --code, as the bot answers to /link, it first gets a link and writes that down, with the plugin; from then on it runs without.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runLink(cmd, opts) },
	}
	configFlag(cmd, &opts.Options)
	urlFlag(cmd, &opts.plugin, "`URL` of hermes, with --code; of several that share a store give each, or all with commas between")
	codeFlag(cmd, &opts.code)
	configDirFlag(cmd, &opts.plugin)
	return cmd
}

func runLink(cmd *cobra.Command, opts linkRunOptions) error {
	c, err := config.Load(opts.Options)
	if err != nil {
		return err
	}
	if c.OpenCodeService == "" {
		return config.Mistakes{"HERMES_OPENCODE_SERVICE: leads to no service of OpenCode 2 that could be linked"}
	}
	if err := firstLink(cmd, opts); err != nil {
		return err
	}
	found, err := plugin.FindLink(opts.plugin)
	if err != nil {
		return config.Mistakes{err.Error()}
	}
	log := secret.NewLogger(cmd.ErrOrStderr(), c.LogLevel, c.LogFormat, secret.NewRedactor(append(c.Secrets(), found.Token)...))
	for _, warning := range found.Warnings() {
		log.Warn(warning)
	}
	log.Info("hermes links OpenCode 2", "hermes", strings.Join(found.URLs, ", "), "service", c.OpenCodeService)
	relay.New(relay.Config{
		Address: func() (relay.Address, error) {
			found, err := plugin.FindLink(opts.plugin)
			return relay.Address{URLs: found.URLs, Token: found.Token}, err
		},
		Hermes: hermesTransport(), Service: clients.Service(c, serviceTransport(), nil),
		Version: version.Number(), Host: apiclient.Hostname(), Log: log,
	}).Run(cmd.Context())
	return nil
}

// firstLink gets the link of a code, if one is given.
func firstLink(cmd *cobra.Command, opts linkRunOptions) error {
	o, wrong := opts.plugin, config.Mistakes(nil)
	if (len(o.URLs) == 0) != (opts.code == "") {
		return config.Mistakes{"--url, --code: give both or neither"}
	}
	if opts.code == "" {
		return nil
	}
	o.URLs = readURLs(o.URLs, &wrong)
	if err := wrong.Err(); err != nil {
		return err
	}
	return installWithCode(cmd, o, secret.Text(opts.code))
}

// hermesTransport makes requests to hermes, without a proxy, on connections that are kept.
func hermesTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second, MaxIdleConnsPerHost: 4, IdleConnTimeout: 90 * time.Second}
}

// serviceTransport makes requests to the service. It has no dialer of its own, as the one that hermes has for services looks whose
// process listens there, and takes the place of none.
func serviceTransport() *http.Transport {
	return &http.Transport{MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute}
}
