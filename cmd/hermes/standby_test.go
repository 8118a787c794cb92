//go:build postgres && unix

package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
	"hermes/pending/postgres/pgtest"
)

// standbyProcess is a hermes serve with HERMES_STORE.
type standbyProcess struct {
	t       *testing.T
	cmd     *exec.Cmd
	address string
	log     testenv.LockedBuffer
	ended   chan struct{}
}

// startStandby runs hermes serve until the test ends.
func startStandby(t *testing.T, binary, store, api string) *standbyProcess {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &standbyProcess{t: t, address: l.Addr().String(), ended: make(chan struct{})}
	l.Close()
	p.cmd = exec.Command(binary, "serve")
	p.cmd.Env = []string{
		"HOME=" + t.TempDir(), "HERMES_STORE=" + store, "HERMES_HOOK_TOKEN=" + rig.HookKey, "HERMES_LISTEN=" + p.address, "HERMES_TELEGRAM_TOKEN=" + rig.TestToken,
		"HERMES_TELEGRAM_USERS=42", "HERMES_TELEGRAM_API_URL=" + api, "HERMES_OPENCODE_SERVICE=off", "HERMES_LEASE=2s",
	}
	p.cmd.Stderr = &p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.ended
		rig.NoCanary(t, "the log", p.log.String())
		if t.Failed() {
			t.Log(p.address, "\n", p.log.String())
		}
	})
	return p
}

// readyz is what the process says of itself; empty: nothing.
func (p *standbyProcess) readyz() string {
	res, err := (&http.Client{Timeout: time.Second}).Get("http://" + p.address + "/readyz")
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	return string(text)
}

// acts reports whether it acts: all that is missing is an OpenCode.
func (p *standbyProcess) acts() bool { return strings.Contains(p.readyz(), "no OpenCode is connected") }

// command is what another command with the configuration of the process prints.
func (p *standbyProcess) command(args ...string) string {
	p.t.Helper()
	cmd := exec.Command(p.cmd.Path, args...)
	cmd.Env = p.cmd.Env
	out, _ := cmd.CombinedOutput() // the code tells how hermes does
	rig.NoCanary(p.t, "hermes "+args[0], string(out))
	return string(out)
}

// within waits until something is so, and fails the test when it is not in time.
func within(t *testing.T, limit time.Duration, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, limit)
		}
	}
}

func (p *standbyProcess) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// Two processes share a database: one acts and the other one takes over, when the first one stops, is killed and is paused.
func TestStandby_Processes(t *testing.T) {
	bot := telegram.New(telegram.Options{Token: rig.TestToken})
	api := httptest.NewServer(bot)
	defer api.Close()
	defer bot.Close()
	server := pgtest.Start(t, pgtest.Options{})
	binary, store := filepath.Join(t.TempDir(), "hermes"), server.NewDatabase(t)
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	start := func() *standbyProcess { return startStandby(t, binary, store, api.URL) }

	one := start()
	within(t, 20*time.Second, "the first one acts", one.acts)
	two := start()
	within(t, 10*time.Second, "the second one stands by", func() bool { return strings.Contains(two.readyz(), "at http://"+one.address+" acts") })

	if text := two.command("status"); !strings.Contains(text, "This hermes stands by for ") || !strings.Contains(text, " at http://"+one.address+", the 1. to act") {
		t.Errorf("hermes status of a standby: %s", text)
	}
	if text := one.command("status"); !strings.Contains(text, "acts       ") {
		t.Errorf("hermes status of the one that acts: %s", text)
	}
	if text := two.command("doctor"); !strings.Contains(text, " at http://"+one.address+" acts, the 1. to do so") {
		t.Errorf("hermes doctor beside a standby: %s", text)
	}
	if text := two.command("audit"); strings.Contains(text, "hermes: ") {
		t.Errorf("hermes audit beside a standby: %s", text)
	}

	one.signal(syscall.SIGTERM)
	<-one.ended
	within(t, time.Second, "the second one acts after the end of the first one", two.acts)
	if code := one.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("hermes serve exits with %d", code)
	}

	three := start()
	within(t, 10*time.Second, "the third one stands by", func() bool { return strings.Contains(three.readyz(), "at http://"+two.address+" acts") })
	two.signal(syscall.SIGKILL)
	within(t, 10*time.Second, "the third one acts after the kill of the second one", three.acts)

	four := start()
	within(t, 10*time.Second, "the fourth one stands by", func() bool { return strings.Contains(four.readyz(), "at http://"+three.address+" acts") })
	three.signal(syscall.SIGSTOP)
	within(t, 10*time.Second, "the fourth one acts while the third one is paused", four.acts)
	three.signal(syscall.SIGCONT)
	within(t, 10*time.Second, "the third one stands by when it wakes", func() bool { return strings.Contains(three.readyz(), "at http://"+four.address+" acts") })

	server.Kill()
	within(t, 20*time.Second, "the fourth one acts no more without the database", func() bool {
		return strings.Contains(four.readyz(), "the database of HERMES_STORE does not answer")
	})
	server.StartAgain(t)
	within(t, 20*time.Second, "one of them acts when the database is back", func() bool { return three.acts() != four.acts() })
}

// A wrong password, and a URL that cannot be read, end hermes serve as mistakes do.
func TestStandby_Mistakes(t *testing.T) {
	server := pgtest.Start(t, pgtest.Options{})
	good := server.NewDatabase(t)
	for _, c := range []struct{ store, says string }{
		{strings.Replace(good, pgtest.Password, "wrong-canary", 1), "password authentication failed"},
		{good + "&sslrootcert=/nowhere&sslmode=verify-full", "HERMES_STORE"},
	} {
		code, log := serveProcess(t, map[string]string{"STORE": c.store, "HOOK_TOKEN": rig.HookKey, "DB": ""})
		if code != exitUsage || !strings.Contains(log, c.says) {
			t.Errorf("%d:\n%s", code, log)
		}
	}
}
