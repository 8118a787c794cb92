package demo

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
	"strings"
	"syscall"
	"time"

	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/page"
	"hermes/internal/question"
	"hermes/internal/secret"
	telegram "hermes/internal/simulate/telegramsim"
)

// Options is how `hermes try` was called.
type Options struct {
	Own       bool // the person's own OpenCode asks
	NoBrowser bool
	Listen    string
}

// Run runs until ctx ends or the page cannot be served any more.
func Run(ctx context.Context, out io.Writer, o Options) error {
	listener, err := tryListen(o.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	fmt.Fprintln(out, terminal(localeLanguage(os.Getenv)).starts)
	dir, err := os.MkdirTemp("", "hermes-try-")
	if err != nil {
		return fmt.Errorf("there is no room for a temporary folder; set TMPDIR to a folder that can be written: %w", err)
	}
	defer os.RemoveAll(dir)
	t, err := newInstance(o, dir)
	if err != nil {
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
	if err != nil || !config.Loopback(host) {
		return nil, config.Mistakes{"--listen: is not a loopback address with a port, such as 127.0.0.1:8080; the page is for this machine alone"}
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
func (t *instance) servePage(ctx context.Context, out io.Writer, l net.Listener, o Options) error {
	pages := page.New(t, l.Addr().String())
	server := &http.Server{Handler: pages, ReadHeaderTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	fmt.Fprintf(out, terminal(t.language()).open+"\n\n  %s\n\n", pages.URL())
	if !o.NoBrowser {
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
func (t *instance) close() {
	t.hermes.halt()
	t.agent.close()
	t.telegram.Close()
}

// newInstance builds everything; hermes does not run yet.
func newInstance(o Options, dir string) (*instance, error) {
	// The token has the form that is asked for. It opens nothing: its Telegram is
	// in this process.
	token := secret.Text("123456789:" + (rand.Text() + rand.Text())[:35])
	t := &instance{
		telegram: telegram.New(telegram.Options{Token: token.Reveal(), Flood: telegram.Flood{Burst: 3, Edits: 20}}),
		people:   tryPeople(), log: &logTail{keep: 100}, ledger: &snapshot{}, asked: map[string]int{}, interrupted: map[string]bool{}, finished: map[string]bool{},
		title: "A scripted agent", lang: localeLanguage(os.Getenv), setup: setupCommand(os.Args[0]),
	}
	t.toPhone = newCutTransport(t.telegram.Transport())
	t.hermes = &restartableDaemon{
		config: tryConfig(filepath.Join(dir, "hermes.db"), token, userIDs(t.people)), token: secret.Text(rand.Text()),
		telegram: t.toPhone, state: stateStopped,
	}
	var err error
	if o.Own {
		err = t.withOwn()
	} else {
		t.withScripted()
		err = t.withRules(dir)
	}
	if err != nil {
		return nil, err
	}
	c := t.hermes.config
	redact := secret.NewRedactor(append(c.Secrets(), t.hermes.token)...)
	t.hermes.newLog = func(alive func() bool) *slog.Logger {
		return secret.NewLogger(logGate{t.log, alive}, c.LogLevel, c.LogFormat, redact)
	}
	t.hermes.log = t.hermes.newLog(func() bool { return true })
	if o.Own {
		t.join(t.lang)
	}
	return t, nil
}

// withScripted makes the scripted agent ask.
func (t *instance) withScripted() {
	t.scripted = newScripted()
	t.agent, t.steps = t.scripted, allSteps()
	t.toAgent = newCutTransport(t.scripted.server.Transport())
	t.hermes.opencode = t.toAgent
	t.hermes.config.OpenCodeURLs = []string{scriptedURL}
}

// withRules gives hermes the rules that the tour is about: two approvals for kubectl.
func (t *instance) withRules(dir string) error {
	var rules strings.Builder
	for _, u := range t.people {
		fmt.Fprintf(&rules, "[[person]]\nid = %d\nname = %q\nroles = [\"dev\"]\n\n", u.ID, u.FirstName)
	}
	rules.WriteString("[remote]\nroles = [\"dev\"]\n\n[[rule]]\nname = \"kubectl\"\npermission = \"bash\"\npattern = \"*kubectl *\"\nroles = [\"dev\"]\napprovals = 2\n")
	path := filepath.Join(dir, "rules.toml")
	if err := os.WriteFile(path, []byte(rules.String()), 0o600); err != nil {
		return fmt.Errorf("the rules of the tour cannot be written: %w", err)
	}
	t.hermes.config.Rules, t.hermes.config.TelegramUsers = path, nil
	return nil
}

// setupCommand is what sets hermes up with a bot, for the program as it was called. One of go run is gone afterwards.
func setupCommand(program string) string {
	switch {
	case filepath.Base(filepath.Dir(program)) == "exe" && strings.Contains(program, "go-build"):
		return "make build && ./hermes setup"
	case strings.Contains(program, " "):
		return "'" + program + "' setup"
	}
	return program + " setup"
}

// tryConfig is hermes' configuration here. The environment has no say in it.
func tryConfig(db string, token secret.Text, users []chat.UserID) config.Config {
	return config.Config{
		TelegramToken: token, TelegramAPIURL: "https://telegram.invalid", TelegramUsers: users, TelegramChats: config.PrivateChats(users),
		DB: db, Listen: "127.0.0.1:0", OpenCodeUsername: "opencode",
		QuestionTTL: tourTTL, OnExpiry: question.ExpireReject, NotifyDelay: 800 * time.Millisecond, Context: true,
		ResolveAttempts: 20, ResolveInterval: 300 * time.Millisecond, Remote: true, IdleDelay: 2 * time.Second, TurnAfter: 2 * time.Minute, Lang: "auto", LogFormat: "text", LogLevel: slog.LevelInfo,
	}
}
