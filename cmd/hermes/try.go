package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/page"
	"hermes/internal/question"
	telegram "hermes/internal/simulate/telegramsim"
)

// tryOptions is how `hermes try` was called.
type tryOptions struct {
	own, demo bool
	noBrowser bool
	listen    string
}

// tryCommand lets a person see hermes work, without an account.
func tryCommand() *cobra.Command {
	var o tryOptions
	cmd := &cobra.Command{
		Use:   "try",
		Short: "Try hermes in the browser: no account, no token, no OpenCode needed",
		Long: "Try hermes in the browser. The real hermes runs between a simulated Telegram, which the page shows as two\n" +
			"phones, and a simulated OpenCode, whose agent asks what you tell it to. Everything is kept in a temporary\n" +
			"folder, which is removed at the end. Ctrl-C ends it.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return try(cmd.Context(), cmd.OutOrStdout(), o) },
	}
	cmd.Flags().BoolVar(&o.own, "opencode", false, "your own OpenCode asks, through the plugin or HERMES_OPENCODE_URLS; the page is the phone")
	cmd.Flags().BoolVar(&o.demo, "opencode-demo", false, "the opencode on PATH asks, with a home of its own and a scripted model; no provider, no key")
	cmd.Flags().BoolVar(&o.noBrowser, "no-browser", false, "do not open a browser, only print the page's address")
	cmd.Flags().StringVar(&o.listen, "listen", "127.0.0.1:0", "loopback address of the page; port 0 is a free one")
	cmd.MarkFlagsMutuallyExclusive("opencode", "opencode-demo")
	return cmd
}

// try runs until ctx ends or the page cannot be served any more.
func try(ctx context.Context, out io.Writer, o tryOptions) error {
	listener, err := tryListen(o.listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	dir, err := os.MkdirTemp("", "hermes-try-")
	if err != nil {
		return fmt.Errorf("there is no room for a temporary folder; set TMPDIR to a folder that can be written: %w", err)
	}
	defer os.RemoveAll(dir)
	t, err := newTrial(ctx, out, o, dir)
	switch {
	case ctx.Err() != nil && err != nil:
		return nil // Ctrl-C while OpenCode started
	case err != nil:
		return err
	}
	defer t.close()
	if err := t.hermes.start(); err != nil {
		return err
	}
	return t.servePage(ctx, out, listener, o)
}

// tryListen opens the page's address, which other machines must not reach:
// whoever sees the page can answer the agent.
func tryListen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !loopback(host) {
		return nil, mistakes{"--listen: is not a loopback address with a port, such as 127.0.0.1:8080; the page is for this machine alone"}
	}
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("--listen: another program uses %s; choose another port, or leave --listen out for a free one", address)
	} else if err != nil {
		return nil, fmt.Errorf("--listen: cannot listen there; choose another address, or leave --listen out: %w", err)
	}
	return l, nil
}

// servePage serves the page until ctx ends.
func (t *trial) servePage(ctx context.Context, out io.Writer, l net.Listener, o tryOptions) error {
	pages := page.New(t, l.Addr().String())
	server := &http.Server{Handler: pages, ReadHeaderTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	fmt.Fprintf(out, "Open this in a browser; Ctrl-C ends it, and nothing is kept:\n\n  %s\n\n", pages.URL())
	if !o.noBrowser {
		openBrowser(os.Getenv, pages.Ticket())
	}
	select {
	case <-ctx.Done():
	case err := <-failed:
		return fmt.Errorf("the page cannot be served any more: %w", err)
	}
	pages.Close()
	end, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = server.Shutdown(end) // what takes longer is cut off
	return server.Close()
}

// close ends hermes, then what it spoke with.
func (t *trial) close() {
	t.hermes.halt()
	t.agent.close()
	t.telegram.Close()
}

// newTrial builds everything; hermes does not run yet.
func newTrial(ctx context.Context, out io.Writer, o tryOptions, dir string) (*trial, error) {
	// The token has the form that is asked for. It opens nothing: its Telegram is
	// in this process.
	token := secret("123456789:" + (rand.Text() + rand.Text())[:35])
	t := &trial{
		telegram: telegram.New(telegram.Options{Token: token.Reveal(), Flood: telegram.Flood{Burst: 3}}),
		people:   tryPeople(), log: &tail{keep: 100}, ledger: &ledger{}, asked: map[string]int{}, title: "A scripted agent",
	}
	for _, u := range t.people {
		t.telegram.AddUser(u)
		if _, err := t.telegram.Say(u.ID, u.ID, "/start"); err != nil {
			return nil, err
		}
	}
	t.toPhone = newWire(t.telegram.Transport())
	t.hermes = &lifeline{
		config: tryConfig(filepath.Join(dir, "hermes.db"), token, userIDs(t.people)), token: secret(rand.Text()),
		telegram: t.toPhone, state: stateStopped,
	}
	if err := t.choose(ctx, out, o, dir); err != nil {
		return nil, err
	}
	c := t.hermes.config
	redact := newRedactor(append(c.secrets(), t.hermes.token)...)
	t.hermes.newLog = func(alive func() bool) *slog.Logger {
		return newLogger(gate{t.log, alive}, c.LogLevel, c.LogFormat, redact)
	}
	t.hermes.log = t.hermes.newLog(func() bool { return true })
	return t, nil
}

// choose decides who asks.
func (t *trial) choose(ctx context.Context, out io.Writer, o tryOptions, dir string) error {
	switch {
	case o.own:
		return t.withOwn()
	case o.demo:
		return t.withDemo(ctx, out, dir)
	}
	agent := newScripted()
	t.agent, t.steps = agent, tour()
	t.toAgent = newWire(agent.server.Transport())
	t.hermes.opencode = t.toAgent
	t.hermes.config.OpenCodeURLs = []string{scriptedURL}
	return nil
}

// tryConfig is hermes' configuration here. The environment has no say in it.
func tryConfig(db string, token secret, users []question.UserID) config {
	return config{
		TelegramToken: token, TelegramAPIURL: "https://telegram.invalid", TelegramUsers: users, TelegramChats: privateChats(users),
		DB: db, Listen: "127.0.0.1:0", OpenCodeUsername: "opencode",
		QuestionTTL: tourTTL, OnExpiry: question.ExpireReject, NotifyDelay: 800 * time.Millisecond,
		ResolveAttempts: 20, ResolveInterval: 300 * time.Millisecond, Remote: true, IdleDelay: 2 * time.Second, Lang: "auto", LogFormat: "text", LogLevel: slog.LevelInfo,
	}
}
