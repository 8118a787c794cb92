package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/opencode/simulator"
	"hermes/question"
	telegram "hermes/telegram/simulator"
)

const (
	testToken = "123456789:AAcanaryCANARYcanaryCANARYcanaryCAN"
	hookKey   = "hook-canary-0123456789abcdefghijklmnop"
	ada       = 42
	bob       = 43
	eve       = 66
	server    = "http://opencode.test:4096"
)

// rig is the assembled daemon between the two stand-ins. It lives in a synctest
// bubble: nothing in it uses a socket.
type rig struct {
	t        *testing.T
	config   config
	telegram *telegram.Server
	opencode *opencode.Simulator
	listener *pipeListener
	log      lockedBuffer

	daemon *daemon
	stop   context.CancelFunc
	ended  chan error
}

func newRig(t *testing.T, version string, alter func(*config)) *rig {
	r := &rig{t: t, config: config{
		TelegramToken: testToken, TelegramAPIURL: "https://api.telegram.test",
		TelegramUsers: []question.UserID{ada, bob}, TelegramChats: []chat{{ID: ada}},
		DB: filepath.Join(t.TempDir(), "hermes.db"), Listen: "127.0.0.1:4097",
		OpenCodeURLs: []string{server}, OpenCodeUsername: "opencode", OpenCodePassword: "password-canary",
		QuestionTTL: 30 * time.Minute, OnExpiry: question.ExpireReject, NotifyDelay: 800 * time.Millisecond,
		ResolveAttempts: 20, ResolveInterval: 300 * time.Millisecond, Lang: "auto", LogFormat: "text", LogLevel: slog.LevelDebug,
	}}
	if alter != nil {
		alter(&r.config)
	}
	r.telegram = telegram.New(telegram.Options{Token: testToken, Flood: telegram.Flood{Burst: 3, GroupPerMinute: 20, Strict: true}})
	for id, name := range map[int64]string{ada: "Ada", bob: "Bob", eve: "Eve"} {
		r.telegram.AddUser(telegram.User{ID: id, FirstName: name, LanguageCode: "en"})
	}
	r.opencode = opencode.New(opencode.Options{Version: version, Directory: "/home/ada/src/shop-api", Password: "password-canary"})
	r.start()
	r.say("/start", 0)
	return r
}

// say is a text of Ada's; a replyTo of 0 is no reply.
func (r *rig) say(text string, replyTo int) {
	r.t.Helper()
	var options []telegram.SayOption
	if replyTo != 0 {
		options = append(options, telegram.ReplyTo(replyTo))
	}
	if _, err := r.telegram.Say(ada, ada, text, options...); err != nil {
		r.t.Fatal(err)
	}
	r.wait(2 * time.Second)
}

func (r *rig) start() {
	r.t.Helper()
	r.listener = newPipeListener()
	redact := newRedactor(append(r.config.secrets(), hookKey)...)
	d, err := newDaemon(r.config, hookKey, newLogger(&r.log, r.config, redact), network{
		telegram: r.telegram.Transport(), opencode: r.opencode.Transport(), listener: r.listener,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	r.daemon, r.stop, r.ended = d, stop, make(chan error, 1)
	go func() { r.ended <- d.run(ctx, func() {}) }()
	r.wait(time.Second)
}

// end stops the daemon and everything that would keep the bubble alive.
func (r *rig) end() {
	r.t.Helper()
	r.stop()
	if err := <-r.ended; err != nil {
		r.t.Error("the daemon ended:", err)
	}
	for _, v := range r.telegram.Violations() {
		r.t.Error("against Telegram's rules:", v)
	}
	r.telegram.Close()
	r.opencode.Stop()
}

func (r *rig) wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// last is the newest message of the bot in Ada's chat.
func (r *rig) last() telegram.Message {
	r.t.Helper()
	all := r.telegram.Messages(ada)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].FromBot {
			return all[i]
		}
	}
	r.t.Fatal("hermes has written nothing; log:\n" + r.log.String())
	return telegram.Message{}
}

// screen fails the test unless the newest message has all of these texts.
func (r *rig) screen(texts ...string) {
	r.t.Helper()
	m := r.last()
	for _, text := range texts {
		if !strings.Contains(m.Text, text) {
			r.t.Errorf("the message lacks %q:\n%s\nlog:\n%s", text, m.Text, r.log.String())
		}
	}
}

func (r *rig) tap(label string) {
	r.t.Helper()
	if _, err := r.telegram.Tap(ada, ada, r.last().ID, label); err != nil {
		r.t.Fatalf("tap %q: %v\n%s", label, err, r.telegram.Transcript(ada))
	}
	r.wait(100 * time.Millisecond)
}

func database() opencode.Question {
	return opencode.Question{
		Question: "Which database should this feature use?", Header: "Database",
		Options: []opencode.Option{{Label: "SQLite", Description: "file based"}, {Label: "PostgreSQL (Recommended)", Description: "needs a server"}},
	}
}

func TestQuestionIsAnswered(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		t.Run(version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, version, nil)
				defer r.end()
				session := r.opencode.NewSession(r.opencode.Directory(), "fix checkout flow")
				_, call := r.opencode.Ask(r.opencode.Directory(), session, database())
				r.wait(2 * time.Second)
				r.screen("Database · shop-api", "Which database", "fix checkout flow")
				r.tap("2.")
				r.wait(time.Second)
				r.screen("→ PostgreSQL (Recommended)", "Ada")
				got, _ := r.opencode.Received(call)
				if want := (question.Answers{{"PostgreSQL (Recommended)"}}); !want.Equal(got) {
					t.Errorf("the agent received %v, want %v", got, want)
				}
				if n := r.telegram.Count("sendMessage") + r.telegram.Count("editMessageText") + r.telegram.Count("answerCallbackQuery"); n > 4 {
					t.Errorf("%d calls for one question", n)
				}
			})
		})
	}
}

// pipeListener is a net.Listener without a socket.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	close sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.close.Do(func() { close(l.done) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// Dial connects to the listener.
func (l *pipeListener) Dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.done:
		return nil, errors.New("connection refused")
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
