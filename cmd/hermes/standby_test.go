//go:build postgres && unix

package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
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
}

// startStandby runs hermes serve until the test ends.
func startStandby(t *testing.T, binary, store, api string) *standbyProcess {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &standbyProcess{t: t, address: l.Addr().String()}
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
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
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

// Two processes share a database: one acts, and the commands of each say how it stands.
func TestStandby_Processes(t *testing.T) {
	bot := telegram.New(telegram.Options{Token: rig.TestToken})
	api := httptest.NewServer(bot)
	defer api.Close()
	defer bot.Close()
	server := pgtest.Start(t, pgtest.Options{})
	binary, store := buildHermes(t), server.NewDatabase(t)
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
	if text := two.command("doctor"); !strings.Contains(text, " at http://"+one.address+" acts, in epoch 1") {
		t.Errorf("hermes doctor beside a standby: %s", text)
	}
	if text := two.command("audit"); strings.Contains(text, "hermes: ") {
		t.Errorf("hermes audit beside a standby: %s", text)
	}
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
