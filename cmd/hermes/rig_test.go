package main

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/pending"
)

// Every secret has the word "canary" in it, and nothing else may.
const (
	testToken  = "123456789:AAcanaryCANARYcanaryCANARYcanaryCAN"
	hookKey    = "hook-canary-0123456789abcdefghijklmnop"
	linkKey    = "hermes_link_canary-0123456789abcdefghijklmnopqrstuvwxyz" // of a link
	password   = "password-canary"
	hookSecret = "webhook-canary"
)

const (
	ada    = 42
	bob    = 43
	eve    = 66 // may not answer
	server = "http://opencode.test:4096"
)

// rig is the assembled daemon between the two stand-ins. It lives in a synctest
// bubble: nothing in it uses a socket.
type rig struct {
	t        *testing.T
	config   config
	telegram *telegram.Server
	opencode *opencode.Simulator
	voice    http.RoundTripper // to who writes down voice messages; nil: nobody
	listener *pipeListener
	log      lockedBuffer
	delay    atomic.Value          // func(*http.Request) time.Duration: of what comes to the webhook
	wrap     func(outside) outside // between the daemon and the stand-ins; nil: nothing

	daemon *daemon
	stop   context.CancelFunc
	ended  chan error
}

// newRig starts the daemon with the configuration that alter leaves, and Ada
// writes /start.
func newRig(t *testing.T, version string, alter func(*config)) *rig {
	t.Helper()
	r := makeRig(t, version, alter)
	r.start()
	r.say("/start", 0)
	return r
}

// makeRig is newRig without a start.
func makeRig(t *testing.T, version string, alter func(*config)) *rig {
	t.Helper()
	return makeRigOn(t, version, telegram.Options{}, alter)
}

// makeRigOn is makeRig on a Telegram with these options, as far as the rig does not set them itself.
func makeRigOn(t *testing.T, version string, o telegram.Options, alter func(*config)) *rig {
	t.Helper()
	r := &rig{t: t, config: testConfig(filepath.Join(t.TempDir(), "hermes.db"))}
	if alter != nil {
		alter(&r.config)
	}
	o.Token, o.Flood, o.Webhook = testToken, telegram.Flood{Burst: 3, GroupPerMinute: 20, Strict: true}, r.webhook()
	o.PrivateTopics = r.config.Topics
	r.telegram = telegram.New(o)
	for id, name := range map[int64]string{ada: "Ada", bob: "Bob", eve: "Eve"} {
		r.telegram.AddUser(telegram.User{ID: id, FirstName: name, LanguageCode: "en"})
	}
	r.opencode = opencode.New(opencode.Options{Version: version, Directory: "/home/ada/src/shop-api", Password: password})
	return r
}

func testConfig(db string) config {
	return config{
		TelegramToken: testToken, TelegramAPIURL: "https://api.telegram.test",
		TelegramUsers: []question.UserID{ada, bob}, TelegramChats: []chat{{ID: ada}},
		DB: db, Listen: "127.0.0.1:4097",
		OpenCodeURLs: []string{server}, OpenCodeUsername: "opencode", OpenCodePassword: password,
		QuestionTTL: 30 * time.Minute, OnExpiry: question.ExpireReject, NotifyDelay: 800 * time.Millisecond,
		Remote: true, IdleDelay: 5 * time.Second,
		ResolveAttempts: 20, ResolveInterval: 300 * time.Millisecond, Lang: "auto", LogFormat: "text", LogLevel: slog.LevelDebug,
	}
}

// play runs a test in a bubble with a running daemon of its own.
func play(t *testing.T, alter func(*config), test func(*rig)) {
	t.Helper()
	playWith(t, opencode.VersionNew, alter, test)
}

// playBoth is play with each version of OpenCode.
func playBoth(t *testing.T, test func(*rig)) {
	t.Helper()
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		t.Run(version, func(t *testing.T) { playWith(t, version, nil, test) })
	}
}

func playWith(t *testing.T, version string, alter func(*config), test func(*rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, version, alter)
		defer r.end()
		test(r)
	})
}

func (r *rig) start() {
	r.t.Helper()
	r.listener = newPipeListener()
	n := outside{
		telegram: r.telegram.Transport(), opencode: r.opencode.Transport(), voice: r.voice, listener: r.listener,
		store: pending.Options{NoSync: true},
	}
	if r.wrap != nil {
		n = r.wrap(n)
	}
	redact := newRedactor(append(r.config.secrets(), hookKey)...)
	d, err := newDaemon(r.config, hookKey, newLogger(&r.log, r.config.LogLevel, r.config.LogFormat, redact), n)
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	r.daemon, r.stop, r.ended = d, stop, make(chan error, 1)
	go func() { r.ended <- d.run(ctx, func() {}, func() {}) }()
	r.wait(time.Second)
}

// end stops the daemon and everything that would keep the bubble alive.
func (r *rig) end() {
	r.t.Helper()
	r.halt()
	for _, v := range r.telegram.Violations() {
		r.t.Error("against Telegram's rules:", v)
	}
	r.close()
}

// halt stops the daemon alone.
func (r *rig) halt() {
	r.t.Helper()
	r.stop()
	if err := <-r.ended; err != nil {
		r.t.Error("the daemon ended:", err)
	}
}

// close stops the stand-ins, and looks for secrets in the log.
func (r *rig) close() {
	r.t.Helper()
	r.telegram.Close()
	r.opencode.Stop()
	r.wait(5 * time.Second) // reads that were cut off
	noCanary(r.t, "the log", r.log.String())
	wantDocumented(r.t, r.telegram.Calls())
}

// noCanary fails the test if the text holds a secret.
func noCanary(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.Contains(strings.ToLower(line), "canary") {
			t.Errorf("%s shows a secret: %s", what, line)
		}
	}
}

func (r *rig) wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// journal is what the store says has happened, of one kind.
func (r *rig) journal(kind question.EntryKind) []question.Entry {
	r.t.Helper()
	var entries []question.Entry
	err := r.daemon.store.Journal(1, func(l line) error {
		if l.Entry.Kind == kind {
			entries = append(entries, l.Entry)
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return entries
}
