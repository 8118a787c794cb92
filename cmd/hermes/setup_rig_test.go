package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// TestMainAsProcess is hermes itself where another test runs this binary.
func TestMainAsProcess(*testing.T) {
	if os.Getenv("RUN_AS_PROCESS") != "" {
		os.Exit(run(flag.Args(), streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
	}
}

// desk is a machine for setup and doctor: a home directory of its own, programs on PATH, and
// Telegram on loopback.
type desk struct {
	t        *testing.T
	home     string
	telegram *telegram.Server
	env      []string
	runs     string // the command of hermes that a screen shows
	rules    string // the rules file of a hermes that serves; empty: none

	asksExpiry bool // the test answers expiryPrompt itself
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, home: t.TempDir(), runs: "setup", telegram: telegram.New(telegram.Options{Token: rig.TestToken, BotUsername: "ada_hermes_bot"})}
	d.telegram.AddUser(telegram.User{ID: rig.Ada, FirstName: "Ada", LanguageCode: "en"})
	d.telegram.AddUser(telegram.User{ID: rig.Eve, FirstName: "Eve\u202e\x1b[31m", LanguageCode: "zh-hans"})
	api := httptest.NewServer(d.telegram)
	t.Cleanup(func() {
		api.CloseClientConnections()
		api.Close()
		d.telegram.Close()
		rig.WantDocumented(t, d.telegram.Calls())
	})
	d.program("opencode", "echo 1.18.33")
	d.program("systemctl", `echo "$@" >>"$HOME/systemctl.log"; case "$*" in *is-active*) exit 3;; esac`)
	d.env = []string{
		"HOME=" + d.home, "PATH=" + d.path("bin") + ":/usr/bin:/bin", "TERM=xterm", "NO_COLOR=1", "RUN_AS_PROCESS=1", "GORACE=atexit_sleep_ms=0",
		"HERMES_TELEGRAM_API_URL=" + api.URL, "HERMES_LISTEN=127.0.0.1:0", "GOCOVERDIR=" + t.TempDir(),
	}
	return d
}

func (d *desk) path(parts ...string) string {
	return filepath.Join(append([]string{d.home}, parts...)...)
}

// program puts a shell script on PATH.
func (d *desk) program(name, script string) {
	d.t.Helper()
	d.write("#!/bin/sh\n"+script+"\n", "bin", name)
	if err := os.Chmod(d.path("bin", name), 0o755); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) write(text string, parts ...string) {
	d.t.Helper()
	path := d.path(parts...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// read returns a file's text, "" where there is none.
func (d *desk) read(parts ...string) string {
	text, _ := os.ReadFile(d.path(parts...))
	return string(text)
}

// snapshot is every file under the home directory but the log of systemctl: its
// mode and content.
func (d *desk) snapshot() string {
	d.t.Helper()
	var b strings.Builder
	err := filepath.Walk(d.home, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || info.Name() == "systemctl.log" {
			return err
		}
		content, _ := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %v %q\n", strings.TrimPrefix(path, d.home), info.Mode(), content)
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return b.String()
}

// flags runs setup without a terminal.
func (d *desk) flags(args ...string) (output string, code int) {
	d.t.Helper()
	cmd := d.command(args...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		d.t.Fatal(err)
	}
	rig.NoCanary(d.t, "the output", string(out))
	return string(out), cmd.ProcessState.ExitCode()
}

func (d *desk) command(args ...string) *exec.Cmd {
	self := append([]string{"-test.run=^TestMainAsProcess$", "--", d.runs}, args...)
	cmd := exec.Command(os.Args[0], self...)
	cmd.Env, cmd.Dir = d.env, d.home
	return cmd
}

// screen is a terminal in which the command runs, under a shell that tells afterwards
// how it ended and whether the terminal still shows what is typed.
type screen struct {
	*desk
	pty *os.File

	mu     sync.Mutex
	text   bytes.Buffer
	read   int // what await has seen
	change chan struct{}
}

func (d *desk) screen(args ...string) *screen {
	d.t.Helper()
	const script = `trap : INT; "$@"; code=$?; case "$(stty -a)" in *-echo\ *) echo "echo off";; *) echo "echo on";; esac; echo "exit $code"`
	inner := d.command(args...)
	cmd := exec.Command("/bin/sh", append([]string{"-c", script, "sh"}, inner.Args...)...)
	cmd.Env, cmd.Dir = d.env, d.home
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 90})
	if err != nil {
		d.t.Fatal(err)
	}
	s := &screen{desk: d, pty: f, change: make(chan struct{}, 1)}
	read := make(chan struct{})
	go func() { s.follow(); close(read) }()
	d.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = f.Close()
		<-read
		_ = cmd.Wait()
		rig.NoCanary(d.t, "the screen", s.all())
	})
	return s
}

// expiryPrompt is where setup asks what shall happen when nobody answers.
const expiryPrompt = "nobody answers? [1] "

// follow keeps what is shown, and takes the usual answer to expiryPrompt.
func (s *screen) follow() {
	for b := make([]byte, 4096); ; {
		n, err := s.pty.Read(b)
		s.mu.Lock()
		s.text.Write(b[:n])
		asked := bytes.HasSuffix(s.text.Bytes(), []byte(expiryPrompt)) && n > 0
		s.mu.Unlock()
		if asked && !s.asksExpiry {
			_, _ = s.pty.WriteString("\r")
		}
		select {
		case s.change <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (s *screen) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.ReplaceAll(s.text.String(), "\r\n", "\n")
}

// await waits for a text after the one awaited before, and returns what came
// until its end.
func (s *screen) await(text string) string {
	s.t.Helper()
	deadline := time.After(time.Minute)
	for {
		all := s.all()
		if i := strings.Index(all[s.read:], text); i >= 0 {
			came := all[s.read : s.read+i+len(text)]
			s.read += i + len(text)
			return came
		}
		select {
		case <-s.change:
		case <-deadline:
			s.t.Fatalf("no %q on the screen:\n%s", text, all)
		}
	}
}

func (s *screen) enter(text string) { s.press(text + "\r") }

func (s *screen) press(keys string) {
	s.t.Helper()
	if _, err := s.pty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// open opens the pairing link that is on the screen.
func (s *screen) open(user int64) {
	s.t.Helper()
	s.await("?start=")
	link := s.await("It works once")
	code, _, _ := strings.Cut(link, "\n")
	if _, err := s.telegram.Say(user, user, "/start "+code); err != nil {
		s.t.Fatal(err)
	}
}

// tap answers the test question in Ada's chat.
func (s *screen) tap(user int64, label string) {
	s.t.Helper()
	s.tapIn(rig.Ada, user, label)
}

// tapIn answers the test question in a chat.
func (s *screen) tapIn(chat, user int64, label string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	m, err := s.telegram.AwaitText(ctx, chat, "hermes "+s.runs)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.telegram.Tap(user, chat, m.ID, label); err != nil {
		s.t.Fatal(err)
	}
}

// ended waits for the end, which leaves the terminal as it was.
func (s *screen) ended(code int) {
	s.t.Helper()
	s.await("echo on")
	s.await(fmt.Sprintf("exit %d\n", code))
}

// golden compares the screen with a file, without what is never the same.
func (s *screen) golden(name string) {
	s.t.Helper()
	text := regexp.MustCompile(`start=[\w-]{32}`).ReplaceAllString(s.all(), "start=…")
	text = regexp.MustCompile(`(?m)(^ +[█▀▄ ]+\n){15,}`).ReplaceAllString(text, "     [QR code]\n")
	text = strings.ReplaceAll(text, s.home, "/home/ada")
	path := filepath.Join("testdata", "setup", name+".txt")
	if *rig.Update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	if text != string(want) {
		s.t.Errorf("the screen is not %s; -update writes it anew. It shows:\n%s", path, text)
	}
}
