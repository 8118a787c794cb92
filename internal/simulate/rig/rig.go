package rig

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/question"
	"hermes/internal/secret"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
	"hermes/pending"
)

// Every secret has the word "canary" in it, and nothing else may.
const (
	TestToken = "123456789:AAcanaryCANARYcanaryCANARYcanaryCAN"
	HookKey   = "hook-canary-0123456789abcdefghijklmnop"
	LinkKey   = "hermes_link_canary-0123456789abcdefghijklmnopqrstuvwxyz" // of a link
	Password  = "password-canary"
)

const (
	Ada    = 42
	Bob    = 43
	Eve    = 66 // may not answer
	Server = "http://opencode.test:4096"
)

// Rig is the assembled daemon between the two stand-ins. It lives in a synctest
// bubble: nothing in it uses a socket.
type Rig struct {
	T        *testing.T
	Config   config.Config
	Telegram *telegram.Server
	Opencode *opencode.Simulator
	Answered func(pattern string, status int) // called after each exchange over HTTP, from several goroutines; may be nil
	Voice    http.RoundTripper                // to who writes down voice messages; nil: nobody
	listener atomic.Pointer[pipeListener]
	Log      testenv.LockedBuffer
	Wrap     func(daemon.Outside) daemon.Outside // between the daemon and the stand-ins; nil: nothing

	Daemon *daemon.Daemon
	Stop   context.CancelFunc
	Ended  chan error
}

// New starts the daemon with the configuration that alter leaves, and Ada
// writes /start.
func New(t *testing.T, version string, alter func(*config.Config)) *Rig {
	t.Helper()
	r := NewStopped(t, version, alter)
	r.Start()
	r.Say("/start", 0)
	return r
}

// NewStopped is New without a daemon: Start runs one.
func NewStopped(t *testing.T, version string, alter func(*config.Config)) *Rig {
	t.Helper()
	return NewStoppedOn(t, version, telegram.Options{}, alter)
}

// NewStoppedOn is NewStopped on a Telegram with these options, as far as the rig does not set them itself.
func NewStoppedOn(t *testing.T, version string, o telegram.Options, alter func(*config.Config)) *Rig {
	t.Helper()
	r := &Rig{T: t, Config: TestConfig(filepath.Join(t.TempDir(), "hermes.db"))}
	if alter != nil {
		alter(&r.Config)
	}
	o.Token, o.Flood, o.Webhook = TestToken, telegram.Flood{Burst: 3, GroupPerMinute: 20, Edits: 20, Strict: true}, r.webhook()
	o.PrivateTopics = r.Config.Topics
	r.Telegram = telegram.New(o)
	for id, name := range map[int64]string{Ada: "Ada", Bob: "Bob", Eve: "Eve"} {
		r.Telegram.AddUser(telegram.User{ID: id, FirstName: name, LanguageCode: "en"})
	}
	r.Opencode = opencode.New(opencode.Options{Version: version, Directory: "/home/ada/src/shop-api", Password: Password})
	return r
}

// TestConfig is the configuration of a rig: Ada and Bob may answer, and Ada's chat gets the questions.
func TestConfig(db string) config.Config {
	return config.Config{
		TelegramToken: TestToken, TelegramAPIURL: "https://api.telegram.test",
		TelegramUsers: []chat.UserID{Ada, Bob}, TelegramChats: []config.Chat{{ID: Ada}},
		DB: db, Listen: "127.0.0.1:4097",
		OpenCodeURLs: []string{Server}, OpenCodeUsername: "opencode", OpenCodePassword: Password,
		QuestionTTL: 30 * time.Minute, OnExpiry: question.ExpireReject, NotifyDelay: 800 * time.Millisecond, Context: true,
		Remote: true, IdleDelay: 5 * time.Second, TurnAfter: 2 * time.Minute,
		ResolveAttempts: 20, ResolveInterval: 300 * time.Millisecond, Lang: "auto", LogFormat: "text", LogLevel: slog.LevelDebug,
	}
}

// Play runs a test in a bubble with a running daemon of its own.
func Play(t *testing.T, alter func(*config.Config), test func(*Rig)) {
	t.Helper()
	PlayWith(t, opencode.VersionNew, alter, test)
}

// PlayBoth is Play with each version of OpenCode.
func PlayBoth(t *testing.T, test func(*Rig)) {
	t.Helper()
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		t.Run(version, func(t *testing.T) { PlayWith(t, version, nil, test) })
	}
}

// PlayWith is Play with a version of OpenCode.
func PlayWith(t *testing.T, version string, alter func(*config.Config), test func(*Rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := New(t, version, alter)
		defer r.End()
		test(r)
	})
}

// PlayWrapped is Play with something between the daemon and the stand-ins from the start on.
func PlayWrapped(t *testing.T, wrap func(daemon.Outside) daemon.Outside, alter func(*config.Config), test func(*Rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := NewStopped(t, opencode.VersionNew, alter)
		r.Wrap = wrap
		r.Start()
		defer r.End()
		r.Say("/start", 0)
		test(r)
	})
}

// Start runs a new daemon, on the database that is there, and waits until it is up.
func (r *Rig) Start() {
	r.T.Helper()
	listener := NewPipeListener()
	r.listener.Store(listener) // a test may call at the same time
	n := daemon.Outside{
		Telegram: r.Telegram.Transport(), Opencode: r.Opencode.Transport(), Voice: r.Voice, Listener: listener,
		Store: pending.Options{NoSync: true},
	}
	if r.Wrap != nil {
		n = r.Wrap(n)
	}
	redact := secret.NewRedactor(append(r.Config.Secrets(), HookKey)...)
	d, err := daemon.New(r.Config, HookKey, secret.NewLogger(&r.Log, r.Config.LogLevel, r.Config.LogFormat, redact), n)
	if err != nil {
		r.T.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	r.Daemon, r.Stop, r.Ended = d, stop, make(chan error, 1)
	go func() { r.Ended <- d.Run(ctx, func() {}, func() {}) }()
	r.Wait(time.Second)
}

// End stops the daemon and everything that would keep the bubble alive.
func (r *Rig) End() {
	r.T.Helper()
	r.Halt()
	for _, v := range r.Telegram.Violations() {
		r.T.Error("against Telegram's rules:", v)
	}
	r.Close()
}

// Halt stops the daemon alone.
func (r *Rig) Halt() {
	r.T.Helper()
	r.Stop()
	if err := <-r.Ended; err != nil {
		r.T.Error("the daemon ended:", err)
	}
}

// Close stops the stand-ins, and looks for secrets in the log.
func (r *Rig) Close() {
	r.T.Helper()
	r.Telegram.Close()
	r.Opencode.Stop()
	r.Wait(5 * time.Second) // reads that were cut off
	NoCanary(r.T, "the log", r.Log.String())
	WantDocumented(r.T, r.Telegram.Calls())
}

// NoCanary fails the test if the text holds a secret.
func NoCanary(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.Contains(strings.ToLower(line), "canary") {
			t.Errorf("%s shows a secret: %s", what, line)
		}
	}
}

// Wait lets time go by in the bubble, and everything come to rest.
func (r *Rig) Wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// Journal is what the store says has happened, of one kind.
func (r *Rig) Journal(kind storage.EntryKind) []storage.Entry {
	r.T.Helper()
	var entries []storage.Entry
	err := r.Daemon.Store.Journal(1, func(l Line) error {
		if l.Entry.Kind == kind {
			entries = append(entries, l.Entry)
		}
		return nil
	})
	if err != nil {
		r.T.Fatal(err)
	}
	return entries
}

// LoadFile loads a file of the given text as serve does.
func LoadFile(t *testing.T, text string) (config.Config, error) {
	t.Helper()
	return config.Load(config.Options{File: testenv.WriteFile(t, "hermes.env", text), Serve: true})
}

// WellFormed is a configuration that serve takes; tests add to it.
const WellFormed = "HERMES_TELEGRAM_TOKEN=" + testenv.GoodToken + "\nHERMES_TELEGRAM_USERS=7\n"

// parameter is one in a form, or in a JSON object, of a file in telegram/botapi's
// testdata/requests.
var parameter = regexp.MustCompile(`(?m)^(?:  ")?([a-z_]+)(?:"| \(a file.*\))?:`)

// documented are the parameters in those files, by method.
var documented = sync.OnceValue(func() map[string][]string {
	known := map[string][]string{"file": {"file_path"}} // in a URL
	files, _ := filepath.Glob(filepath.Join(moduleRoot(), "telegram", "botapi", "testdata", "requests", "*.txt"))
	for _, name := range files {
		text, _ := os.ReadFile(name)
		method, _, _ := strings.Cut(filepath.Base(name), ".")
		known[method] = append(known[method], "")
		for _, found := range parameter.FindAllStringSubmatch(string(text), -1) {
			known[method] = append(known[method], found[1])
		}
	}
	return known
})

// moduleRoot is the folder with go.mod, above that of the package whose tests run.
func moduleRoot() string {
	dir := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Join(dir, "..")
	}
	return dir
}

// WantDocumented fails the test if a call is none of those that package botapi has as files.
func WantDocumented(t *testing.T, calls []telegram.Call) {
	t.Helper()
	for _, c := range calls {
		known, ok := documented()[c.Method]
		if !ok {
			t.Errorf("%s is in none of botapi's testdata/requests", c.Method)
		}
		for name := range c.Params {
			if ok && !slices.Contains(known, name) {
				t.Errorf("%s has %s, which no file in botapi's testdata/requests has", c.Method, name)
			}
		}
	}
}
